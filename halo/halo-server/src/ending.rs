//! The end of a server, within 10 seconds of when it was asked for, whatever its disk and its clients do.
//!
//! A host waits for requests, which never return from a disk that does not answer, and for clients that stay connected without a request. What
//! was acknowledged needs the cache medium only, so it is saved without waiting for either, and the process ends.

use crate::opening::disk_failed;
use crate::server::Server;
use halo_planted::Mistake;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, OnceLock};
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

/// How long requests and the last round of destaging may take: the blocks of that round are safe in the cache in any case.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the end may take, with the last flush. Own: 2 seconds less than the 10 that are promised, for a machine that is busy.
const WHOLE: Duration = Duration::from_secs(8);
/// Clients that asked for nothing for so long are not waited for.
const QUIET: Duration = Duration::from_millis(500);
/// A disk that took so long for a request is named. Own: longer than a slow disk takes for a flush, shorter than the patience.
pub(crate) const NO_ANSWER: Duration = Duration::from_secs(3);
const LOOK: Duration = Duration::from_millis(20);

/// How far the end is.
#[derive(Default)]
pub(crate) struct Ending {
    asked: OnceLock<Instant>,
    /// Once the last flush has ended: the exit code.
    flushed: OnceLock<i32>,
    stopped: OnceLock<()>,
    told: OnceLock<()>,
}

impl Server {
    /// The host was asked to end: sees to it that the process ends within 10 seconds, unless the kernel itself keeps it. Gives the exit
    /// code with which to end it now; nothing when the host has stopped the server in time.
    pub fn end_in_time(self: &Arc<Self>) -> Option<i32> {
        let asked = *self.ending.asked.get_or_init(Instant::now);
        let mut quiet_since = asked;
        while asked.elapsed() < PATIENCE && quiet_since.elapsed() < QUIET && !self.is_stopping() {
            if self.requests.load(SeqCst) > 0 {
                quiet_since = Instant::now();
            }
            sleep(LOOK);
        }
        let host_stops = self.is_stopping();
        if !host_stops {
            let server = Arc::clone(self);
            if Builder::new().name("stop".into()).spawn(move || server.stop()).is_err() {
                self.stop();
            }
        }
        while self.ending.stopped.get().is_none() && asked.elapsed() < WHOLE {
            sleep(LOOK);
        }
        if self.ending.stopped.get().is_none() {
            return Some(self.give_up());
        }
        self.ending.flushed.get().filter(|_| !host_stops).copied()
    }

    /// Ends destaging, and makes durable what was acknowledged. Only the last flush waits for the disk, if part of the disk was zeroed since
    /// the flush before. Another thread that does the same is waited for. Gives the exit code: not 0 if something may be lost.
    pub fn stop(&self) -> i32 {
        let asked = *self.ending.asked.get_or_init(Instant::now);
        if self.begins_to_stop() {
            self.stop_first(asked + PATIENCE);
        } else {
            self.ending.stopped.wait();
        }
        self.ending.flushed.get().copied().unwrap_or(1)
    }

    fn stop_first(&self, deadline: Instant) {
        let destager_ended = self.end_destaging(deadline);
        if !destager_ended || self.disk.longest_wait() >= Some(NO_ANSWER) {
            self.tell_unsaved();
        }
        let requests_ended = self.requests_end();
        let flushed = if Mistake::LastFlushSkipped.is_made() { Ok(()) } else { self.cache.flush() };
        let code = flushed.map_or_else(|error| self.lost(&error.to_string()), |()| 0);
        let _ = self.ending.flushed.set(code);
        if Mistake::LackingDiskShown.is_made() {
            let _ = self.mask.unmask();
        } else if destager_ended && requests_ended && self.cache.dirty_blocks() == 0 {
            self.unmask();
        }
        self.remove_control();
        let _ = self.ending.stopped.set(());
    }

    /// Waits for requests that came before the end began; later ones wait for it. False when one takes longer.
    fn requests_end(&self) -> bool {
        let since = Instant::now();
        while self.requests.load(SeqCst) > 0 && since.elapsed() < QUIET {
            sleep(LOOK);
        }
        self.requests.load(SeqCst) == 0
    }

    /// Ends without the disk: gives the exit code.
    fn give_up(&self) -> i32 {
        self.tell_unsaved();
        self.remove_control();
        self.ending.flushed.get().copied().unwrap_or_else(|| self.lost("it waits for the disk"))
    }

    /// The disk has everything, so that it may be used by itself. No item may be left in the cache: recovery would find its block.
    fn unmask(&self) {
        let unmasked = self.cache.drain().map_err(|error| error.to_string());
        if let Err(error) = unmasked.and_then(|()| self.mask.unmask().map_err(|error| disk_failed(&error))) {
            (self.log)(&format!("the disk keeps its mask, so that it shows no file system: {error}"));
        }
    }

    /// Left behind, it would be replaced by the next server.
    fn remove_control(&self) {
        if let Some(path) = &self.parameters.control {
            let _ = std::fs::remove_file(path);
        }
    }

    fn lost(&self, reason: &str) -> i32 {
        (self.log)(&format!("the last flush failed, writes since the last flush of a client may be lost: {reason}"));
        i32::from(!Mistake::LastFlushErrorSwallowed.is_made())
    }

    /// Tells the operator about an end without the disk.
    fn tell_unsaved(&self) {
        if self.ending.told.set(()).is_err() {
            return;
        }
        let blocks = self.cache.dirty_blocks();
        let disk = &self.parameters.disk;
        let waited = self.disk.longest_wait().filter(|&wait| wait >= NO_ANSWER);
        let why = waited
            .map_or_else(|| "is still at work".into(), |wait| format!("has not answered for {} s", wait.as_secs()));
        let unsaved = format!("{blocks} blocks are unsaved on it and stay in the cache file until the next start");
        (self.log)(&format!("the disk file {disk} {why}: {unsaved}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::media::{AnyMedium, CacheName, DirectIo, open_disk};
    use crate::parameters::Parameters;
    use halo_cache::Cache;
    use halo_cache::format::Id;
    use std::fs::File;
    use std::sync::mpsc::channel;

    /// A server of a disk that lacks nothing, without its threads.
    fn server(folder: &tempfile::TempDir) -> Arc<Server> {
        let path = |name: &str| folder.path().join(name);
        for (name, bytes) in [("cache", 1 << 20), ("disk", 4 << 20)] {
            File::create(path(name)).unwrap().set_len(bytes).unwrap();
        }
        let cache: CacheName = path("cache").display().to_string().parse().unwrap();
        let disk = path("disk").display().to_string();
        let (medium, masked) = (cache.open(DirectIo::Off).unwrap(), open_disk(&disk, DirectIo::Off).unwrap());
        Cache::create(&medium, &(masked as AnyMedium), Id([1; 16]), Id([2; 16]), false).unwrap();
        drop(medium);
        let (server, _) = Server::open(Parameters { cache, disk, ..Parameters::default() }, |_| ()).unwrap();
        assert!(server.mask.is_masked());
        Arc::new(server)
    }

    #[test]
    fn a_request_that_comes_while_the_server_ends_changes_nothing_behind_the_back_of_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let server = server(&folder);
        assert_eq!(server.stop(), 0);
        assert!(!server.mask.is_masked());
        let (sender, answers) = channel();
        let late = Arc::clone(&server);
        Builder::new().spawn(move || sender.send(late.write(0, &[1; 4096], true).is_ok())).unwrap();
        let answer = answers.recv_timeout(Duration::from_secs(1));
        assert!(answer.is_err() && server.cache.dirty_blocks() == 0, "acknowledged on a disk that shows itself");
    }

    #[test]
    fn a_disk_keeps_its_mask_when_a_request_is_still_under_way() {
        let folder = tempfile::tempdir().unwrap();
        let server = server(&folder);
        server.requests.fetch_add(1, SeqCst);
        assert_eq!(server.stop(), 0);
        assert!(server.mask.is_masked());
    }
}
