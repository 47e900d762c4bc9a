//! A cache with its threads.

use crate::control::{Door, Question};
use crate::destaging::{Destaging, DiskError, Progress, Round};
use crate::ending::Ending;
use crate::latency::{Latencies, Latency};
use crate::mask::MaskedDisk;
use crate::media::{AnyMedium, open_disk, open_export};
use crate::metered::Metered;
use crate::opening;
use crate::parameters::{Parameters, mode_name};
use crate::session::now_seconds;
use crate::status::{Status, prometheus};
use halo_cache::format::LABEL_BYTES;
use halo_cache::{CacheError, Device, Mode, Recovery, Zeroing, driver};
use halo_core::address::BLOCK_BYTES;
use halo_device::SharedCache;
use halo_media::intact;
use halo_nbd::NbdMedium;
use halo_planted::Mistake;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

type Disk = Arc<Metered<AnyMedium>>;

/// How often the destaging thread looks whether there is reason to destage.
const LOOK: Duration = Duration::from_millis(20);
/// How long it leaves a disk alone that took no blocks.
const AFTER_ERROR: Duration = Duration::from_secs(1);
/// How long the same error of requests is not logged again.
const SAME_COMPLAINT: Duration = Duration::from_secs(10);

/// A cache that is being served. Requests may come from any thread.
pub struct Server {
    pub(crate) cache: SharedCache<AnyMedium, Disk>,
    pub(crate) disk: Disk,
    /// Below it: what is on the disk as it is seen without the cache.
    pub(crate) mask: Arc<MaskedDisk>,
    /// The disk, if it is another server's.
    export: Option<Arc<NbdMedium>>,
    pub(crate) parameters: Parameters,
    latencies: Latencies,
    /// Of clients, under way.
    pub(crate) requests: AtomicU64,
    pub(crate) log: fn(&str),
    work: Mutex<Work>,
    changed: Condvar,
    stopping: AtomicBool,
    pub(crate) ending: Ending,
    complaint: Mutex<Option<(String, Instant)>>,
}

#[derive(Default)]
struct Work {
    destaging: Destaging,
    destager_ended: bool,
    threads: Vec<JoinHandle<()>>,
    doors: Vec<Door>,
}

impl Server {
    /// Opens cache and disk, and listens for questions. Starts no thread, so that a host may still fork. `log` gets a line for
    /// what an operator should know.
    ///
    /// # Errors
    /// One line; nothing was changed.
    pub fn open(parameters: Parameters, log: fn(&str)) -> Result<(Self, Recovery), String> {
        parameters.check()?;
        parameters.cache.fill_holes().map_err(|error| error.to_string())?;
        let medium = parameters.cache.open(parameters.direct_io).map_err(|error| error.to_string())?;
        let export = open_export(&parameters.disk, parameters.direct_io).map_err(|error| error.to_string())?;
        let mask = match &export {
            Some(export) => MaskedDisk::new(Arc::clone(export) as AnyMedium).map(Arc::new),
            None => open_disk(&parameters.disk, parameters.direct_io),
        };
        let mask = mask.map_err(|error| error.to_string())?;
        let mut doors = Vec::new();
        if let Some(path) = &parameters.control {
            doors.push(Door::unix(path)?);
        }
        if let Some(address) = parameters.metrics {
            doors.push(Door::tcp(address)?);
        }
        let disk = Arc::new(Metered::new(Arc::clone(&mask) as AnyMedium));
        let (cache, recovery) = opening::open(medium, Arc::clone(&disk), &mask, parameters.settings())?;
        if let Some(export) = &export {
            let [label_offset_bytes, _] = cache.layout().record_offsets_bytes(Device::Disk);
            let remembered =
                export.remember_identity(label_offset_bytes, LABEL_BYTES as usize, opening::is_same_disk, log);
            remembered.map_err(|error| format!("reading the disk's label: {error}"))?;
        }
        let work = Work { doors, ..Work::default() };
        let server = Self {
            cache: SharedCache::new(cache).with_p99_target(parameters.p99_target()),
            disk,
            mask,
            export,
            parameters,
            latencies: Latencies::default(),
            requests: AtomicU64::new(0),
            log,
            work: Mutex::new(work),
            changed: Condvar::new(),
            stopping: AtomicBool::new(false),
            ending: Ending::default(),
            complaint: Mutex::new(None),
        };
        Ok((server, recovery))
    }

    /// Starts destaging and answering questions.
    ///
    /// # Errors
    /// A thread could not be started.
    pub fn start(self: &Arc<Self>) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("a thread could not be started: {error}");
        let doors = std::mem::take(&mut self.lock().doors);
        for door in doors {
            let server = Arc::clone(self);
            // These threads end with the process: they only read, and wait for clients all the time.
            Builder::new()
                .name("control".into())
                .spawn(move || door.serve(|question| server.answer(question)))
                .map_err(failed)?;
        }
        let server = Arc::clone(self);
        let destager = Builder::new().name("destager".into()).spawn(move || server.destage_until_stopped());
        self.lock().threads.push(destager.map_err(failed)?);
        Ok(())
    }

    /// Bytes offered to clients.
    pub fn capacity_bytes(&self) -> u64 {
        self.cache.capacity_bytes()
    }

    /// As [`SharedCache::read`].
    ///
    /// # Errors
    /// Logged already.
    pub fn read(&self, offset_bytes: u64, buffer: &mut [u8]) -> Result<(), CacheError> {
        self.timed(&self.latencies.read, || self.cache.read(offset_bytes, buffer))
    }

    /// Writes; `durably`: as [`SharedCache::write_durably`].
    ///
    /// # Errors
    /// Logged already.
    pub fn write(&self, offset_bytes: u64, bytes: &[u8], durably: bool) -> Result<(), CacheError> {
        self.timed(&self.latencies.write, || {
            if durably { self.cache.write_durably(offset_bytes, bytes) } else { self.cache.write(offset_bytes, bytes) }
        })
    }

    /// As [`SharedCache::flush`].
    ///
    /// # Errors
    /// Logged already.
    pub fn flush(&self) -> Result<(), CacheError> {
        if Mistake::FlushSkippedWhenClean.is_made() && self.cache.dirty_blocks() == 0 {
            return Ok(());
        }
        self.timed(&self.latencies.flush, || self.cache.flush())
    }

    /// Makes a range read as zeros, or, with [`Zeroing::Trim`], gives it up.
    ///
    /// # Errors
    /// Logged already.
    pub fn zero(&self, offset_bytes: u64, count: u64, zeroing: Zeroing, durably: bool) -> Result<(), CacheError> {
        self.timed(&self.latencies.write, || {
            self.cache.zero(offset_bytes, count as usize, zeroing)?;
            if durably { self.cache.flush() } else { Ok(()) }
        })
    }

    fn timed(&self, latency: &Latency, request: impl FnOnce() -> Result<(), CacheError>) -> Result<(), CacheError> {
        let since = Instant::now();
        self.begin_request();
        let outcome = request();
        self.requests.fetch_sub(1, SeqCst);
        latency.record(since.elapsed());
        if let Err(error) = &outcome {
            self.complain(&error.to_string());
        }
        outcome
    }

    /// A request that comes once the end has begun waits for the end of the process: what it changed would not be on a disk that is plain by
    /// then. Its client loses the connection, as of a server that was killed, and is told of no error that the disk had not.
    fn begin_request(&self) {
        self.requests.fetch_add(1, SeqCst);
        if self.is_stopping() {
            self.requests.fetch_sub(1, SeqCst);
            loop {
                std::thread::park();
            }
        }
    }

    /// Logs what went wrong; the same thing again only after a while.
    fn complain(&self, text: &str) {
        let mut last = intact(self.complaint.lock());
        let repeated = last.as_ref().is_some_and(|(said, at)| said == text && at.elapsed() < SAME_COMPLAINT);
        if !repeated {
            (self.log)(text);
            *last = Some((text.into(), Instant::now()));
        }
    }

    /// The state now.
    pub fn status(&self) -> Status {
        let cache = self.cache.status();
        let statistics = cache.statistics;
        let throttle = self.cache.throttle_status();
        // In this order: of a disk that is there, no error from before it was.
        let disk_connected = self.export.as_ref().is_none_or(|export| export.is_connected());
        let disk_reconnections = self.disk_reconnections();
        let work = self.lock();
        let disk_error = work.destaging.error(disk_reconnections);
        Status {
            pid: std::process::id(),
            mode: mode_name(self.parameters.mode.unwrap_or(Mode::Flush)).into(),
            cache: self.parameters.cache.to_string(),
            disk: self.parameters.disk.clone(),
            capacity_bytes: cache.capacity_bytes,
            slots: cache.slots,
            dirty_blocks: cache.dirty_blocks,
            dirty_bytes: cache.dirty_blocks * BLOCK_BYTES as u64,
            oldest_dirty_seconds: cache.oldest_dirty.map_or(0.0, |age| age.as_secs_f64()),
            damaged_blocks: cache.damaged_slots,
            cache_failed: cache.poisoned,
            clean_blocks: cache.clean_slots,
            clean_target_blocks: cache.clean_target_slots,
            clean_hit_blocks: statistics.clean_hit_blocks,
            clean_admitted_blocks: statistics.clean_admitted_blocks,
            clean_lost_blocks: statistics.clean_lost_blocks,
            draining: work.destaging.is_draining(),
            disk_needs_restart: disk_error.as_ref().is_some_and(|error| error.until_restart),
            disk_error: disk_error.map(|error| error.text),
            disk_connected,
            disk_reconnections,
            disk_waits_seconds: self.disk.longest_wait().map_or(0.0, |wait| wait.as_secs_f64()),
            disk_read_utilisation: self.disk.utilisation(),
            read_hit_blocks: statistics.read_hit_blocks,
            read_miss_blocks: statistics.read_miss_blocks,
            write_hit_blocks: statistics.write_hit_blocks,
            write_miss_blocks: statistics.write_miss_blocks,
            bypassed_bytes: statistics.bypassed_bytes,
            commits: statistics.commits,
            destaged_blocks: statistics.destaged_blocks,
            failed_destages: statistics.failed_destages,
            destage_turns: throttle.turns,
            turn_budget_millis: throttle.budget_nanos as f64 / 1e6,
            late_reads: throttle.late_reads,
        }
    }

    /// True once the end has begun.
    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(SeqCst)
    }

    /// Begins the end; false when another thread has.
    pub(crate) fn begins_to_stop(&self) -> bool {
        !self.stopping.swap(true, SeqCst)
    }

    /// Waits for the destager's last round; false when it takes longer.
    pub(crate) fn end_destaging(&self, deadline: Instant) -> bool {
        let mut work = self.lock();
        self.changed.notify_all();
        while !work.threads.is_empty() && !work.destager_ended && Instant::now() < deadline {
            let pause = deadline.saturating_duration_since(Instant::now());
            work = intact(self.changed.wait_timeout(work, pause)).0;
        }
        let ended = work.destager_ended || work.threads.is_empty();
        let threads = std::mem::take(&mut work.threads);
        drop(work);
        if ended {
            // A panic of that thread has been printed; what it left is recovered when the cache is opened again.
            for thread in threads {
                let _ = thread.join();
            }
        }
        ended
    }

    fn answer(&self, question: Question) -> Option<String> {
        if self.is_stopping() {
            return None;
        }
        let mut status = self.status();
        if question == Question::Drain {
            // Its status is that of before: an instant later the drain may be over, with nothing left to count.
            self.lock().destaging.ask_drain();
            self.changed.notify_all();
            status.draining = true;
        }
        match question {
            Question::Metrics => Some(prometheus(&status, &self.latencies)),
            Question::Status | Question::Drain => serde_json::to_string(&status).ok(),
        }
    }

    fn destage_until_stopped(&self) {
        while !self.is_stopping() {
            if let Some(export) = &self.export {
                export.reconnect_if_due();
            }
            // A note is for people: without one, the disk takes blocks all the same.
            if let Err(error) = self.cache.note_lacks(now_seconds()) {
                (self.log)(&format!("the disk's label does not say what the disk lacks: {error}"));
            }
            let reconnections = self.disk_reconnections();
            let round = self.lock().destaging.begin(reconnections);
            let outcome = if round.is_drain { self.drain_round() } else { self.round_if_due() };
            self.end_round(round, outcome);
        }
        self.lock().destager_ended = true;
        self.changed.notify_all();
    }

    fn round_if_due(&self) -> Result<Progress, CacheError> {
        let moved = self.cache.destage_if_due(self.disk.utilisation())?;
        Ok(if moved { Progress::Moved } else { Progress::Nothing })
    }

    fn drain_round(&self) -> Result<Progress, CacheError> {
        let damaged_slots = self.cache.status().damaged_slots;
        Ok(match self.cache.destage()? {
            driver::Round::Left(1..) => Progress::Moved,
            driver::Round::Left(0) if self.cache.status().damaged_slots > damaged_slots => Progress::SetAside,
            driver::Round::Left(0) => Progress::Overtaken,
            driver::Round::Nothing | driver::Round::Stuck | driver::Round::Requests => Progress::Nothing,
        })
    }

    /// Keeps and logs how a round of destaging ended, and waits until there is reason for the next.
    fn end_round(&self, round: Round, outcome: Result<Progress, CacheError>) {
        let pause = match &outcome {
            Err(_) if Mistake::FailingDiskPressed.is_made() => LOOK,
            outcome => pause_after(outcome.as_ref().ok()),
        };
        let outcome =
            outcome.map_err(|error| DiskError { until_restart: error.lasts_until_reopened(), text: error.to_string() });
        let mut work = self.lock();
        if let Some(line) = work.destaging.end(round, outcome) {
            (self.log)(&line);
        }
        if !pause.is_zero() && !self.is_stopping() && !work.destaging.is_asked_since(round) {
            // Woken early by a drain or a stop.
            drop(intact(self.changed.wait_timeout(work, pause)));
        }
    }

    fn disk_reconnections(&self) -> u64 {
        self.export.as_ref().map_or(0, |export| export.reconnections())
    }

    fn lock(&self) -> MutexGuard<'_, Work> {
        intact(self.work.lock())
    }
}

/// How long the destager waits after a round that came to this; nothing: the disk failed.
fn pause_after(progress: Option<&Progress>) -> Duration {
    match progress {
        Some(Progress::Moved | Progress::SetAside | Progress::Overtaken) => Duration::ZERO,
        Some(Progress::Nothing) => LOOK,
        None => AFTER_ERROR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_fails_is_left_alone_for_long_and_one_that_takes_blocks_not_at_all() {
        assert_eq!(pause_after(Some(&Progress::Moved)), Duration::ZERO);
        assert!(pause_after(None) >= 10 * pause_after(Some(&Progress::Nothing)));
    }
}
