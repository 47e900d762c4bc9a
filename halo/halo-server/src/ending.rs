//! The end of a server whose disk does not answer.
//!
//! Requests that wait for such a disk never return, and the host waits for them before it stops the server. What was acknowledged needs
//! the cache medium only, so it is saved, and the process ends.

use crate::server::Server;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::mpsc;
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

/// How long requests and a stop may take. Own: together with the last flush below 10 seconds.
const PATIENCE: Duration = Duration::from_secs(7);
/// How long the last flush may take.
const LAST_FLUSH: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(20);

impl Server {
    /// The host was asked to end: sees to it that the process ends within 10 seconds, however long the disk takes, unless the cache
    /// medium hangs. Gives the exit code with which to end it now; nothing when the server was stopped in time.
    pub fn end_in_time(self: &Arc<Self>) -> Option<i32> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if self.stopped.load(SeqCst) {
                return None;
            }
            sleep(LOOK);
        }
        (self.log)(&self.unsaved());
        let (tell, told) = mpsc::channel();
        let server = Arc::clone(self);
        // It waits for the disk, too, if part of the disk was zeroed since the last flush.
        let flush = Builder::new().spawn(move || tell.send(server.cache.flush()));
        let outcome = match (flush, told.recv_timeout(LAST_FLUSH)) {
            (Ok(_), Ok(Ok(()))) => 0,
            (Ok(_), Ok(Err(error))) => self.lost(&error.to_string()),
            _ => self.lost("it waits for the disk"),
        };
        if let Some(path) = &self.parameters.control {
            // Left behind, it would be replaced by the next server.
            let _ = std::fs::remove_file(path);
        }
        Some(outcome)
    }

    fn lost(&self, reason: &str) -> i32 {
        (self.log)(&format!("the last flush failed, writes since the last flush of a client may be lost: {reason}"));
        1
    }

    /// What an operator should know of an end without the disk.
    pub(crate) fn unsaved(&self) -> String {
        let blocks = self.cache.dirty_blocks();
        let disk = &self.parameters.disk;
        format!(
            "the disk file {disk} does not answer: {blocks} blocks are unsaved on it and stay in the cache file until the next start"
        )
    }
}
