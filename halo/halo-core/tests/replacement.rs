//! Promises of every write cache model, and what sets them apart.

use halo_core::destage::DestageSettings;
use halo_core::index::{Growing, SingleSlot};
use halo_core::replacement::{CscanLrw, Halo, Optimum, RecencyList, Replacement};
use halo_core::{Lbn, SplitMix64};
use std::collections::HashSet;

const BLOCKS: u64 = 16 * 256;
const CAPACITY: u32 = 100;

#[derive(Clone, Copy)]
enum Access {
    Read(Lbn),
    Write(Lbn),
}

/// Skewed accesses, a quarter of them reads.
fn trace(seed: u64, length: usize) -> Vec<Access> {
    let mut random = SplitMix64::new(seed);
    (0..length)
        .map(|_| {
            let span = 1 + random.below(BLOCKS);
            let lbn = Lbn(random.below(span));
            if random.below(4) == 0 { Access::Read(lbn) } else { Access::Write(lbn) }
        })
        .collect()
}

fn writes(trace: &[Access]) -> Vec<Lbn> {
    trace
        .iter()
        .filter_map(|access| match access {
            Access::Write(lbn) => Some(*lbn),
            Access::Read(_) => None,
        })
        .collect()
}

fn all(trace: &[Access]) -> Vec<Box<dyn Replacement>> {
    let settings = DestageSettings::for_slots(CAPACITY);
    vec![
        Box::new(Halo::<Growing<halo_core::index::Bucketised>>::new(BLOCKS, CAPACITY, settings, 1)),
        Box::new(Halo::<Growing<SingleSlot<4>>>::new(BLOCKS, CAPACITY, settings, 1)),
        Box::new(RecencyList::lru(CAPACITY)),
        Box::new(RecencyList::fifo(CAPACITY)),
        Box::new(RecencyList::lrw(CAPACITY)),
        Box::new(CscanLrw::new(CAPACITY)),
        Box::new(Optimum::new(CAPACITY, &writes(trace))),
    ]
}

/// Runs the trace; gives all destaged blocks in order.
fn run(cache: &mut dyn Replacement, trace: &[Access]) -> Vec<Lbn> {
    let mut all_destaged = Vec::new();
    let mut destaged = Vec::new();
    for access in trace {
        cache.begin_request();
        match *access {
            Access::Read(lbn) => {
                cache.read(lbn);
            }
            Access::Write(lbn) => {
                cache.write(lbn, &mut destaged);
            }
        }
        all_destaged.append(&mut destaged);
    }
    all_destaged
}

#[test]
fn no_model_exceeds_its_capacity_loses_a_block_or_destages_what_it_has_not() {
    let trace = trace(1, 20_000);
    for mut cache in all(&trace) {
        let name = cache.name();
        let mut cached = HashSet::new();
        let mut destaged = Vec::new();
        for access in &trace {
            cache.begin_request();
            match *access {
                Access::Read(lbn) => assert_eq!(cache.read(lbn), cached.contains(&lbn), "{name}"),
                Access::Write(lbn) => {
                    assert_eq!(cache.write(lbn, &mut destaged), cached.contains(&lbn), "{name}");
                    for victim in destaged.drain(..) {
                        assert!(cached.remove(&victim), "{name} destaged {victim}, which it did not have");
                        assert!(!cache.contains(victim), "{name}");
                    }
                    cached.insert(lbn);
                    assert!(cache.contains(lbn), "{name}");
                }
            }
            assert_eq!(cache.len(), cached.len() as u64, "{name}");
            assert!(cache.len() <= cache.capacity(), "{name}");
        }
    }
}

#[test]
fn the_same_trace_gives_the_same_destages() {
    let trace = trace(2, 5_000);
    for (mut first, mut second) in all(&trace).into_iter().zip(all(&trace)) {
        assert_eq!(run(&mut *first, &trace), run(&mut *second, &trace), "{}", first.name());
    }
}

#[test]
fn no_policy_destages_fewer_blocks_than_the_optimum() {
    for seed in 0..20 {
        let trace = trace(seed, 3_000);
        let mut models = all(&trace);
        let mut optimum = models.pop().unwrap();
        let best = run(&mut *optimum, &trace).len() as u64 + optimum.len();
        for mut cache in models {
            // The blocks left in the cache must go to the disk too: HALO keeps a few slots free.
            let destages = run(&mut *cache, &trace).len() as u64 + cache.len();
            assert!(destages >= best, "{}: {destages} < {best}", cache.name());
        }
    }
}

/// Every choice of victims, tried out.
fn fewest_destages(cached: &mut Vec<Lbn>, writes: &[Lbn], capacity: usize) -> usize {
    let Some((&lbn, rest)) = writes.split_first() else {
        return 0;
    };
    if cached.contains(&lbn) {
        return fewest_destages(cached, rest, capacity);
    }
    if cached.len() < capacity {
        cached.push(lbn);
        let fewest = fewest_destages(cached, rest, capacity);
        cached.pop();
        return fewest;
    }
    let tries = (0..cached.len()).map(|at| {
        let victim = std::mem::replace(&mut cached[at], lbn);
        let fewest = 1 + fewest_destages(cached, rest, capacity);
        cached[at] = victim;
        fewest
    });
    tries.min().unwrap_or(0)
}

#[test]
fn the_optimum_is_what_trying_out_everything_finds() {
    let mut random = SplitMix64::new(5);
    for _ in 0..200 {
        let writes: Vec<_> = (0..12).map(|_| Lbn(random.below(6))).collect();
        let trace: Vec<_> = writes.iter().map(|&lbn| Access::Write(lbn)).collect();
        let destages = run(&mut Optimum::new(3, &writes), &trace).len();
        assert_eq!(destages, fewest_destages(&mut Vec::new(), &writes, 3), "{writes:?}");
    }
}

fn destages_of(mut cache: impl Replacement, accesses: &[Access]) -> Vec<u64> {
    run(&mut cache, accesses).into_iter().map(|lbn| lbn.0).collect()
}

#[test]
fn lru_lrw_and_fifo_differ_in_what_keeps_a_block() {
    use Access::{Read, Write};
    let trace = [1, 2, 3].map(|block| Write(Lbn(block)));
    let trace = [&trace[..], &[Read(Lbn(1)), Write(Lbn(2)), Write(Lbn(4)), Write(Lbn(5))]].concat();
    assert_eq!(destages_of(RecencyList::fifo(3), &trace), [1, 2]);
    assert_eq!(destages_of(RecencyList::lrw(3), &trace), [1, 3]);
    assert_eq!(destages_of(RecencyList::lru(3), &trace), [3, 1]);
}

#[test]
fn cscan_sweeps_upwards_and_spares_what_was_written_again() {
    let trace = [50, 10, 30, 10, 20, 40, 5].map(|block| Access::Write(Lbn(block)));
    // 10 was written again, so the first victim is 30, then 50, then round to 5's place: 10, spared once.
    assert_eq!(destages_of(CscanLrw::new(3), &trace), [30, 50, 10]);
}

#[test]
fn halo_writes_whole_buckets_in_the_order_of_the_disk() {
    let trace = trace(3, 20_000);
    let settings = DestageSettings::for_slots(CAPACITY);
    let mut cache = Halo::<Growing<halo_core::index::Bucketised>>::new(BLOCKS, CAPACITY, settings, 1);
    let destaged = run(&mut cache, &trace);
    let seeks = destaged.windows(2).filter(|pair| pair[0].bucket() != pair[1].bucket()).count();
    let mut lru = RecencyList::lru(CAPACITY);
    let lru_destaged = run(&mut lru, &trace);
    let lru_seeks = lru_destaged.windows(2).filter(|pair| pair[0].bucket() != pair[1].bucket()).count();
    assert!(seeks * 2 < lru_seeks, "HALO changes region {seeks} times, LRU {lru_seeks} times");
    assert!(destaged.windows(2).all(|pair| pair[0].bucket() != pair[1].bucket() || pair[0] < pair[1]));
}

#[test]
fn an_idle_disk_is_used_once_the_cache_is_well_filled() {
    let settings = DestageSettings::for_slots(CAPACITY);
    let mut cache = Halo::<Growing<halo_core::index::Bucketised>>::new(BLOCKS, CAPACITY, settings, 1);
    let mut destaged = Vec::new();
    for block in 0..80 {
        assert!(!cache.destage_in_background(0.0, &mut destaged));
        cache.begin_request();
        cache.write(Lbn(block * 50), &mut destaged);
    }
    assert!(!cache.destage_in_background(0.5, &mut destaged), "the disk is busy");
    assert!(cache.destage_in_background(0.0, &mut destaged));
    assert!(!destaged.is_empty());
}
