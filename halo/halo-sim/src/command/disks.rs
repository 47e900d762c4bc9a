//! The disk model by itself: against measured disks, and in simple cases.

use super::Failure;
use clap::Args;
use halo_core::SplitMix64;
use halo_disk::{Disk, Operation, Profile, Request};
use halo_sim::calibrate::disks::ValidationDisk;
use halo_sim::calibrate::{Validation, read_measured, validate};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct CalibrateOptions {
    /// Folder with traces named after their disks, as in `barracuda.trace.xz`
    folder: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn calibrate(options: &CalibrateOptions) -> Result<(), Failure> {
    let folder = options.folder.display();
    let entries = fs::read_dir(&options.folder)
        .map_err(|error| Failure::state(format!("{folder}: {error}: name a folder of validation traces")))?;
    let unread = |error| Failure::state(format!("{folder}: {error}"));
    let mut files = entries.map(|entry| Ok(entry.map_err(unread)?.path())).collect::<Result<Vec<_>, Failure>>()?;
    files.sort();
    let mut validations = Vec::new();
    for file in &files {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if let Some(disk) = ValidationDisk::of_trace(&name) {
            validations.push(validate(disk, &read_measured(file, &disk)?));
        }
    }
    if validations.is_empty() {
        return Err(Failure::bad_input(format!("{folder}: no trace in it is named after a disk that is known")));
    }
    if options.json {
        let all: Vec<Value> = validations.iter().map(json_of).collect();
        println!("{:#}", json!(all));
    } else {
        print_table(&validations);
    }
    Ok(())
}

fn print_table(validations: &[Validation]) {
    println!(
        "{:34} {:>8} {:>11} {:>9} {:>11} {:>9} {:>15}",
        "disk", "requests", "measured ms", "model ms", "demerit ms", "demerit %", "DiskSim's own ms"
    );
    for each in validations {
        let disksim = disksim_millis(each).map_or_else(|| "-".to_owned(), |millis| format!("{millis:.3}"));
        println!(
            "{:34} {:>8} {:>11.2} {:>9.2} {:>11.3} {:>9.1} {disksim:>15}",
            each.disk.product,
            each.requests,
            each.measured_mean_millis,
            each.model_mean_millis,
            each.demerit_millis,
            each.demerit_percent()
        );
    }
}

fn disksim_millis(each: &Validation) -> Option<f64> {
    each.disk.disksim_demerit_micros.map(|micros| f64::from(micros) / 1e3)
}

fn json_of(each: &Validation) -> Value {
    json!({
        "disk": each.disk.product,
        "trace": each.disk.trace,
        "requests": each.requests,
        "measured_mean_ms": each.measured_mean_millis,
        "model_mean_ms": each.model_mean_millis,
        "demerit_ms": each.demerit_millis,
        "demerit_percent": each.demerit_percent(),
        "disksim_demerit_ms": disksim_millis(each),
    })
}

#[derive(Args)]
pub(crate) struct DisksOptions {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The figures of a profile in simple cases.
struct Figures {
    read_millis: f64,
    reads_per_second_32: f64,
    writes_per_second: f64,
    write_flush_millis: f64,
    sequential_read: f64,
    sequential_write: f64,
    /// After 10 and 100 scattered writes.
    flush_millis: [f64; 2],
}

pub(crate) fn disks(options: &DisksOptions) {
    let all: Vec<(Profile, Figures)> = Profile::ALL.into_iter().map(|profile| (profile, figures(profile))).collect();
    if options.json {
        let all: Vec<Value> = all.iter().map(|(profile, figures)| json_of_figures(profile, figures)).collect();
        println!("{:#}", json!(all));
        return;
    }
    println!(
        "{:14} {:>8} {:>12} {:>10} {:>12} {:>10} {:>11} {:>9} {:>10}",
        "profile",
        "read ms",
        "reads/s, 32",
        "writes/s",
        "write+flush",
        "read MB/s",
        "write MB/s",
        "flush 10",
        "flush 100"
    );
    for (profile, each) in &all {
        println!(
            "{:14} {:>8.2} {:>12.0} {:>10.0} {:>9.1} ms {:>10.0} {:>11.0} {:>6.0} ms {:>7.0} ms",
            profile.name,
            each.read_millis,
            each.reads_per_second_32,
            each.writes_per_second,
            each.write_flush_millis,
            each.sequential_read,
            each.sequential_write,
            each.flush_millis[0],
            each.flush_millis[1]
        );
    }
}

fn json_of_figures(profile: &Profile, figures: &Figures) -> Value {
    json!({
        "profile": profile.name,
        "random_read_ms": figures.read_millis,
        "random_reads_per_second_depth_32": figures.reads_per_second_32,
        "random_writes_per_second": figures.writes_per_second,
        "random_write_and_flush_ms": figures.write_flush_millis,
        "sequential_read_megabytes_per_second": figures.sequential_read,
        "sequential_write_megabytes_per_second": figures.sequential_write,
        "flush_after_10_writes_ms": figures.flush_millis[0],
        "flush_after_100_writes_ms": figures.flush_millis[1],
    })
}

fn figures(profile: Profile) -> Figures {
    use Operation::{Read, Write};
    const LONG: u64 = 1024;
    let random = |operation, count, depth| seconds(profile, depth, &scattered(&profile, operation, count));
    let sequential = |operation| {
        let requests: Vec<Request> = (0..2000).map(|id| request(id, operation, id * LONG, LONG)).collect();
        2000.0 * LONG as f64 * 512.0 / 1e6 / seconds(profile, 1, &requests)
    };
    let flushed: Vec<Request> = scattered(&profile, Write, 1000)
        .into_iter()
        .flat_map(|write| [Request { id: write.id * 2, ..write }, request(write.id * 2 + 1, Operation::Flush, 0, 0)])
        .collect();
    let flush_after = |count| {
        let mut requests = scattered(&profile, Write, count);
        let acknowledged = if profile.write_cache.is_some() { 0.0 } else { seconds(profile, 1, &requests) };
        requests.push(request(count, Operation::Flush, 0, 0));
        (seconds(profile, 1, &requests) - acknowledged) * 1e3
    };
    Figures {
        read_millis: random(Read, 3000, 1) / 3.0,
        reads_per_second_32: 6000.0 / random(Read, 6000, 32),
        writes_per_second: 30_000.0 / random(Write, 30_000, 1),
        write_flush_millis: seconds(profile, 1, &flushed),
        sequential_read: sequential(Read),
        sequential_write: sequential(Write),
        flush_millis: [flush_after(10), flush_after(100)],
    }
}

fn request(id: u64, operation: Operation, first_sector: u64, sectors: u64) -> Request {
    Request { id, operation, first_sector, sectors }
}

fn scattered(profile: &Profile, operation: Operation, count: u64) -> Vec<Request> {
    let mut random = SplitMix64::new(1);
    let blocks = profile.capacity_bytes / 4096;
    (0..count).map(|id| request(id, operation, random.below(blocks) * 8, 8)).collect()
}

/// Time for all requests when the disk always has `depth` of them.
fn seconds(profile: Profile, depth: usize, requests: &[Request]) -> f64 {
    let mut disk = Disk::new(profile);
    let (mut now_nanos, mut under_way, mut completed) = (0, 0, Vec::new());
    for request in requests {
        while under_way == depth
            && let Some(at_nanos) = disk.next_event_nanos()
        {
            now_nanos = at_nanos;
            disk.advance(now_nanos, &mut completed);
            under_way -= completed.drain(..).count();
        }
        disk.submit(now_nanos, *request);
        under_way += 1;
    }
    while under_way > 0
        && let Some(at_nanos) = disk.next_event_nanos()
    {
        now_nanos = at_nanos;
        disk.advance(now_nanos, &mut completed);
        under_way -= completed.drain(..).count();
    }
    now_nanos as f64 / 1e9
}
