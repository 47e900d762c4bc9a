//! Options that several commands share.

use clap::{Args, ValueEnum};
use halo_core::{DueSettings, Period};
use halo_disk::Profile;
use halo_sim::stand_in::StandIn;
use halo_sim::trace::Format;
use halo_sim::workload::Shape;
use halo_sim::{Destaging, Policy};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

/// They are kept in memory, 32 bytes each.
pub(crate) const MOST_REQUESTS: usize = 1_000_000_000;

#[derive(Args)]
pub(crate) struct TraceOptions {
    /// The file
    pub(crate) file: PathBuf,
    /// How it is written down: spc, msr, cloudphysics, blkparse, ssdsim
    #[arg(long, value_parser = by_name(&Format::NAMES))]
    pub(crate) format: Format,
    /// Leave lines out that cannot be understood, and count them
    #[arg(long)]
    pub(crate) skip_bad_lines: bool,
    #[command(flatten)]
    pub(crate) cache: CacheOptions,
}

#[derive(Args)]
pub(crate) struct RandomOptions {
    #[command(flatten)]
    pub(crate) shape: ShapeOptions,
    #[command(flatten)]
    pub(crate) arrival: ArrivalOptions,
    #[command(flatten)]
    pub(crate) cache: CacheOptions,
}

#[derive(Args)]
pub(crate) struct ZipfOptions {
    /// Exponent: the i-th place has a share proportional to i^-SKEW
    #[arg(long, default_value_t = 1.0, value_parser = exponent)]
    pub(crate) skew: f64,
    #[command(flatten)]
    pub(crate) shape: ShapeOptions,
    #[command(flatten)]
    pub(crate) arrival: ArrivalOptions,
    #[command(flatten)]
    pub(crate) cache: CacheOptions,
}

#[derive(Args)]
pub(crate) struct AppendsOptions {
    /// Files
    #[arg(long, default_value_t = 64, value_parser = number::<u64>(1..=1_000_000))]
    pub(crate) streams: u64,
    #[command(flatten)]
    pub(crate) shape: ShapeOptions,
    #[command(flatten)]
    pub(crate) arrival: ArrivalOptions,
    #[command(flatten)]
    pub(crate) cache: CacheOptions,
}

#[derive(Args)]
pub(crate) struct StandInOptions {
    /// Fin1, Fin2, Dap, Exchange, TPC-E, Mail or Randw
    #[arg(value_parser = stand_in_named)]
    pub(crate) workload: StandIn,
    /// Requests (default: as many as the paper's tables imply)
    #[arg(long, value_parser = number::<usize>(1..=MOST_REQUESTS))]
    pub(crate) requests: Option<usize>,
    /// Seed
    #[arg(long, default_value_t = 1, value_parser = number::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) arrival: ArrivalOptions,
    #[command(flatten)]
    pub(crate) cache: CacheOptions,
}

#[derive(Args)]
pub(crate) struct ArrivalOptions {
    /// Requests that arrive in a second, at random times; needed with --time open, and only there
    #[arg(long, value_name = "PER_SECOND", value_parser = number::<u32>(1..=1_000_000))]
    pub(crate) rate: Option<u32>,
}

/// How time passes in a replay.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Time {
    /// No time: counts only
    None,
    /// The disk always has as many requests as --depth says
    Closed,
    /// Requests arrive when the trace, or --rate, says so
    Open,
}

#[derive(Args)]
pub(crate) struct CacheOptions {
    /// Size of the cache in MiB
    #[arg(long, default_value_t = 512, value_parser = number::<u32>(1..=1_048_575))]
    pub(crate) cache_mib: u32,
    /// Policies, separated by commas: none, halo, halo-split, lru, fifo, lrw, cscan-lrw, optimum
    #[arg(long, value_delimiter = ',', default_value = "none,halo,lru", value_parser = by_name(&Policy::NAMES))]
    pub(crate) policies: Vec<Policy>,
    /// Also map the accesses to the cache to a phase change memory of 2 GiB, by each wear levelling scheme; with --time open by the space
    /// filling curve alone
    #[arg(long)]
    pub(crate) wear: bool,
    /// How time passes
    #[arg(long, value_enum, default_value_t = Time::None)]
    pub(crate) time: Time,
    /// The disk: enterprise, enterprise-8t, desktop, consumer
    #[arg(long, default_value = "desktop", value_parser = profile)]
    pub(crate) disk: Profile,
    /// Requests that the disk has at a time, with --time closed
    #[arg(long, default_value_t = 1, value_parser = number::<u16>(1..=1024))]
    pub(crate) depth: u16,
    /// As of `halo serve`: HALO writes everything to the disk when nothing was written for this long, and the disk has time; or off. With
    /// --time open
    #[arg(long, allow_hyphen_values = true, default_value = "5s", value_name = "TIME")]
    pub(crate) idle_after: Period,
    /// As of `halo serve`: HALO writes blocks to the disk before they have been dirty for this long; or off. With --time open
    #[arg(long, allow_hyphen_values = true, default_value = "10m", value_name = "TIME")]
    pub(crate) max_dirty_age: Period,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl CacheOptions {
    pub(crate) fn destaging(&self) -> Destaging {
        let due = DueSettings { idle_after: self.idle_after.0, max_dirty_age: self.max_dirty_age.0 };
        Destaging { due, ..Destaging::default() }
    }
}

#[derive(Args)]
pub(crate) struct ShapeOptions {
    /// Requests
    #[arg(long, default_value_t = 1_000_000, value_parser = number::<usize>(1..=MOST_REQUESTS))]
    requests: usize,
    /// MiB over which they are spread; zipf leaves up to half of the places out
    #[arg(long, default_value_t = 6_000, value_parser = number::<u32>(1..=u32::MAX))]
    data_mib: u32,
    /// Share of writes: a number from 0 to 1, or a percentage as in 85%
    #[arg(long, default_value = "100%", allow_hyphen_values = true, value_parser = share)]
    writes: f64,
    /// Size of a request in KiB, a multiple of 4
    #[arg(long, default_value_t = 4, value_parser = kib_of_request)]
    request_kib: u32,
    /// Seed
    #[arg(long, default_value_t = 1, value_parser = number::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
}

impl ShapeOptions {
    pub(crate) fn shape(&self) -> Shape {
        Shape {
            requests: self.requests,
            blocks: u64::from(self.data_mib) * 256,
            write_share: self.writes,
            blocks_per_request: self.request_kib / 4,
            seed: self.seed,
        }
    }
}

fn by_name<T: Copy + Send + Sync + 'static>(
    names: &'static [(&'static str, T)],
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    move |wanted| {
        let found = names.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value);
        found.ok_or_else(|| use_one_of(names.iter().map(|(name, _)| *name)))
    }
}

fn use_one_of<'a>(names: impl Iterator<Item = &'a str>) -> String {
    format!("use one of {}", names.collect::<Vec<_>>().join(", "))
}

pub(crate) fn profile(name: &str) -> Result<Profile, String> {
    Profile::named(name).ok_or_else(|| use_one_of(Profile::ALL.iter().map(|profile| profile.name)))
}

pub(crate) fn stand_in_named(name: &str) -> Result<StandIn, String> {
    StandIn::named(name).ok_or_else(|| use_one_of(halo_sim::stand_in::ALL.iter().map(|each| each.name)))
}

fn share(text: &str) -> Result<f64, String> {
    let (number, whole) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
    let share = number.trim().parse().ok().map(|number: f64| number / whole);
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "use a number from 0 to 1, or a percentage from 0% to 100%".to_owned())
}

pub(crate) fn exponent(text: &str) -> Result<f64, String> {
    let skew = text.parse().ok().filter(|skew: &f64| (0.0..=10.0).contains(skew));
    skew.ok_or_else(|| "use a number from 0 to 10".to_owned())
}

/// Reads a whole number of a range. The type is that of the option's field: clap compares them when the command runs.
pub(crate) fn number<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("use a whole number from {} to {}", range.start(), range.end()))
    }
}

fn kib_of_request(text: &str) -> Result<u32, String> {
    let kib = text.parse().ok().filter(|&kib: &u32| kib > 0 && kib.is_multiple_of(4) && kib <= 65_536);
    kib.ok_or_else(|| "use a multiple of 4 up to 65536".to_owned())
}
