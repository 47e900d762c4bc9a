//! How many requests per second a replay gets through.

use super::Failure;
use super::options::{MOST_REQUESTS, exponent, number};
use clap::Args;
use halo_core::address::MAX_BLOCKS;
use halo_sim::workload::{self, Shape};
use halo_sim::{Destaging, Policy, Request, Schemes, Setup};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct BenchOptions {
    /// Requests
    #[arg(long, default_value_t = 5_000_000, value_parser = number::<usize>(1..=MOST_REQUESTS))]
    requests: usize,
    /// Blocks of 4 KiB over which they are spread
    #[arg(long, default_value_t = 1 << 20, value_parser = number::<u64>(1..=MAX_BLOCKS))]
    blocks: u64,
    /// Blocks of the cache
    #[arg(long, default_value_t = 1 << 16, value_parser = number::<u32>(1..=268_435_455))]
    cache_blocks: u32,
    /// Exponent of Zipf's law
    #[arg(long, default_value_t = 1.0, value_parser = exponent)]
    skew: f64,
    /// Repetitions; the fastest counts
    #[arg(long, default_value_t = 3, value_parser = number::<u32>(1..=1000))]
    repeat: u32,
    /// Also write the requests there, in libCacheSim's format `oracleGeneral`, and time nothing
    #[arg(long)]
    export: Option<PathBuf>,
    /// lru, halo, or halo-wear: HALO with phase change memory and its wear levelling by the curve
    #[arg(long, default_value = "lru,halo,halo-wear", value_delimiter = ',', value_parser = ["lru", "halo", "halo-wear"])]
    policies: Vec<String>,
}

/// Always JSON: a script reads it.
pub(crate) fn bench(options: &BenchOptions) -> Result<(), Failure> {
    let shape =
        Shape { requests: options.requests, blocks: options.blocks, write_share: 1.0, blocks_per_request: 1, seed: 1 };
    let requests: Vec<Request> = workload::zipf(shape, options.skew).collect();
    if let Some(file) = &options.export {
        return export(file, &requests)
            .map_err(|error| Failure::state(format!("--export {}: {error}", file.display())));
    }
    let results: Vec<Value> = options.policies.iter().map(|policy| time(policy, options, &requests)).collect();
    println!("{:#}", json!({ "requests": requests.len(), "results": results }));
    Ok(())
}

fn time(name: &str, options: &BenchOptions, requests: &[Request]) -> Value {
    let (policy, wear) = match name {
        "lru" => (Policy::Lru, Schemes::None),
        "halo" => (Policy::Halo, Schemes::None),
        _ => (Policy::Halo, Schemes::Curve),
    };
    let setup = Setup {
        policy,
        cache_blocks: options.cache_blocks,
        disk_blocks: options.blocks,
        requests,
        wear,
        destaging: Destaging::default(),
        watch: &|_| {},
    };
    let mut fastest_seconds = f64::INFINITY;
    let mut misses = 0;
    for _ in 0..options.repeat {
        let start_seconds = thread_seconds();
        let report = setup.count();
        fastest_seconds = fastest_seconds.min(thread_seconds() - start_seconds);
        misses = report.blocks.written - report.blocks.write_hits;
    }
    json!({
        "policy": name,
        "misses": misses,
        "miss_ratio": misses as f64 / requests.len() as f64,
        "cpu_seconds": fastest_seconds,
        "requests_per_second": requests.len() as f64 / fastest_seconds,
    })
}

/// Processor time of this thread: other work on the machine disturbs it less than wall time.
fn thread_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// libCacheSim's `oracleGeneral`: time (32 bits), object (64), size (32), next access (64), little-endian. Every object has size
/// 1, so that its cache counts objects; the next access is left out (-1), which LRU does not ask for.
fn export(file: &Path, requests: &[Request]) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    for (number, request) in (0_u32..).zip(requests) {
        out.write_all(&number.to_le_bytes())?;
        out.write_all(&(request.offset_bytes / 4096 + 1).to_le_bytes())?;
        out.write_all(&1_u32.to_le_bytes())?;
        out.write_all(&(-1_i64).to_le_bytes())?;
    }
    out.flush()
}
