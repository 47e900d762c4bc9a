//! Replays of one workload by several policies.

use super::Failure;
use super::options::{
    AppendsOptions, ArrivalOptions, CacheOptions, RandomOptions, StandInOptions, Time, TraceOptions, ZipfOptions,
};
use halo_sim::trace::{self, BadLines};
use halo_sim::workload;
use halo_sim::{
    BlockCounts, Histogram, PcmReport, Policy, Report, Request, Schemes, Setup, TimedReport, Traffic, concatenate,
};
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};

pub(crate) fn trace(options: &TraceOptions) -> Result<(), Failure> {
    let bad_lines = if options.skip_bad_lines { BadLines::Skip } else { BadLines::Refuse };
    let trace = trace::read_file(&options.file, options.format, bad_lines)?;
    if trace.skipped_lines > 0 {
        eprintln!("halo-sim: {}: {} lines skipped", options.file.display(), trace.skipped_lines);
    }
    replay(&options.file.display().to_string(), trace.requests, &options.cache)
}

pub(crate) fn random(options: &RandomOptions) -> Result<(), Failure> {
    made("random", &options.arrival, options.shape.seed, &options.cache, || {
        workload::random(options.shape.shape()).collect()
    })
}

pub(crate) fn zipf(options: &ZipfOptions) -> Result<(), Failure> {
    made("zipf", &options.arrival, options.shape.seed, &options.cache, || {
        workload::zipf(options.shape.shape(), options.skew).collect()
    })
}

pub(crate) fn appends(options: &AppendsOptions) -> Result<(), Failure> {
    made("appends", &options.arrival, options.shape.seed, &options.cache, || {
        workload::appends(options.shape.shape(), options.streams).collect()
    })
}

pub(crate) fn stand_in(options: &StandInOptions) -> Result<(), Failure> {
    let count = options.requests.unwrap_or_else(|| options.workload.requests());
    let name = format!("stand-in for {}", options.workload.name);
    made(&name, &options.arrival, options.seed, &options.cache, || options.workload.generate(count, options.seed))
}

/// Replays requests that are made, and that arrive as asked for.
fn made(
    name: &str,
    arrival: &ArrivalOptions,
    seed: u64,
    options: &CacheOptions,
    make: impl FnOnce() -> Vec<Request>,
) -> Result<(), Failure> {
    match (options.time, arrival.rate) {
        (Time::Open, None) => {
            let message = "requests that are made have no times of their own: with --time open, say by --rate how \
                           many arrive in a second";
            Err(Failure::bad_input(message))
        }
        (Time::None | Time::Closed, Some(_)) => {
            Err(Failure::bad_input("--rate says when requests arrive: use it with --time open, or leave it out"))
        }
        (Time::None | Time::Closed, None) => replay(name, make(), options),
        (Time::Open, Some(per_second)) => {
            let mut requests = make();
            workload::arrive(&mut requests, per_second, seed);
            replay(name, requests, options)
        }
    }
}

/// The result of one policy, with or without time.
struct Outcome {
    policy: Policy,
    blocks: BlockCounts,
    left_blocks: u64,
    traffic: Traffic,
    traffic_rate: f64,
    wear: Vec<PcmReport>,
    timed: Option<TimedReport>,
}

impl Outcome {
    fn counted(policy: Policy, report: Report) -> Self {
        let traffic_rate = report.traffic_rate();
        Self {
            policy,
            blocks: report.blocks,
            left_blocks: report.left_blocks,
            traffic: report.traffic,
            traffic_rate,
            wear: report.wear,
            timed: None,
        }
    }

    fn timed(policy: Policy, report: TimedReport) -> Self {
        Self {
            policy,
            blocks: report.blocks,
            left_blocks: report.left_blocks,
            traffic: report.traffic,
            traffic_rate: report.traffic_rate(),
            wear: report.wear.clone(),
            timed: Some(report),
        }
    }
}

fn replay(name: &str, mut requests: Vec<Request>, options: &CacheOptions) -> Result<(), Failure> {
    let span = concatenate(&mut requests);
    if span.blocks > halo_core::address::MAX_BLOCKS {
        let mib = span.blocks / 256;
        let message = format!("the devices of the trace have {mib} MiB together, but 256 TiB is the most");
        return Err(Failure::bad_input(message));
    }
    if options.time != Time::None && span.blocks * 4096 > options.disk.capacity_bytes {
        let message = format!(
            "the requests reach up to {} MiB, but --disk {} ends at {} MiB: use a greater disk, or --time none",
            span.blocks / 256,
            options.disk.name,
            options.disk.capacity_bytes >> 20
        );
        return Err(Failure::bad_input(message));
    }
    if !options.json {
        println!(
            "{name}: {} requests on {} device(s) of {} MiB together; cache of {} MiB",
            requests.len(),
            span.devices,
            span.blocks / 256,
            options.cache_mib
        );
        print_heading(options.time);
    }
    let mut outcomes = Vec::new();
    for &policy in &options.policies {
        let progress = Progress::new(policy, requests.len());
        let setup = Setup {
            policy,
            cache_blocks: options.cache_mib * 256,
            disk_blocks: span.blocks,
            requests: &requests,
            wear: if options.wear { Schemes::All } else { Schemes::None },
            destaging: options.destaging(),
            watch: &|done| progress.show(done),
        };
        let outcome = match options.time {
            Time::None => Outcome::counted(policy, setup.count()),
            Time::Closed => Outcome::timed(policy, setup.replay_closed(options.disk, usize::from(options.depth))),
            Time::Open => Outcome::timed(policy, setup.replay_open(options.disk)),
        };
        progress.clear();
        if !options.json {
            print_outcome(&outcome, options.wear);
        }
        outcomes.push(outcome);
    }
    if options.json {
        let policies: Vec<Value> = outcomes.iter().map(json_of).collect();
        let whole = json!({
            "workload": name,
            "requests": requests.len(),
            "devices": span.devices,
            "disk_blocks": span.blocks,
            "cache_mib": options.cache_mib,
            "policies": policies,
        });
        println!("{whole:#}");
    }
    Ok(())
}

/// One line on a terminal that says how far a replay is.
struct Progress {
    policy: Policy,
    requests: usize,
    shown: bool,
}

impl Progress {
    fn new(policy: Policy, requests: usize) -> Self {
        Self { policy, requests, shown: std::io::stderr().is_terminal() }
    }

    fn show(&self, done: usize) {
        if self.shown {
            let percent = done * 100 / self.requests.max(1);
            eprint!("\r{}: {done} of {} requests, {percent}%", self.policy.name(), self.requests);
            // A terminal that cannot be written to shows no progress; nothing else is lost.
            let _ = std::io::stderr().flush();
        }
    }

    fn clear(&self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn print_heading(time: Time) {
    print!(
        "{:10} {:>9} {:>9} {:>9} {:>12} {:>12} {:>12} {:>14}",
        "policy", "read hit", "write hit", "traffic", "destaged", "left", "disk reqs", "mean dist. KiB"
    );
    match time {
        Time::None => println!(),
        Time::Closed => println!(" {:>11} {:>10} {:>10}", "seconds", "disk ms", "disk MB/s"),
        Time::Open => println!(" {:>11} {:>10} {:>10} {:>10}", "seconds", "disk ms", "mean ms", "p99 ms"),
    }
}

fn print_outcome(outcome: &Outcome, wear: bool) {
    print!(
        "{:10} {:>9.4} {:>9.4} {:>9.4} {:>12} {:>12} {:>12} {:>14.0}",
        outcome.policy.name(),
        share(outcome.blocks.read_hits, outcome.blocks.read),
        share(outcome.blocks.write_hits, outcome.blocks.written),
        outcome.traffic_rate,
        outcome.blocks.destaged,
        outcome.left_blocks,
        outcome.traffic.requests,
        outcome.traffic.mean_distance_blocks() * 4.0
    );
    if let Some(timed) = &outcome.timed {
        let seconds = timed.execution_nanos as f64 / 1e9;
        print!(" {seconds:>11.3} {:>10.3}", timed.disk_response.mean_nanos() / 1e6);
        if timed.host_response.count() == 0 {
            print!(" {:>10.2}", timed.disk_bytes_per_second() / 1e6);
        } else {
            let host = &timed.host_response;
            print!(" {:>10.3} {:>10.3}", host.mean_nanos() / 1e6, host.quantile_nanos(0.99) as f64 / 1e6);
        }
    }
    println!();
    for each in outcome.wear.iter().filter(|_| wear) {
        println!(
            "  {:3} life ratio: banks {:.4}, stripes {:.4}; open row hit {:.4}; {} stripes moved; memory busy {:.3} s",
            each.scheme,
            each.bank_life_ratio,
            each.stripe_life_ratio,
            each.row_hit_ratio,
            each.moved_stripes,
            each.busy_nanos as f64 / 1e9
        );
    }
}

fn json_of(outcome: &Outcome) -> Value {
    let wear: Vec<Value> = outcome
        .wear
        .iter()
        .map(|each| {
            json!({
                "scheme": each.scheme,
                "bank_life_ratio": each.bank_life_ratio,
                "stripe_life_ratio": each.stripe_life_ratio,
                "row_hit_ratio": each.row_hit_ratio,
                "moved_stripes": each.moved_stripes,
                "busy_seconds": each.busy_nanos as f64 / 1e9,
            })
        })
        .collect();
    let mut value = json!({
        "policy": outcome.policy.name(),
        "read_blocks": outcome.blocks.read,
        "read_hit_blocks": outcome.blocks.read_hits,
        "written_blocks": outcome.blocks.written,
        "write_hit_blocks": outcome.blocks.write_hits,
        "destaged_blocks": outcome.blocks.destaged,
        "left_blocks": outcome.left_blocks,
        "traffic_rate": outcome.traffic_rate,
        "disk_requests": outcome.traffic.requests,
        "mean_distance_kib": outcome.traffic.mean_distance_blocks() * 4.0,
        "wear": wear,
    });
    if let (Some(timed), Some(fields)) = (&outcome.timed, value.as_object_mut()) {
        fields.insert("execution_seconds".to_owned(), json!(timed.execution_nanos as f64 / 1e9));
        fields.insert("disk_megabytes_per_second".to_owned(), json!(timed.disk_bytes_per_second() / 1e6));
        fields.insert("disk_response".to_owned(), json_of_times(&timed.disk_response));
        fields.insert("host_response".to_owned(), json_of_times(&timed.host_response));
    }
    value
}

fn json_of_times(times: &Histogram) -> Value {
    json!({
        "count": times.count(),
        "mean_ms": times.mean_nanos() / 1e6,
        "p50_ms": times.quantile_nanos(0.5) as f64 / 1e6,
        "p99_ms": times.quantile_nanos(0.99) as f64 / 1e6,
        "max_ms": times.max_nanos() as f64 / 1e6,
    })
}
