//! One number of ours for each printed one.

use super::Key;
use crate::policy::{Destaging, Policy};
use crate::request::Request;
use crate::simulation::{DiskSink, Schemes, Setup};
use crate::stand_in::{self, StandIn};
use crate::timed::TimedReport;
use crate::{DiskRequest, Kind};
use halo_core::index::{CuckooTable, Entry, Handle, SingleSlot};
use halo_core::{Lbn, SplitMix64};
use halo_disk::Profile;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The plan of the runs; the default is the paper's evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choices {
    /// The disk. Own: the paper's, "a 500GB, 7200RPM Seagate disk", as it is delivered: with its write cache on.
    pub disk: Profile,
    /// Requests that the disk has at a time. Own: one; the paper's replay is a closed loop that measures service.
    pub depth: usize,
    /// Popularity of places where a stand-in has one.
    pub popularity: stand_in::Popularity,
    /// HALO's thresholds of destaging.
    pub destaging: Destaging,
    /// Seed of the stand-ins.
    pub seed: u64,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            disk: Profile::DESKTOP,
            depth: 1,
            popularity: stand_in::Popularity::USUAL,
            destaging: Destaging::default(),
            seed: 1,
        }
    }
}

/// The part of the experiments that is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// The runs that the printed numbers need.
    Printed,
    /// The runs that the figures need: all policies, all cache sizes.
    Figures,
}

impl Extent {
    fn policies(self) -> Vec<Policy> {
        match self {
            Self::Printed => vec![Policy::Lru, Policy::Halo],
            Self::Figures => Policy::NAMES.iter().map(|(_, policy)| *policy).collect(),
        }
    }

    fn cache_sizes_mib(self, workload: &StandIn) -> &'static [u32] {
        match (self, workload.name) {
            (Self::Figures, _) => &CACHE_SIZES_MIB,
            (Self::Printed, "Fin1") => &CACHE_SIZES_MIB[..6],
            (Self::Printed, "Mail") => &CACHE_SIZES_MIB[1..5],
            (Self::Printed, "Dap" | "Randw") => &CACHE_SIZES_MIB[4..5],
            (Self::Printed, _) => &[],
        }
    }
}

/// One timed run: workload, policy, what came out.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// The stand-in.
    pub workload: &'static str,
    /// The policy that decided.
    pub policy: Policy,
    /// The result.
    pub report: TimedReport,
}

/// A traffic rate at a cache size: Figures 3.9 and 3.10.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrafficPoint {
    /// The stand-in.
    pub workload: &'static str,
    /// The policy that decided.
    pub policy: Policy,
    /// Size of the cache.
    pub cache_mib: u32,
    /// Blocks of the disk over blocks requested.
    pub traffic_rate: f64,
}

/// A disk request for the scatter of Figures 3.13 and 3.14: its number, and where it begins.
pub type Place = (u64, u64, Kind);

/// Everything that was run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Results {
    /// Timed runs.
    pub runs: Vec<Run>,
    /// Traffic rates over cache sizes.
    pub traffic: Vec<TrafficPoint>,
    /// A sample of Fin1's requests, and of the disk's with HALO.
    pub places: [Vec<Place>; 2],
}

/// Cache sizes of Figures 3.9 and 3.10. Own: six values are printed for "256MB to 3GB"; figures go on to 6 GB.
pub const CACHE_SIZES_MIB: [u32; 7] = [256, 512, 768, 1024, 2048, 3072, 6144];
const BLOCKS_PER_MIB: u32 = 256;

/// Told what is being run.
pub type Tell<'a> = &'a (dyn Fn(&str) + Sync);

/// Runs the timed experiments of `workloads`, and the traffic over cache sizes, on as many threads as there are processors. Results do not depend on their number.
///
/// # Panics
/// When one of them does: results without some of the workloads would look like whole ones.
pub fn run(choices: &Choices, workloads: &[StandIn], extent: Extent, tell: Tell) -> Results {
    // The greatest first, so that threads end at about the same time.
    let mut order: Vec<usize> = (0..workloads.len()).collect();
    order.sort_by_key(|&index| Reverse(workloads[index].bank_writes));
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) else { return done };
            let workload = &workloads[index];
            done.push((index, run_one(choices, workload, extent, tell)));
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let mut parts: Vec<(usize, Results)> = thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let done = handles.into_iter().map(|handle| handle.join().unwrap_or_else(|panic| resume_unwind(panic)));
        done.flatten().collect()
    });
    parts.sort_by_key(|(index, _)| *index);
    let mut results = Results::default();
    for (_, part) in parts {
        results.runs.extend(part.runs);
        results.traffic.extend(part.traffic);
        if !part.places[0].is_empty() {
            results.places = part.places;
        }
    }
    results
}

fn run_one(choices: &Choices, workload: &StandIn, extent: Extent, tell: Tell) -> Results {
    let workload = workload.with_popularity(choices.popularity);
    let requests = workload.generate(workload.requests(), choices.seed);
    let mut results = Results::default();
    for policy in extent.policies() {
        tell(&format!("{}, {} requests, {} MiB: {}", workload.name, requests.len(), workload.cache_mib, policy.name()));
        let wear = if policy == Policy::Halo { Schemes::All } else { Schemes::None };
        let setup = setup(&workload, policy, workload.cache_mib, &requests, wear);
        let report = setup.replay_closed(choices.disk, choices.depth);
        results.runs.push(Run { workload: workload.name, policy, report });
    }
    if extent == Extent::Figures && workload.name == "Fin1" {
        results.places = [Policy::None, Policy::Halo].map(|policy| {
            let mut sample = Sample::default();
            setup(&workload, policy, workload.cache_mib, &requests, Schemes::None).replay_into(&mut sample);
            sample.places
        });
    }
    for &cache_mib in extent.cache_sizes_mib(&workload) {
        tell(&format!("{}: traffic with {cache_mib} MiB", workload.name));
        for policy in [Policy::Lru, Policy::Halo] {
            let traffic_rate = setup(&workload, policy, cache_mib, &requests, Schemes::None).count().traffic_rate();
            results.traffic.push(TrafficPoint { workload: workload.name, policy, cache_mib, traffic_rate });
        }
    }
    results
}

pub(super) fn setup<'a>(
    workload: &StandIn,
    policy: Policy,
    cache_mib: u32,
    requests: &'a [Request],
    wear: Schemes,
) -> Setup<'a> {
    Setup {
        policy,
        cache_blocks: cache_mib * BLOCKS_PER_MIB,
        disk_blocks: workload.disk_blocks(),
        requests,
        wear,
        destaging: Destaging::default(),
        watch: &|_| {},
    }
}

/// Keeps about a thousand requests, evenly: when there are twice as many, every other one goes.
#[derive(Default)]
struct Sample {
    seen: u64,
    step: u64,
    places: Vec<Place>,
}

const SAMPLE: usize = 1000;

impl DiskSink for Sample {
    fn take(&mut self, request: &DiskRequest) {
        if self.seen.is_multiple_of(self.step.max(1)) {
            self.places.push((self.seen, request.first.0, request.kind));
            if self.places.len() == 2 * SAMPLE {
                self.step = self.step.max(1) * 2;
                let step = self.step;
                self.places.retain(|(number, _, _)| number % step == 0);
            }
        }
        self.seen += 1;
    }
}

/// The numbers that results stand for, by the names of `expected.csv`.
pub fn numbers(results: &Results) -> BTreeMap<Key, f64> {
    let mut ours = BTreeMap::new();
    times(results, &mut ours);
    wear(results, &mut ours);
    traffic_numbers(results, &mut ours);
    ours
}

/// The report of a run.
pub fn report<'a>(results: &'a Results, workload: &str, policy: Policy) -> Option<&'a TimedReport> {
    results.runs.iter().find(|run| run.workload == workload && run.policy == policy).map(|run| &run.report)
}

fn times(results: &Results, ours: &mut BTreeMap<Key, f64>) {
    let (mut less_times, mut response_ratios) = (Vec::new(), Vec::new());
    for workload in &stand_in::ALL {
        let of = |policy| report(results, workload.name, policy);
        let (Some(lru), Some(halo)) = (of(Policy::Lru), of(Policy::Halo)) else { continue };
        let less = (1.0 - halo.execution_nanos as f64 / lru.execution_nanos as f64) * 100.0;
        ours.insert(Key::new("Fig. 3.8", workload.name, "less execution time than LRU"), less);
        less_times.push(less);
        response_ratios.push(halo.disk_response.mean_nanos() / lru.disk_response.mean_nanos());
        if workload.name == "Fin1" {
            let millions = |requests: u64| requests as f64 / 1e6;
            ours.insert(Key::new("Fig. 3.13", "Fin1", "requests without a cache"), millions(halo.requests));
            ours.insert(Key::new("Fig. 3.14", "Fin1", "disk requests with HALO"), millions(halo.traffic.requests));
        }
    }
    if less_times.len() == stand_in::ALL.len() {
        ours.insert(Key::new("Fig. 3.8", "mean of seven", "less execution time than LRU"), mean(&less_times));
        let better = (1.0 - geometric_mean(&response_ratios)) * 100.0;
        let metric = "better response of the disk than LRU";
        ours.insert(Key::new("Fig. 3.15", "geometric mean of seven", metric), better);
    }
}

fn wear(results: &Results, ours: &mut BTreeMap<Key, f64>) {
    let mut ratios: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut insert = |case: &str, metric: &str, value| ours.insert(Key::new("Table 3.4", case, metric), value);
    for workload in &stand_in::ALL {
        let Some(halo) = report(results, workload.name, Policy::Halo) else { continue };
        let life = |scheme| halo.wear.iter().find(|wear| wear.scheme == scheme).map(|wear| wear.bank_life_ratio);
        let (Some(regions), Some(round_robin), Some(curve)) = (life("SG"), life("RR"), life("SFC")) else { continue };
        for (scheme, ratio) in [("SG", regions), ("RR", round_robin), ("SFC", curve)] {
            insert(workload.name, &format!("{scheme} life ratio"), ratio);
            ratios.entry(scheme).or_default().push(ratio);
        }
        insert(workload.name, "lifetime of SFC over SG", curve / regions);
        ratios.entry("SFC over SG").or_default().push(curve / regions);
    }
    for (name, ratios) in &ratios {
        if ratios.len() < stand_in::ALL.len() {
            return;
        }
        let metric =
            if *name == "SFC over SG" { "lifetime of SFC over SG".to_owned() } else { format!("{name} life ratio") };
        insert("mean of seven", &metric, mean(ratios));
        insert("geometric mean of seven", &metric, geometric_mean(ratios));
    }
}

fn traffic_numbers(results: &Results, ours: &mut BTreeMap<Key, f64>) {
    let rate = |workload: &str, policy, cache_mib| {
        let of = |point: &&TrafficPoint| {
            point.workload == workload && point.policy == policy && point.cache_mib == cache_mib
        };
        results.traffic.iter().find(of).map(|point| point.traffic_rate)
    };
    // Percent points by which HALO's traffic rate is lower.
    let lower = |workload: &str, cache_mib| {
        Some((rate(workload, Policy::Lru, cache_mib)? - rate(workload, Policy::Halo, cache_mib)?) * 100.0)
    };
    let mut insert = |figure, case: &str, metric, value: Option<f64>| {
        if let Some(value) = value {
            ours.insert(Key::new(figure, case, metric), value);
        }
    };
    let metric = "lower traffic rate than LRU";
    for (name, cache_mib) in
        [("256 MiB", 256), ("512 MiB", 512), ("768 MiB", 768), ("1 GiB", 1024), ("2 GiB", 2048), ("3 GiB", 3072)]
    {
        insert("Fig. 3.9", &format!("Fin1, {name}"), metric, lower("Fin1", cache_mib));
    }
    insert("Fig. 3.9", "Dap, 2 GiB", metric, lower("Dap", 2048));
    let mail: Option<Vec<f64>> = [512, 768, 1024, 2048].into_iter().map(|cache_mib| lower("Mail", cache_mib)).collect();
    insert("Fig. 3.10", "Mail, 512 MiB to 2 GiB", metric, mail.map(|points| mean(&points)));
    insert("Fig. 3.10", "Randw, 2 GiB", "difference of traffic rates", lower("Randw", 2048).map(f64::abs));
}

/// The disk alone: what the paper measured on "a standard hard disk".
pub fn disk_numbers(choices: &Choices) -> BTreeMap<Key, f64> {
    let sequential: Vec<Request> = (0..20_000).map(|number| write(number * (256 << 10), 256 << 10)).collect();
    let mut random = SplitMix64::new(choices.seed);
    let blocks = choices.disk.capacity_bytes / 4096;
    let scattered: Vec<Request> = (0..20_000).map(|_| write(random.below(blocks) * 4096, 4096)).collect();
    let megabytes_per_second = |requests: &[Request]| {
        let setup = Setup {
            policy: Policy::None,
            cache_blocks: 1,
            disk_blocks: blocks,
            requests,
            wear: Schemes::None,
            destaging: Destaging::default(),
            watch: &|_| {},
        };
        setup.replay_closed(choices.disk, choices.depth).disk_bytes_per_second() / 1e6
    };
    BTreeMap::from([
        (Key::new("3.3", "standard disk", "sequential throughput"), megabytes_per_second(&sequential)),
        (Key::new("3.3", "standard disk", "throughput of small random requests"), megabytes_per_second(&scattered)),
    ])
}

fn write(offset_bytes: u64, bytes: u32) -> Request {
    Request { at_nanos: 0, device: 0, kind: Kind::Write, offset_bytes, bytes }
}

/// Table 3.3: how full a table of 2^16 places is when an insertion fails, the mean of eight tables.
///
/// Own: blocks drawn at random from a terabyte; the paper uses the blocks of its traces, which a hash function cannot tell apart.
pub fn load_factors() -> BTreeMap<Key, f64> {
    let mut ours = BTreeMap::new();
    let mut insert = |functions: u32, load: f64| {
        let metric = "load factor when an insertion fails";
        ours.insert(Key::new("Table 3.3", &format!("{functions} hash functions"), metric), load);
    };
    insert(2, load_factor::<2>());
    insert(3, load_factor::<3>());
    insert(4, load_factor::<4>());
    insert(5, load_factor::<5>());
    insert(6, load_factor::<6>());
    insert(7, load_factor::<7>());
    insert(8, load_factor::<8>());
    ours
}

fn load_factor<const N: usize>() -> f64 {
    const PLACES: usize = 1 << 16;
    let loads: Vec<f64> = (0..8)
        .map(|seed| {
            let mut table = SingleSlot::<N>::with_places(PLACES, seed);
            let mut random = SplitMix64::new(seed + 100);
            let mut entries = 0_u32;
            loop {
                let block = Lbn(random.below(1 << 28));
                if table.get(block).is_some() {
                    continue;
                }
                if table.try_insert(Entry::new(block, Handle(entries))).is_err() {
                    return f64::from(entries) / PLACES as f64;
                }
                entries += 1;
            }
        })
        .collect();
    mean(&loads)
}

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

pub(super) fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}
