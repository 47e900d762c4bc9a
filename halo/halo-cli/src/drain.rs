//! `halo drain` and `halo detach`.

use crate::arguments::{Detach, Devices, Drain};
use crate::outcome::{Failure, Outcome, Progress, note, print};
use crate::pair::{Pair, unopened};
use crate::status::{no_answer, silence};
use halo_cache::{Cache, CacheError, Device};
use halo_server::{AnyMedium, ask_status, request_drain};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often a running server is asked how far it is.
const LOOK: Duration = Duration::from_millis(100);

/// The result of a drain.
struct Drained {
    blocks: u64,
    /// Dirty at its end.
    left: u64,
}

pub(crate) fn run(options: &Drain) -> Outcome {
    let since = Instant::now();
    let Drained { blocks, left } = match options.target.control() {
        Some(control) => drain_server(&control)?,
        None => Drained { blocks: drain_devices(&options.target.devices()?, options)?, left: 0 },
    };
    let seconds = since.elapsed().as_secs_f64();
    if options.json {
        let report = json!({ "drained_blocks": blocks, "left_blocks": left, "seconds": seconds });
        return print(&format!("{report}\n"));
    }
    let written = if left > 0 { format!("; {left} that clients wrote meanwhile are left") } else { String::new() };
    print(&format!("drained     {blocks} blocks in {seconds:.1} s{written}\n"))
}

pub(crate) fn detach(options: &Detach) -> Outcome {
    let pair = Pair::lock_to_write(&options.devices, options.direct_io)?;
    if options.dry_run {
        return tell_detached(options, pair.check(false)?.blocks);
    }
    let mask = Arc::clone(&pair.mask);
    let mut cache = pair.open(options.accept_damaged)?;
    let blocks = drain_with_progress(&mut cache, options.accept_damaged)?;
    // First: a disk that is free is never masked.
    mask.unmask().map_err(|error| unopened(error, Device::Disk))?;
    cache.detach()?;
    tell_detached(options, blocks)
}

fn tell_detached(options: &Detach, blocks: u64) -> Outcome {
    if options.json {
        let report = json!({ "detached": !options.dry_run, "written_blocks": blocks });
        return print(&format!("{report}\n"));
    }
    print(&if options.dry_run {
        format!("would write {blocks} blocks to the disk and give it free\n")
    } else {
        format!("detached    {blocks} blocks were written; the disk can be used without the cache\n")
    })
}

fn drain_devices(devices: &Devices, options: &Drain) -> Result<u64, Failure> {
    let pair = Pair::lock_to_write(devices, options.direct_io)?;
    let mask = Arc::clone(&pair.mask);
    let blocks = drain_with_progress(&mut pair.open(options.accept_damaged)?, options.accept_damaged)?;
    mask.unmask().map_err(|error| unopened(error, Device::Disk))?;
    Ok(blocks)
}

/// The blocks that the disk got.
pub(crate) fn drain_with_progress(
    cache: &mut Cache<AnyMedium, AnyMedium>,
    accept_damaged: bool,
) -> Result<u64, Failure> {
    let all = cache.dirty_blocks();
    let mut progress = Progress::new();
    while cache.dirty_blocks() > 0 {
        let taken = cache.destage();
        if taken.map_err(|error| Failure::from(error).with(|text| unsaved(cache, &text)))? == 0 {
            break;
        }
        progress.tell(|| format!("{} of {all} blocks left", cache.dirty_blocks()));
    }
    // The rest: what cannot be drained is named by it.
    if !accept_damaged {
        let hint = |failure: Failure| failure.with(|text| format!("{text}, or give it up with --accept-damaged"));
        return match cache.drain() {
            Err(error @ CacheError::Damaged(_)) => Err(hint(error.into())),
            outcome => Ok(outcome.map(|()| all)?),
        };
    }
    let given_up = cache.drain_giving_up_damaged()?;
    if let Some(first) = given_up.first() {
        let count = given_up.len();
        note(&format!(
            "{count} damaged blocks were given up, as accepted, the first {first}: the disk keeps what it has"
        ));
    }
    Ok(all - given_up.len() as u64)
}

fn unsaved(cache: &Cache<AnyMedium, AnyMedium>, text: &str) -> String {
    format!("{} blocks stay in the cache: {text}", cache.dirty_blocks())
}

fn drain_server(control: &Path) -> Result<Drained, Failure> {
    let failed = |error: std::io::Error| no_answer(control, &error);
    let all = request_drain(control).map_err(failed)?.dirty_blocks;
    let mut progress = Progress::new();
    loop {
        let status = ask_status(control).map_err(failed)?;
        if let Some(error) = status.disk_error {
            let how = if status.disk_needs_restart {
                "until the server is started anew"
            } else {
                "the server goes on trying"
            };
            let text = format!("{} blocks stay in the cache, {how}: {error}", status.dirty_blocks);
            return Err(Failure::state(text));
        }
        if !status.draining && status.damaged_blocks > 0 {
            let text = format!("{} blocks are damaged and stay in the cache", status.damaged_blocks);
            return Err(Failure::state(format!("{text}: look with halo check, and write them anew")));
        }
        if !status.draining {
            return Ok(Drained { blocks: all, left: status.dirty_blocks });
        }
        // Clients may go on writing, so that more can be left than there was.
        progress
            .tell(|| format!("{} of {all} blocks left on {}{}", status.dirty_blocks, status.disk, silence(&status)));
        std::thread::sleep(LOOK);
    }
}
