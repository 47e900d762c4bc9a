//! Flushes of two threads, of which one answers for what the other has written past the cache.

use super::bypass::bypassing;
use super::machine::{Machine, Ram, TestCache, Verdict, with};
use crate::promise;
use halo_cache::driver::{self, End, Host};
use halo_cache::{CacheError, Change, Mode, Planted, Settings};
use halo_media::Survival;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::sync::mpsc::channel;
use std::sync::{Condvar, Mutex};

struct Shared {
    cache: Mutex<TestCache>,
    ended: Condvar,
    medium: Ram,
    disk: Ram,
}

/// One of its threads, which says before each step where it is, and when it waits. A step that tells how work on a device ended does not
/// count: which of the threads does the work is not for a test to say.
struct Thread<'a> {
    shared: &'a Shared,
    steps: AtomicU32,
    worked: AtomicBool,
    before_step: &'a (dyn Fn(u32) + Sync),
    waits: &'a (dyn Fn() + Sync),
}

impl Host<Ram, Ram> for Thread<'_> {
    fn with<T>(&self, step: impl FnOnce(&mut TestCache) -> T) -> T {
        if !self.worked.swap(false, SeqCst) {
            (self.before_step)(self.steps.fetch_add(1, SeqCst));
        }
        step(&mut self.shared.cache.lock().expect("no thread panics"))
    }

    fn when<T>(&self, _: End, mut step: impl FnMut(&mut TestCache) -> Option<T>) -> Result<T, CacheError> {
        let mut cache = self.shared.cache.lock().expect("no thread panics");
        loop {
            if let Some(given) = step(&mut cache) {
                return Ok(given);
            }
            (self.waits)();
            cache = self.shared.ended.wait(cache).expect("no thread panics");
        }
    }

    fn beside<T>(&self, work: impl FnOnce(&Ram, &Ram) -> T) -> T {
        let outcome = work(&self.shared.medium, &self.shared.disk);
        self.worked.store(true, SeqCst);
        outcome
    }

    fn work_ended(&self) {
        self.shared.ended.notify_all();
    }
}

/// The number of the step in which a flush looks for what the disk took directly.
const LOOKS: u32 = 1;

/// Both wait for the same commit, which was not the last that the items on the medium need; the second flush finds that the first has
/// answered for its write.
pub(crate) fn a_flush_that_answers_for_another_ends_when_no_item_can_undo_it(planted: Planted) -> Verdict {
    let machine = Machine::new(12, 512, bypassing(with(planted, Settings::new(Mode::Flush))));
    let (mut cache, _) = machine.open().map_err(|error| error.to_string())?;
    cache.write_durably(0, &[1; 512]).map_err(|error| error.to_string())?;
    let batch = cache.begin_destage(usize::MAX).ok_or("nothing to destage")?;
    let outcome = batch.transfer(&machine.medium, &machine.disk);
    let (medium, disk) = (machine.medium.clone(), machine.disk.clone());
    let shared = Shared { cache: Mutex::new(cache), ended: Condvar::new(), medium, disk };
    let (destage, commit) = (Mutex::new(Some((batch, outcome))), Mutex::new(None));
    let ((changed, is_changed), (waiting, is_waiting)) = (channel(), channel());
    let (first_ended, has_first_ended) = channel();
    let has_first_ended = Mutex::new(has_first_ended);
    // While a commit is under way, the destage ends, so that its item waits for two more; and the block goes past the cache.
    let change = |step| {
        if step != LOOKS {
            return;
        }
        let mut cache = shared.cache.lock().expect("no thread panics");
        cache.write(4096, &[2; 512]).expect("room");
        *commit.lock().expect("no thread panics") = Some(cache.begin_commit().expect("none is under way"));
        let (batch, outcome) = destage.lock().expect("no thread panics").take().expect("one change");
        cache.finish_destage(batch, outcome).expect("the disk took it");
        let Ok(Change::Direct(bypass)) = cache.begin_change(0, 4096, true) else { panic!("it is cached") };
        let written = bypass.perform(&shared.disk, &[3; 4096]);
        cache.finish_bypass(&bypass, written);
        changed.send(()).expect("it is waited for");
    };
    let follow = |step| {
        if step == LOOKS {
            has_first_ended.lock().expect("no thread panics").recv().expect("the first flush ends");
        }
    };
    let waits = || waiting.send(()).expect("it is waited for");
    let thread = |before_step| {
        let (steps, worked) = (AtomicU32::new(0), AtomicBool::new(false));
        Thread { shared: &shared, steps, worked, before_step, waits: &waits }
    };
    std::thread::scope(|scope| {
        let first = scope.spawn(|| {
            let flushed = driver::flush(&thread(&change));
            first_ended.send(()).expect("it is waited for");
            flushed
        });
        is_changed.recv().expect("a change");
        let second = scope.spawn(|| driver::flush(&thread(&follow)));
        (0..2).for_each(|_| is_waiting.recv().expect("two threads wait"));
        let commit = commit.lock().expect("no thread panics").take().expect("it was begun");
        let outcome = commit.make_durable(&shared.medium);
        shared.cache.lock().expect("no thread panics").finish_commit(commit, outcome).expect("a whole medium");
        shared.ended.notify_all();
        [first, second].into_iter().try_for_each(|flush| flush.join().expect("no thread panics"))
    })
    .map_err(|error| error.to_string())?;
    drop(shared);
    machine.lose_power(Survival::Nothing, Survival::Nothing);
    let (mut cache, _) = machine.open().map_err(|error| error.to_string())?;
    let mut bytes = [0; 4096];
    cache.read(0, &mut bytes).map_err(|error| error.to_string())?;
    promise!(bytes == [3; 4096], "what was flushed is undone by an item from before");
    Ok(())
}
