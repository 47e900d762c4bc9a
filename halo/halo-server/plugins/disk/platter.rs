//! The model on the real clock.

use halo_disk::{Disk, Operation, Profile, Request};
use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread::{JoinHandle, Thread};
use std::time::{Duration, Instant};

/// A disk whose commands take real time. One thread calls [`Platter::turn`]; any number call [`Platter::carry_out`].
pub(crate) struct Platter {
    state: Mutex<State>,
    /// A command was submitted, or the disk is to stop.
    changed: Condvar,
    since: Instant,
}

struct State {
    disk: Disk,
    next_id: u64,
    /// Threads whose command is under way.
    waiting: HashMap<u64, Thread>,
    stopped: bool,
    turning: Option<JoinHandle<()>>,
}

/// What a disk is told to do, and where.
#[derive(Clone, Copy)]
pub(crate) struct Command {
    pub(crate) operation: Operation,
    pub(crate) first_sector: u64,
    pub(crate) sectors: u64,
}

impl Command {
    pub(crate) const FLUSH: Self = Self { operation: Operation::Flush, first_sector: 0, sectors: 0 };
}

impl Platter {
    pub(crate) fn new(profile: Profile) -> Self {
        let state =
            State { disk: Disk::new(profile), next_id: 0, waiting: HashMap::new(), stopped: false, turning: None };
        Self { state: Mutex::new(state), changed: Condvar::new(), since: Instant::now() }
    }

    /// Returns when the commands are done. They arrive at one moment: between two calls the disk would go on for as long as this thread
    /// does not run.
    pub(crate) fn carry_out(&self, commands: &[Command]) {
        let mut state = self.lock();
        let now_nanos = self.now_nanos();
        advance(&mut state, now_nanos);
        let first_id = state.next_id;
        for (id, &Command { operation, first_sector, sectors }) in (first_id..).zip(commands) {
            state.next_id = id + 1;
            state.waiting.insert(id, std::thread::current());
            state.disk.submit(now_nanos, Request { id, operation, first_sector, sectors });
        }
        let ids = first_id..state.next_id;
        drop(state);
        self.changed.notify_one();
        while ids.clone().any(|id| self.lock().waiting.contains_key(&id)) {
            std::thread::park();
        }
    }

    /// Lets the disk turn until it is stopped.
    pub(crate) fn turn(&self) {
        let mut state = self.lock();
        while !state.stopped || !state.waiting.is_empty() {
            advance(&mut state, self.now_nanos());
            state = match state.disk.next_event_nanos() {
                Some(at_nanos) => {
                    let pause = Duration::from_nanos(at_nanos.saturating_sub(self.now_nanos()));
                    self.changed.wait_timeout(state, pause).unwrap_or_else(|_| std::process::abort()).0
                }
                None if state.stopped => return,
                None => self.changed.wait(state).unwrap_or_else(|_| std::process::abort()),
            };
        }
    }

    pub(crate) fn keep(&self, turning: JoinHandle<()>) {
        self.lock().turning = Some(turning);
    }

    pub(crate) fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_one();
        let turning = self.lock().turning.take();
        if let Some(turning) = turning {
            // A panic of that thread has been printed; there is nothing to save.
            let _ = turning.join();
        }
    }

    fn now_nanos(&self) -> u64 {
        self.since.elapsed().as_nanos() as u64
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|_| std::process::abort())
    }
}

/// Tells the threads whose commands have completed.
fn advance(state: &mut State, now_nanos: u64) {
    let mut completed = Vec::new();
    state.disk.advance(now_nanos, &mut completed);
    for completion in completed {
        if let Some(thread) = state.waiting.remove(&completion.id) {
            thread.unpark();
        }
    }
}
