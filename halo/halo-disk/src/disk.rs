//! The disk: commands in, completions out.

use crate::arm::Arm;
use crate::profile::Profile;
use crate::write_cache::WriteCache;
use std::collections::VecDeque;

/// What is to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// Bring sectors.
    Read,
    /// Take sectors.
    Write,
    /// Put all writes on the platter that have completed.
    Flush,
}

/// A command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// The host's number for it.
    pub id: u64,
    /// What to do.
    pub operation: Operation,
    /// Where; a flush has no place.
    pub first_sector: u64,
    /// How many; a flush has none.
    pub sectors: u64,
}

/// A command is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Completion {
    /// The host's number for it.
    pub id: u64,
    /// Since when.
    pub at_nanos: u64,
}

/// A hard disk without its data.
///
/// One command is at the platters at a time. The next is the one that can begin soonest (shortest positioning time first) among
/// the oldest [`Profile::queue_depth`], unless the oldest has lost its patience. With a write cache, writes complete once they
/// have arrived; they go to the platter when nothing else is to do, and take turns with other commands while a flush waits.
///
/// The clock must not run backwards: [`Disk::submit`] and [`Disk::advance`] are called with times that never fall.
#[derive(Clone, Debug)]
pub struct Disk {
    profile: Profile,
    arm: Arm,
    waiting: VecDeque<Waiting>,
    cache: Option<WriteCache>,
    flushes: Vec<Flush>,
    /// Completions that need no arm any more.
    certain: Vec<Completion>,
    at_platter: Option<Service>,
    cached_write_was_last: bool,
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    request: Request,
    arrived_nanos: u64,
}

#[derive(Clone, Copy, Debug)]
struct Flush {
    id: u64,
    mark: u64,
}

#[derive(Clone, Copy, Debug)]
struct Service {
    /// Nothing: a cached write, whose completion was told long ago.
    id: Option<u64>,
    first_sector: u64,
    sectors: u64,
    end_nanos: u64,
}

impl Disk {
    /// Idle, with its heads at the outer rim.
    pub fn new(profile: Profile) -> Self {
        Self {
            arm: Arm::new(profile),
            profile,
            waiting: VecDeque::new(),
            cache: profile.write_cache.map(WriteCache::new),
            flushes: Vec::new(),
            certain: Vec::new(),
            at_platter: None,
            cached_write_was_last: false,
        }
    }

    /// Which disk it is.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Hands over a command at `now_nanos`, up to which the disk must have been advanced.
    pub fn submit(&mut self, now_nanos: u64, request: Request) {
        let now_nanos = now_nanos + self.profile.command_nanos;
        let done = |at_nanos| Completion { id: request.id, at_nanos };
        match (request.operation, &mut self.cache) {
            (Operation::Flush, None) => self.certain.push(done(now_nanos)),
            (Operation::Flush, Some(cache)) => {
                let mark = cache.mark();
                if cache.is_clean_up_to(mark) && self.at_platter.is_none_or(|service| service.id.is_some()) {
                    self.certain.push(done(now_nanos));
                } else {
                    self.flushes.push(Flush { id: request.id, mark });
                }
            }
            (Operation::Write, Some(cache)) => match cache.take(now_nanos, request.first_sector, request.sectors) {
                Some(at_nanos) => self.certain.push(done(at_nanos)),
                None => self.waiting.push_back(Waiting { request, arrived_nanos: now_nanos }),
            },
            (Operation::Read, _) | (Operation::Write, None) => {
                self.waiting.push_back(Waiting { request, arrived_nanos: now_nanos });
            }
        }
        self.serve(now_nanos);
    }

    /// When something happens next, if nothing else is submitted.
    pub fn next_event_nanos(&self) -> Option<u64> {
        let certain = self.certain.iter().map(|completion| completion.at_nanos).min();
        let served = self.at_platter.map(|service| service.end_nanos);
        [certain, served].into_iter().flatten().min()
    }

    /// Lets time pass until `now_nanos`; appends what completed, in order of time.
    pub fn advance(&mut self, now_nanos: u64, completed: &mut Vec<Completion>) {
        while let Some(at_nanos) = self.next_event_nanos().filter(|&at_nanos| at_nanos <= now_nanos) {
            self.certain.retain(|completion| {
                let due = completion.at_nanos == at_nanos;
                if due {
                    completed.push(*completion);
                }
                !due
            });
            if let Some(service) = self.at_platter.take_if(|service| service.end_nanos == at_nanos) {
                self.arm.moved(service.first_sector, service.sectors);
                completed.extend(service.id.map(|id| Completion { id, at_nanos }));
                self.finish_flushes(at_nanos);
                self.serve(at_nanos);
            }
        }
    }

    fn finish_flushes(&mut self, now_nanos: u64) {
        let Some(cache) = &self.cache else { return };
        let certain = &mut self.certain;
        self.flushes.retain(|flush| {
            let clean = cache.is_clean_up_to(flush.mark);
            if clean {
                certain.push(Completion { id: flush.id, at_nanos: now_nanos + cache.flush_nanos() });
            }
            !clean
        });
    }

    /// Sends the arm out, if it is idle and there is something to do.
    fn serve(&mut self, now_nanos: u64) {
        if self.at_platter.is_some() {
            return;
        }
        let cached = self.cache.as_ref().is_some_and(|cache| !cache.candidates().is_empty());
        let turn_of_cached = !self.flushes.is_empty() && !self.cached_write_was_last;
        self.at_platter = if cached && (self.waiting.is_empty() || turn_of_cached) {
            self.serve_cached(now_nanos)
        } else {
            self.serve_waiting(now_nanos)
        };
    }

    fn serve_cached(&mut self, now_nanos: u64) -> Option<Service> {
        let cache = self.cache.as_mut()?;
        let places = cache.candidates().iter().map(|cached| (cached.first_sector, cached.sectors, true));
        let (index, end_nanos) = soonest(&self.arm, now_nanos, places)?;
        let cached = cache.remove(index);
        self.cached_write_was_last = true;
        Some(Service { id: None, first_sector: cached.first_sector, sectors: cached.sectors, end_nanos })
    }

    fn serve_waiting(&mut self, now_nanos: u64) -> Option<Service> {
        let oldest = self.waiting.front()?;
        let impatient = now_nanos.saturating_sub(oldest.arrived_nanos) > self.profile.patience_nanos;
        let choice = if impatient { 1 } else { self.profile.queue_depth.max(1) };
        let places = self.waiting.iter().take(choice).map(|waiting| {
            let Request { operation, first_sector, sectors, .. } = waiting.request;
            (first_sector, sectors, operation == Operation::Write)
        });
        let (index, end_nanos) = soonest(&self.arm, now_nanos, places)?;
        let Request { id, first_sector, sectors, .. } = self.waiting.remove(index)?.request;
        self.cached_write_was_last = false;
        Some(Service { id: Some(id), first_sector, sectors, end_nanos })
    }
}

/// Which of several places the head can be at first, and when the transfer there ends.
fn soonest(arm: &Arm, now_nanos: u64, places: impl Iterator<Item = (u64, u64, bool)>) -> Option<(usize, u64)> {
    places
        .map(|(first, sectors, writes)| arm.position(now_nanos, first, sectors, writes))
        .enumerate()
        .min_by_key(|(_, position)| position.begin_nanos)
        .map(|(index, position)| (index, position.end_nanos))
}
