//! The comparison when one assumption about the stand-ins changes.
//!
//! Each variant changes one thing and is run like the paper's evaluation; workloads that it does not concern keep the result of
//! the unchanged run. Nothing is chosen so that a printed number comes out. Start with [`VARIANTS`].

use super::experiments::{Choices, Tell, geometric_mean, mean};
use crate::histogram::Histogram;
use crate::policy::{Destaging, Policy};
use crate::request::Request;
use crate::simulation::{Schemes, Setup};
use crate::stand_in::{Pattern, Popularity, StandIn};
use crate::workload::arrive;
use halo_core::DueSettings;
use halo_disk::Profile;

/// The changed assumption.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Change {
    /// Nothing: as in the comparison with the paper.
    Nothing,
    /// Exponent of Zipf's law.
    Skew(f64),
    /// KiB of neighbours that are popular together.
    ExtentKib(u64),
    /// The pattern of one workload.
    Pattern(&'static str, Pattern),
    /// GiB of the dataset of one workload.
    Dataset(&'static str, f64),
    /// All datasets that many times as large.
    Datasets(f64),
    /// The disk.
    Disk(Profile),
    /// Requests that the disk has at a time.
    Depth(usize),
    /// HALO's thresholds of destaging.
    Destaging(Destaging),
    /// Seed.
    Seed(u64),
}

/// Assumption, its value, and how it is made.
pub type Variant = (&'static str, &'static str, Change);

const ZIPF_OF_DAP: Pattern = Pattern::Popular(Popularity::USUAL);

/// All variants, the unchanged one first. Own: ranges that somebody else could have assumed as well.
pub const VARIANTS: [Variant; 24] = [
    ("as in the comparison", "", Change::Nothing),
    ("skew of Fin1, Fin2, Exchange, TPC-E", "0.6", Change::Skew(0.6)),
    ("", "0.8", Change::Skew(0.8)),
    ("", "1.2", Change::Skew(1.2)),
    ("popular together", "4 KiB", Change::ExtentKib(4)),
    ("", "1 MiB", Change::ExtentKib(1024)),
    ("datasets", "half", Change::Datasets(0.5)),
    ("", "twice", Change::Datasets(2.0)),
    ("Randw spread over", "5.9 GB, as printed", Change::Dataset("Randw", 5.9)),
    ("", "the whole disk", Change::Dataset("Randw", 460.0)),
    ("Mail appends to", "1 file", Change::Pattern("Mail", Pattern::Appends { streams: 1 })),
    ("", "1024 files", Change::Pattern("Mail", Pattern::Appends { streams: 1024 })),
    ("Dap", "Zipf's law, as the others", Change::Pattern("Dap", ZIPF_OF_DAP)),
    ("disk", "enterprise", Change::Disk(Profile::ENTERPRISE)),
    ("requests at the disk", "32", Change::Depth(32)),
    ("TH_BCOUNTS (16 blocks)", "4 blocks", blocks_above_average(4)),
    ("", "64 blocks", blocks_above_average(64)),
    ("TH_RECENCY (1/8 of the slots)", "1/32", age_in_slots(1.0 / 32.0)),
    ("", "1/2", age_in_slots(0.5)),
    ("OD_RECENCY (4 times the slots)", "1", old_age_in_slots(1.0)),
    ("", "16", old_age_in_slots(16.0)),
    ("destages on demand (95% full)", "80%", full_at(0.80)),
    ("", "99%", full_at(0.99)),
    ("seed", "2", Change::Seed(2)),
];

const USUAL: Destaging = Destaging {
    count_threshold_blocks: None,
    age_threshold_slots: None,
    old_age_slots: None,
    on_demand_utilisation: None,
    due: DueSettings::USUAL,
};

const fn blocks_above_average(blocks: u32) -> Change {
    Change::Destaging(Destaging { count_threshold_blocks: Some(blocks), ..USUAL })
}

const fn age_in_slots(share: f64) -> Change {
    Change::Destaging(Destaging { age_threshold_slots: Some(share), ..USUAL })
}

const fn old_age_in_slots(share: f64) -> Change {
    Change::Destaging(Destaging { old_age_slots: Some(share), ..USUAL })
}

const fn full_at(share: f64) -> Change {
    Change::Destaging(Destaging { on_demand_utilisation: Some(share), ..USUAL })
}

impl Change {
    /// The workload and how it is run; nothing when the change does not concern it.
    fn apply(self, usual: StandIn) -> Option<(StandIn, Choices)> {
        let choices = Choices::default();
        let popular = matches!(usual.pattern, Pattern::Popular(_));
        let gib = |gib: f64| (gib * (1_u64 << 30) as f64) as u64;
        let popularity = |popularity| (usual.with_popularity(popularity), choices);
        match self {
            Self::Nothing => Some((usual, choices)),
            Self::Skew(skew) => popular.then(|| popularity(Popularity { skew, ..Popularity::USUAL })),
            Self::ExtentKib(kib) => {
                popular.then(|| popularity(Popularity { extent_blocks: kib / 4, ..Popularity::USUAL }))
            }
            Self::Pattern(name, pattern) => (usual.name == name).then_some((StandIn { pattern, ..usual }, choices)),
            Self::Dataset(name, size_gib) => {
                (usual.name == name).then(|| (StandIn { dataset_bytes: gib(size_gib), ..usual }, choices))
            }
            Self::Datasets(factor) => {
                let dataset_bytes = (usual.dataset_bytes as f64 * factor) as u64;
                Some((StandIn { dataset_bytes, ..usual }, choices))
            }
            Self::Disk(disk) => Some((usual, Choices { disk, ..choices })),
            Self::Depth(depth) => Some((usual, Choices { depth, ..choices })),
            Self::Destaging(destaging) => Some((usual, Choices { destaging, ..choices })),
            Self::Seed(seed) => Some((usual, Choices { seed, ..choices })),
        }
    }
}

/// The result for one workload: HALO over LRU.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Ratios {
    execution: f64,
    disk_response: f64,
    traffic: f64,
}

/// One variant's line of the table; percent.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The changed assumption.
    pub variant: Variant,
    /// Less execution time than LRU, by workload.
    pub less_time: Vec<f64>,
    /// Their mean: the paper prints 36.8.
    pub mean_less_time: f64,
    /// Better response of the disk's requests, geometric mean: the paper prints 40.1.
    pub better_disk_response: f64,
    /// Less time of the disk for each request of the trace, geometric mean.
    pub better_time_per_request: f64,
    /// Fewer blocks that the disk reads or writes, geometric mean.
    pub less_traffic: f64,
}

/// Runs `variants`, of which the first must be the unchanged one.
pub fn run(variants: &[Variant], workloads: &[StandIn], tell: Tell) -> Vec<Row> {
    let mut usual = Vec::new();
    let mut rows = Vec::new();
    for &variant in variants {
        let (assumption, value, change) = variant;
        let mut ratios = Vec::new();
        for (index, workload) in workloads.iter().enumerate() {
            ratios.push(match (change.apply(*workload), usual.get(index)) {
                (None, Some(&unchanged)) => unchanged,
                (applied, _) => {
                    tell(&format!("{assumption} {value}: {}", workload.name));
                    let (workload, choices) = applied.unwrap_or((*workload, Choices::default()));
                    compare(&workload, &choices)
                }
            });
        }
        let less_time: Vec<f64> = ratios.iter().map(|each| less(each.execution)).collect();
        let geometric = |ratio: fn(&Ratios) -> f64| less(geometric_mean(&ratios.iter().map(ratio).collect::<Vec<_>>()));
        rows.push(Row {
            variant,
            mean_less_time: mean(&less_time),
            less_time,
            better_disk_response: geometric(|each| each.disk_response),
            better_time_per_request: geometric(|each| each.execution),
            less_traffic: geometric(|each| each.traffic),
        });
        if usual.is_empty() {
            usual = ratios;
        }
    }
    rows
}

fn less(ratio: f64) -> f64 {
    (1.0 - ratio) * 100.0
}

fn setup<'a>(workload: &StandIn, policy: Policy, requests: &'a [Request], wear: Schemes) -> Setup<'a> {
    super::experiments::setup(workload, policy, workload.cache_mib, requests, wear)
}

fn compare(workload: &StandIn, choices: &Choices) -> Ratios {
    let requests = workload.generate(workload.requests(), choices.seed);
    let run = |policy| {
        let setup = setup(workload, policy, &requests, Schemes::None);
        Setup { destaging: choices.destaging, ..setup }.replay_closed(choices.disk, choices.depth)
    };
    let (lru, halo) = (run(Policy::Lru), run(Policy::Halo));
    Ratios {
        execution: halo.execution_nanos as f64 / lru.execution_nanos as f64,
        disk_response: halo.disk_response.mean_nanos() / lru.disk_response.mean_nanos(),
        traffic: halo.traffic_rate() / lru.traffic_rate(),
    }
}

/// Life ratios for one assumption about the cache device, means of the workloads.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WearRow {
    /// Writes to a rotation between two of its moves.
    pub move_interval_writes: u32,
    /// Writes that a block of 4 KiB counts as.
    pub writes_per_block: u32,
    /// Size of the cache; nothing: as in the comparison.
    pub cache_mib: Option<u32>,
    /// SFC, RR, SG, moves counted as writes.
    pub life_ratios: [f64; 3],
    /// SFC, RR, SG, as if moves wrote nothing.
    pub life_ratios_without_moves: [f64; 3],
    /// Stripes moved for each 100 blocks written by the space filling curve's rotations.
    pub moves_per_100_blocks: f64,
}

/// Lines of 64 bytes, which the source of the interval counts, in a block.
const LINES_PER_BLOCK: u32 = 64;

/// Intervals, writes per block and cache sizes of [`run_wear`].
pub const WEAR: [(u32, u32, Option<u32>); 8] = [
    (100, 1, None),
    (100, LINES_PER_BLOCK, None),
    (10, 1, None),
    (1, 1, None),
    (1000, 1, None),
    (100, 1, Some(256)),
    (100, LINES_PER_BLOCK, Some(256)),
    (1, 1, Some(256)),
];

/// The wear of the cache device under other assumptions.
pub fn run_wear(workloads: &[StandIn], tell: Tell) -> Vec<WearRow> {
    let seed = Choices::default().seed;
    let mut ratios = vec![[vec![], vec![], vec![]]; WEAR.len()];
    let mut without_moves = ratios.clone();
    let mut moves = vec![vec![]; WEAR.len()];
    for workload in workloads {
        let requests = workload.generate(workload.requests(), seed);
        for (index, (interval_writes, writes_per_block, cache_mib)) in WEAR.into_iter().enumerate() {
            tell(&format!(
                "wear: {}, a move every {interval_writes} writes, {writes_per_block} a block",
                workload.name
            ));
            let workload = StandIn { cache_mib: cache_mib.unwrap_or(workload.cache_mib), ..*workload };
            let schemes = Schemes::AllMoving { interval_writes, writes_per_block };
            let report = setup(&workload, Policy::Halo, &requests, schemes).count();
            for wear in &report.wear {
                let Some(at) = ["SFC", "RR", "SG"].iter().position(|name| *name == wear.scheme) else { continue };
                ratios[index][at].push(wear.bank_life_ratio);
                without_moves[index][at].push(wear.bank_life_ratio_without_moves);
                if at == 0 {
                    let accesses = (report.blocks.written + report.blocks.read_hits).max(1);
                    moves[index].push(wear.moved_stripes as f64 * 100.0 / accesses as f64);
                }
            }
        }
    }
    let row =
        |(index, (move_interval_writes, writes_per_block, cache_mib)): (usize, (u32, u32, Option<u32>))| WearRow {
            move_interval_writes,
            writes_per_block,
            cache_mib,
            life_ratios: [0, 1, 2].map(|scheme: usize| mean(&ratios[index][scheme])),
            life_ratios_without_moves: [0, 1, 2].map(|scheme: usize| mean(&without_moves[index][scheme])),
            moves_per_100_blocks: mean(&moves[index]),
        };
    WEAR.into_iter().enumerate().map(row).collect()
}

/// Requests per second of [`run_arrivals`]. Own: the disk alone manages about 120 random requests a second.
pub const ARRIVALS: [u32; 3] = [20, 60, 100];

/// Requests that are enough for a mean when they come at their own pace.
const ARRIVING_REQUESTS: usize = 400_000;

/// Requests that arrive at random times instead of one by one: by how much the mean response of a request of the trace is better
/// than with LRU, in percent; for each rate by workload.
pub fn run_arrivals(workloads: &[StandIn], tell: Tell) -> Vec<(u32, Vec<f64>)> {
    let choices = Choices::default();
    let better = |per_second: u32, workload: &StandIn| {
        tell(&format!("{per_second} requests a second: {}", workload.name));
        let count = workload.requests().min(ARRIVING_REQUESTS);
        // A cache that is smaller by as much as the run is shorter is as full at its end.
        let share = count as f64 / workload.requests() as f64;
        let workload = StandIn {
            cache_mib: ((f64::from(workload.cache_mib) * share) as u32).max(1),
            dataset_bytes: (workload.dataset_bytes as f64 * share) as u64,
            ..*workload
        };
        let mut requests = workload.generate(count, choices.seed);
        arrive(&mut requests, per_second, choices.seed);
        let response =
            |policy| setup(&workload, policy, &requests, Schemes::None).replay_open(choices.disk).host_response;
        let (lru, halo): (Histogram, Histogram) = (response(Policy::Lru), response(Policy::Halo));
        less(halo.mean_nanos() / lru.mean_nanos())
    };
    ARRIVALS.into_iter().map(|rate| (rate, workloads.iter().map(|workload| better(rate, workload)).collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stand_in;

    #[test]
    fn a_change_moves_the_workloads_that_it_concerns_and_no_others() {
        let small = |name| {
            let workload = StandIn::named(name)?;
            Some(StandIn { bank_writes: 4000, cache_mib: 4, dataset_bytes: 64 << 20, ..workload })
        };
        let workloads: Vec<_> = ["Fin1", "Mail"].into_iter().filter_map(small).collect();
        let variants = [VARIANTS[0], ("skew", "0.2", Change::Skew(0.2)), ("seed", "2", Change::Seed(2))];
        let rows = run(&variants, &workloads, &|_| ());
        let percents = |row: &Row| [0, 1].map(|workload| row.less_time[workload].to_bits());
        let [usual, skewed, seeded] = [&rows[0], &rows[1], &rows[2]].map(percents);
        assert!(usual[0] != skewed[0] && usual[1] == skewed[1], "{rows:?}");
        assert!(usual[0] != seeded[0] && usual[1] != seeded[1], "{rows:?}");
    }

    #[test]
    fn every_variant_but_the_first_changes_some_workload() {
        for (assumption, value, change) in &VARIANTS[1..] {
            let changes = |workload: &StandIn| {
                change.apply(*workload).is_some_and(|applied| applied != (*workload, Choices::default()))
            };
            assert!(stand_in::ALL.iter().any(changes), "{assumption} {value}");
        }
    }

    #[test]
    fn requests_arrive_at_the_rate_that_was_asked_for() {
        let Some(workload) = StandIn::named("Randw") else { panic!("a workload of Table 3.2") };
        let mut requests = workload.generate(20_000, 1);
        arrive(&mut requests, 50, 1);
        let seconds = requests.last().map_or(0.0, |last| last.at_nanos as f64 / 1e9);
        assert!((seconds / 400.0 - 1.0).abs() < 0.05, "{seconds}");
        assert!(requests.is_sorted_by_key(|request| request.at_nanos));
    }
}
