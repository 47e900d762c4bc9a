//! `halo-sim`: replays a trace, or a workload that it makes, and prints a table.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "printing is what a command is for")]

use clap::{Args, Parser, Subcommand};
use halo_sim::trace::{self, BadLines, Format};
use halo_sim::workload::{self, Shape};
use halo_sim::{Policy, Report, Request, Span, concatenate, simulate};
use std::path::PathBuf;
use std::process::ExitCode;

/// Replays block traces through the write cache and what it is compared with.
#[derive(Parser)]
#[command(version)]
struct Command {
    #[command(subcommand)]
    source: Source,
}

#[derive(Subcommand)]
enum Source {
    /// Replay a trace file; `.gz` and `.xz` are unpacked
    Trace {
        /// The file
        file: PathBuf,
        /// How it is written down: spc, msr, cloudphysics, blkparse, ssdsim
        #[arg(long, value_parser = by_name(&Format::NAMES))]
        format: Format,
        /// Leave lines out that cannot be understood, and count them
        #[arg(long)]
        skip_bad_lines: bool,
        #[command(flatten)]
        cache: CacheOptions,
    },
    /// Uniformly random requests
    Random {
        #[command(flatten)]
        shape: ShapeOptions,
        #[command(flatten)]
        cache: CacheOptions,
    },
    /// Requests of which few places have most
    Zipf {
        /// Exponent: the i-th place has a share proportional to i^-SKEW
        #[arg(long, default_value_t = 1.0)]
        skew: f64,
        #[command(flatten)]
        shape: ShapeOptions,
        #[command(flatten)]
        cache: CacheOptions,
    },
    /// Appends to several files in turn, as a mail server makes them
    Appends {
        /// Files
        #[arg(long, default_value_t = 64)]
        streams: u64,
        #[command(flatten)]
        shape: ShapeOptions,
        #[command(flatten)]
        cache: CacheOptions,
    },
}

#[derive(Args)]
struct CacheOptions {
    /// Size of the cache in MiB
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..1_048_576))]
    cache_mib: u32,
    /// Policies, separated by commas: none, halo, lru, fifo, lrw, cscan-lrw, optimum
    #[arg(long, value_delimiter = ',', default_value = "none,halo,lru", value_parser = by_name(&Policy::NAMES))]
    policies: Vec<Policy>,
    /// Also map HALO's writes to a memory of 2 GiB, by each wear levelling scheme
    #[arg(long)]
    wear: bool,
}

#[derive(Args)]
struct ShapeOptions {
    /// Requests
    #[arg(long, default_value_t = 1_000_000)]
    requests: usize,
    /// MiB over which they are spread
    #[arg(long, default_value_t = 6_000, value_parser = clap::value_parser!(u32).range(1..))]
    data_mib: u32,
    /// Share of writes, 0 to 1
    #[arg(long, default_value_t = 1.0, value_parser = share)]
    writes: f64,
    /// Size of a request in KiB, a multiple of 4
    #[arg(long, default_value_t = 4, value_parser = kib_of_request)]
    request_kib: u32,
    /// Seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl ShapeOptions {
    fn shape(&self) -> Shape {
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
        found
            .ok_or_else(|| format!("use one of {}", names.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")))
    }
}

fn share(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| "use a number from 0 to 1".to_owned())
}

fn kib_of_request(text: &str) -> Result<u32, String> {
    let kib = text.parse().ok().filter(|&kib: &u32| kib > 0 && kib.is_multiple_of(4) && kib <= 65_536);
    kib.ok_or_else(|| "use a multiple of 4 up to 65536".to_owned())
}

fn main() -> ExitCode {
    let (mut requests, cache) = match Command::parse().source {
        Source::Trace { file, format, skip_bad_lines, cache } => {
            let bad_lines = if skip_bad_lines { BadLines::Skip } else { BadLines::Refuse };
            match trace::read_file(&file, format, bad_lines) {
                Ok(trace) => {
                    if trace.skipped_lines > 0 {
                        eprintln!("{}: {} lines skipped", file.display(), trace.skipped_lines);
                    }
                    (trace.requests, cache)
                }
                Err(error) => {
                    eprintln!("halo-sim: {error}");
                    return ExitCode::from(2);
                }
            }
        }
        Source::Random { shape, cache } => (workload::random(shape.shape()).collect(), cache),
        Source::Zipf { skew, shape, cache } => (workload::zipf(shape.shape(), skew).collect(), cache),
        Source::Appends { streams, shape, cache } => (workload::appends(shape.shape(), streams).collect(), cache),
    };
    let span = concatenate(&mut requests);
    if span.blocks > halo_core::address::MAX_BLOCKS {
        eprintln!(
            "halo-sim: the devices of the trace have {} MiB together, but 256 TiB is the most",
            span.blocks / 256
        );
        return ExitCode::from(2);
    }
    print_reports(&requests, &span, &cache);
    ExitCode::SUCCESS
}

fn print_reports(requests: &[Request], span: &Span, options: &CacheOptions) {
    println!(
        "{} requests on {} device(s) of {} MiB together; cache of {} MiB",
        requests.len(),
        span.devices,
        span.blocks / 256,
        options.cache_mib
    );
    println!(
        "{:10} {:>9} {:>9} {:>9} {:>12} {:>12} {:>14}",
        "policy", "read hit", "write hit", "traffic", "destaged", "disk reqs", "mean distance"
    );
    for &policy in &options.policies {
        let report = simulate(policy, options.cache_mib * 256, span.blocks, requests, options.wear);
        print_report(policy, &report);
    }
}

fn print_report(policy: Policy, report: &Report) {
    let share = |part: u64, whole: u64| if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
    let name = Policy::NAMES.iter().find(|(_, named)| *named == policy).map_or("", |(name, _)| name);
    println!(
        "{name:10} {:>9.4} {:>9.4} {:>9.4} {:>12} {:>12} {:>14.0}",
        share(report.blocks.read_hits, report.blocks.read),
        share(report.blocks.write_hits, report.blocks.written),
        report.traffic_rate(),
        report.blocks.destaged,
        report.traffic.requests,
        report.traffic.mean_distance_blocks()
    );
    for wear in &report.wear {
        println!(
            "  {:3} life ratio: banks {:.4}, stripes {:.4}; open row hit {:.4}",
            wear.scheme, wear.bank_life_ratio, wear.stripe_life_ratio, wear.row_hit_ratio
        );
    }
}
