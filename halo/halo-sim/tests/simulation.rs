//! The counts of a replay, and the paper's claims that need no clock.
#![allow(missing_docs, clippy::unwrap_used)]

use halo_sim::workload::{self, Shape};
use halo_sim::{Kind, Policy, Report, Request, concatenate, simulate};

const CACHE_BLOCKS: u32 = 4096;

fn run(policy: Policy, requests: &[Request]) -> Report {
    let mut requests = requests.to_vec();
    let span = concatenate(&mut requests);
    simulate(policy, CACHE_BLOCKS, span.blocks, &requests, false)
}

fn workloads() -> Vec<(&'static str, Vec<Request>)> {
    let shape = Shape { requests: 60_000, blocks: 40_000, write_share: 0.8, blocks_per_request: 1, seed: 2 };
    vec![
        ("random", workload::random(Shape { write_share: 1.0, ..shape }).collect()),
        ("zipf", workload::zipf(shape, 0.9).collect()),
        ("appends", workload::appends(Shape { blocks_per_request: 2, ..shape }, 8).collect()),
    ]
}

/// Each block written is a hit, was destaged, or is still there; each block read is a hit or a disk read.
#[test]
fn no_block_gets_lost_in_the_counts() {
    for (name, requests) in workloads() {
        let blocks: u64 = requests.iter().map(|request| request.blocks().count() as u64).sum();
        for (_, policy) in Policy::NAMES {
            let report = run(policy, &requests);
            assert_eq!(report.blocks.read + report.blocks.written, blocks, "{name}, {policy:?}");
            let entered = report.blocks.written - report.blocks.write_hits;
            assert_eq!(entered, report.blocks.destaged + report.left_blocks, "{name}, {policy:?}");
            assert!(report.traffic.requests <= report.blocks.read + report.blocks.destaged, "{name}, {policy:?}");
        }
    }
}

#[test]
fn without_a_cache_everything_reaches_the_disk() {
    for (name, requests) in workloads() {
        let report = run(Policy::None, &requests);
        assert!((report.traffic_rate() - 1.0).abs() < 1e-12, "{name}");
        assert_eq!(report.traffic.requests, requests.len() as u64, "{name}");
    }
}

#[test]
fn distances_are_measured_from_the_end_of_one_disk_request_to_the_start_of_the_next() {
    let at = |lbn: u64, blocks: u32| Request {
        at_nanos: 0,
        device: 0,
        kind: Kind::Read,
        offset_bytes: lbn * 4096,
        bytes: blocks * 4096,
    };
    let report = run(Policy::Lru, &[at(10, 4), at(14, 1), at(5, 1)]);
    assert_eq!((report.traffic.requests, report.traffic.distance_blocks), (3, 10 + 10));
}

/// "It still significantly improves the sequentiality" (Randw): same traffic as LRU, shorter ways. Source: Auburn §3.3.1.
#[test]
fn random_writes_give_halo_no_fewer_blocks_but_far_shorter_ways_than_lru() {
    let (_, requests) = workloads().swap_remove(0);
    let (halo, lru) = (run(Policy::Halo, &requests), run(Policy::Lru, &requests));
    assert!(
        (halo.traffic_rate() / lru.traffic_rate() - 1.0).abs() < 0.06,
        "{} {}",
        halo.traffic_rate(),
        lru.traffic_rate()
    );
    let (ours, theirs) = (halo.traffic.mean_distance_blocks(), lru.traffic.mean_distance_blocks());
    assert!(ours * 20.0 < theirs, "HALO {ours:.0}, LRU {theirs:.0}");
}

#[test]
fn a_trace_that_fits_is_written_back_only_at_the_end() {
    let shape = Shape { requests: 20_000, blocks: 3000, write_share: 1.0, blocks_per_request: 1, seed: 2 };
    let requests: Vec<_> = workload::random(shape).collect();
    for (_, policy) in Policy::NAMES.into_iter().filter(|(_, policy)| *policy != Policy::None) {
        let report = run(policy, &requests);
        assert_eq!(report.blocks.destaged, 0, "{policy:?}");
        assert_eq!(report.blocks.write_hits + report.left_blocks, 20_000, "{policy:?}");
    }
}

#[test]
fn wear_is_reported_for_each_scheme() {
    let (_, mut requests) = workloads().swap_remove(1);
    let span = concatenate(&mut requests);
    let report = simulate(Policy::Halo, CACHE_BLOCKS, span.blocks, &requests, true);
    assert_eq!(report.wear.iter().map(|wear| wear.scheme).collect::<Vec<_>>(), ["SG", "RR", "SFC"]);
    for wear in &report.wear {
        assert!(wear.bank_life_ratio > 0.0 && wear.bank_life_ratio <= 1.0, "{wear:?}");
        assert!(wear.stripe_life_ratio <= wear.bank_life_ratio, "{wear:?}");
    }
}

/// "As an option that must pay for itself": where reads come again it saves a tenth of the disk's work, and where there is nothing to
/// gain it costs next to nothing.
#[test]
fn a_part_for_clean_blocks_pays_where_reads_come_again_and_costs_little_elsewhere() {
    let shape = Shape { requests: 600_000, blocks: 60_000, write_share: 0.1, blocks_per_request: 1, seed: 6 };
    let ratio = |write_share: f64| {
        let requests: Vec<_> = workload::zipf(Shape { write_share, ..shape }, 1.0).collect();
        run(Policy::HaloSplit, &requests).traffic_rate() / run(Policy::Halo, &requests).traffic_rate()
    };
    let (reading, writing) = (ratio(0.1), ratio(0.95));
    assert!(reading < 0.92, "{reading}");
    assert!(writing < 1.01, "{writing}");
}
