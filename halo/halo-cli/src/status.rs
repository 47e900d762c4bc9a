//! `halo status` and `halo metrics`.

use crate::arguments::{Devices, Metrics, Status, Target};
use crate::bytes::show_bytes;
use crate::outcome::{Failure, Outcome, print};
use crate::pair::{Pair, stage_name};
use crate::serve::control_of;
use halo_core::address::BLOCK_BYTES;
use halo_server::{DirectIo, ask_metrics, ask_status};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::{fs, io};

impl Target {
    /// The control socket; nothing when devices are meant.
    pub(crate) fn control(&self) -> Option<PathBuf> {
        self.control.clone().or_else(|| self.socket.as_deref().map(control_of))
    }

    /// The devices; clap has seen to it that they are given when no server is.
    pub(crate) fn devices(&self) -> Result<Devices, Failure> {
        match (&self.cache, &self.disk) {
            (Some(cache), Some(disk)) => Ok(Devices { cache: cache.clone(), disk: disk.clone() }),
            _ => Err(Failure::input("name a cache and its disk, or a server with --socket")),
        }
    }
}

/// An error of a question to a server.
pub(crate) fn no_answer(control: &Path, error: &io::Error) -> Failure {
    // The server is there, though this user may not ask it.
    let what = if error.kind() == io::ErrorKind::PermissionDenied { "may not be asked" } else { "no server answers" };
    Failure::state(format!("{}: {what}: {error}", control.display()))
}

pub(crate) fn run(options: &Status) -> Outcome {
    match options.target.control() {
        Some(control) => of_server(&control, options.json),
        None => of_devices(&options.target.devices()?, options.json),
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn of_server(control: &Path, as_json: bool) -> Outcome {
    let status = ask_status(control).map_err(|error| no_answer(control, &error))?;
    if as_json {
        let text = serde_json::to_string(&status).map_err(Failure::state)?;
        return print(&format!("{text}\n"));
    }
    let clean = if status.clean_target_blocks > 0 {
        format!(
            "clean       {} blocks ({:.1}% of the cache, {:.1}% at most at present); {} blocks read from them, {} kept\n",
            status.clean_blocks,
            percent(status.clean_blocks, status.slots),
            percent(status.clean_target_blocks, status.slots),
            status.clean_hit_blocks,
            status.clean_admitted_blocks,
        )
    } else {
        String::new()
    };
    let bypassed = match status.bypassed_bytes {
        0 => String::new(),
        bytes => format!("; {} past the cache", show_bytes(bytes)),
    };
    let disk = match &status.disk_error {
        Some(error) if status.disk_needs_restart => {
            format!("{} (FAILED until the server is started anew: {error})", status.disk)
        }
        Some(error) => format!("{} (FAILING: {error})", status.disk),
        None if !status.disk_connected => format!("{} (AWAY: trying to reach its server again)", status.disk),
        None => status.disk.clone() + &silence(&status),
    };
    let failed = if status.cache_failed { " (FAILED: takes no writes until the server is started anew)" } else { "" };
    let damaged = match status.damaged_blocks {
        0 => String::new(),
        blocks => format!(", {blocks} damaged"),
    };
    print(&format!(
        "served      by process {}, mode {}\ncache       {}, {} blocks{failed}\ndisk        {disk}\ncapacity    {}\n\
         dirty       {} blocks ({}, {:.1}% of the cache){damaged}{}{}\n{clean}read        {} blocks from the cache, {} from the disk\n\
         written     {} blocks over cached ones, {} others{bypassed}\ndestaged    {} blocks; {} rounds failed\n",
        status.pid,
        status.mode,
        status.cache,
        status.slots,
        show_bytes(status.capacity_bytes),
        status.dirty_blocks,
        show_bytes(status.dirty_bytes),
        percent(status.dirty_blocks, status.slots),
        if status.dirty_blocks > 0 {
            format!(", the oldest for {:.0} s", status.oldest_dirty_seconds)
        } else {
            String::new()
        },
        if status.draining { ", draining" } else { "" },
        status.read_hit_blocks,
        status.read_miss_blocks,
        status.write_hit_blocks,
        status.write_miss_blocks,
        status.destaged_blocks,
        status.failed_destages,
    ))
}

/// A disk that may hang.
pub(crate) fn silence(status: &halo_server::Status) -> String {
    status.disk_silence_seconds().map_or_else(String::new, |seconds| format!(" (has not answered for {seconds} s)"))
}

fn of_devices(devices: &Devices, as_json: bool) -> Outcome {
    let report = Pair::lock(devices, DirectIo::Off)?.check(false)?;
    if as_json {
        let object = json!({
            "stage": stage_name(report.stage), "sessions": report.session, "slots": report.slots,
            "dirty_blocks": report.blocks, "dirty_bytes": report.blocks * BLOCK_BYTES as u64, "damaged_items": report.damaged_item_count,
        });
        return print(&format!("{object}\n"));
    }
    print(&format!(
        "not served  stage {}, opened {} times\ncache       {}, {} blocks\ndisk        {}\n\
         dirty       {} blocks ({:.1}% of the cache)\ndamaged     {} items\n",
        stage_name(report.stage),
        report.session,
        devices.cache,
        report.slots,
        devices.disk,
        report.blocks,
        percent(report.blocks, report.slots),
        report.damaged_item_count,
    ))
}

pub(crate) fn metrics(options: &Metrics) -> Outcome {
    let control = options.control.clone().or_else(|| options.socket.as_deref().map(control_of));
    let control = control.ok_or_else(|| Failure::input("name a server with --socket or --control"))?;
    let text = ask_metrics(&control).map_err(|error| no_answer(&control, &error))?;
    let Some(path) = &options.textfile else { return print(&text) };
    put(path, &text).map_err(|error| Failure::state(format!("{}: {error}", path.display())))
}

/// Puts a text into a file: a collector never sees half of it. Behind a link the link's target is replaced. A device or
/// a pipe is written to, since a file that took its name would end it for all programs.
fn put(path: &Path, text: &str) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return fs::write(path, text);
    }
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut beside = target.clone().into_os_string();
    beside.push(".new");
    let replaced = fs::write(&beside, text).and_then(|()| fs::rename(&beside, &target));
    replaced.inspect_err(|_| {
        // The first error counts; the file may not even have been made.
        let _ = fs::remove_file(&beside);
    })
}
