//! Several threads that wait for the same sync.

use crate::intact;
use halo_planted::Mistake;
use std::error::Error;
use std::fmt;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard};

/// Lets threads that ask for a sync while one is running share the next one.
///
/// A thread's own sync must begin after it asked: one that is already running may have passed over its writes. After a
/// sync has failed every later one fails too, because the kernel may have dropped the pages that it could not write and
/// would report success the next time.
#[derive(Default)]
pub struct GroupCommit {
    state: Mutex<State>,
    changed: Condvar,
}

/// Why no sync succeeds any more.
#[derive(Clone, Debug)]
struct Failed {
    cause: String,
    /// This sync was not tried, because of one before it.
    before: bool,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.before { "a sync failed before: " } else { "" }, self.cause)
    }
}

impl Error for Failed {}

/// True when `error` is that of a sync, so that no later one of the same opened medium will succeed.
pub fn lasts_until_reopened(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn Error + Send + Sync>::is::<Failed>)
}

#[derive(Default)]
struct State {
    begun: u64,
    /// The newest sync that has succeeded.
    finished: u64,
    running: bool,
    waiting: u64,
    failure: Option<Failed>,
}

impl GroupCommit {
    /// Nothing synced yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns once a sync that began after this call has ended. Runs `sync` itself or waits for another thread that does.
    ///
    /// # Errors
    /// That sync failed, or one before it.
    pub fn sync(&self, sync: impl Fn() -> io::Result<()>) -> io::Result<()> {
        let mut state = self.lock();
        let wanted = state.begun + 1;
        loop {
            if let Some(failure) = state.failure.as_ref().filter(|_| !Mistake::SyncBelievedAgain.is_made()) {
                return Err(io::Error::other(Failed { before: true, ..failure.clone() }));
            }
            if state.finished >= wanted {
                return Ok(());
            }
            if state.running {
                state.waiting += 1;
                state = intact(self.changed.wait(state));
                state.waiting -= 1;
                continue;
            }
            state.running = true;
            state.begun += 1;
            let mine = state.begun;
            drop(state);
            let outcome = sync();
            state = self.lock();
            state.running = false;
            match outcome {
                Ok(()) => state.finished = mine,
                Err(error) => {
                    let failed = Failed { cause: error.to_string(), before: false };
                    state.failure = Some(failed.clone());
                    self.changed.notify_all();
                    return Err(io::Error::new(error.kind(), failed));
                }
            }
            self.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        intact(self.state.lock())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
    use std::sync::mpsc;
    use std::thread;

    #[test]
    fn threads_that_ask_during_a_sync_share_the_next_one() {
        const FOLLOWERS: u64 = 8;
        let group = GroupCommit::new();
        let syncs = AtomicU64::new(0);
        let (release, released) = mpsc::channel::<()>();
        let released = Mutex::new(released);
        // The first sync goes on until every other thread waits for the next.
        let sync = || {
            if syncs.fetch_add(1, SeqCst) == 0 {
                released.lock().unwrap().recv().unwrap();
            }
            Ok(())
        };
        thread::scope(|scope| {
            for _ in 0..=FOLLOWERS {
                scope.spawn(|| group.sync(sync).unwrap());
            }
            while group.lock().waiting < FOLLOWERS {
                thread::yield_now();
            }
            release.send(()).unwrap();
        });
        assert_eq!(syncs.load(SeqCst), 2);
    }

    #[test]
    fn a_sync_that_was_already_running_does_not_count() {
        let group = GroupCommit::new();
        let (entered, entry) = mpsc::channel::<()>();
        let (release, released) = mpsc::channel::<()>();
        let released = Mutex::new(released);
        let written = AtomicU64::new(0);
        let seen = AtomicU64::new(u64::MAX);
        thread::scope(|scope| {
            scope.spawn(|| {
                group
                    .sync(|| {
                        seen.store(written.load(SeqCst), SeqCst);
                        entered.send(()).unwrap();
                        released.lock().unwrap().recv().unwrap();
                        Ok(())
                    })
                    .unwrap();
            });
            entry.recv().unwrap();
            written.store(1, SeqCst);
            let follower = scope.spawn(|| {
                group
                    .sync(|| {
                        seen.store(written.load(SeqCst), SeqCst);
                        Ok(())
                    })
                    .unwrap();
                assert_eq!(seen.load(SeqCst), 1, "the write is not covered");
            });
            release.send(()).unwrap();
            follower.join().unwrap();
        });
    }

    #[test]
    fn after_a_failed_sync_no_later_one_succeeds() {
        let group = GroupCommit::new();
        let first = group.sync(|| Err(io::Error::other("no space"))).unwrap_err();
        let later = group.sync(|| Ok(())).unwrap_err();
        assert_eq!(
            (first.to_string(), later.to_string()),
            ("no space".into(), "a sync failed before: no space".into())
        );
        assert!(lasts_until_reopened(&first) && lasts_until_reopened(&later));
        assert!(!lasts_until_reopened(&io::Error::other("a sync failed before: no space")));
    }
}
