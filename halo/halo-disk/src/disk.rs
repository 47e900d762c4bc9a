//! The disk: commands in, completions out.

use crate::arm::{Arm, Positioning};
use crate::profile::Profile;
use crate::read_buffer::ReadBuffer;
use crate::write_cache::WriteCache;
use std::collections::VecDeque;

/// The kind of a request.
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
    /// The kind of the request.
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
/// have arrived; they go to the platter when nothing else is to do, and take turns with other commands while a flush waits, or a
/// write for which there is no room. With a read buffer, the disk reads on behind the last read until it is sent elsewhere.
///
/// The clock must not run backwards: [`Disk::submit`] and [`Disk::advance`] are called with times that never fall.
#[derive(Clone, Debug)]
pub struct Disk {
    profile: Profile,
    arm: Arm,
    waiting: VecDeque<Waiting>,
    cache: Option<WriteCache>,
    /// Writes for which the cache has no room yet.
    blocked: VecDeque<Waiting>,
    buffer: Option<ReadBuffer>,
    /// The host's bytes come over one link.
    link_free_nanos: u64,
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
    task: Task,
    first_sector: u64,
    sectors: u64,
    positioning: Positioning,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    Read(u64),
    Write(u64),
    /// Of a write whose completion was told long ago.
    CachedWrite,
}

impl Disk {
    /// Idle, with its heads at the outer rim.
    pub fn new(profile: Profile) -> Self {
        Self {
            arm: Arm::new(profile),
            profile,
            waiting: VecDeque::new(),
            cache: profile.write_cache.map(WriteCache::new),
            blocked: VecDeque::new(),
            buffer: profile.read_buffer.map(ReadBuffer::new),
            link_free_nanos: 0,
            flushes: Vec::new(),
            certain: Vec::new(),
            at_platter: None,
            cached_write_was_last: false,
        }
    }

    /// The disk that it stands for.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Hands over a command at `now_nanos`, up to which the disk must have been advanced.
    pub fn submit(&mut self, now_nanos: u64, request: Request) {
        match request.operation {
            Operation::Flush => self.submit_flush(now_nanos + self.profile.command_nanos, request.id),
            Operation::Read => self.submit_read(now_nanos, request),
            Operation::Write => self.submit_write(now_nanos + self.profile.write_command_nanos, request),
        }
    }

    fn submit_flush(&mut self, now_nanos: u64, id: u64) {
        let mark = self.cache.as_ref().map_or(0, WriteCache::mark);
        if self.is_clean_up_to(mark) && self.blocked.is_empty() {
            self.certain.push(Completion { id, at_nanos: now_nanos });
        } else {
            self.flushes.push(Flush { id, mark: mark + self.blocked.len() as u64 });
        }
        self.serve(now_nanos);
    }

    fn submit_read(&mut self, now_nanos: u64, request: Request) {
        let Request { id, first_sector, sectors, .. } = request;
        let available = self.buffer.as_mut().and_then(|buffer| buffer.find(now_nanos, first_sector, sectors));
        if let Some(ready_nanos) = available {
            let at_nanos = self.link(now_nanos.max(ready_nanos) + self.profile.hit_nanos, sectors);
            self.certain.push(Completion { id, at_nanos });
        } else {
            let arrived_nanos = now_nanos + self.profile.command_nanos;
            self.waiting.push_back(Waiting { request, arrived_nanos });
            self.serve(arrived_nanos);
        }
    }

    fn submit_write(&mut self, now_nanos: u64, request: Request) {
        let waiting = Waiting { request, arrived_nanos: now_nanos };
        match &self.cache {
            Some(cache) if cache.fits(request.sectors) => {
                self.blocked.push_back(waiting);
                self.admit(now_nanos);
            }
            _ => self.waiting.push_back(waiting),
        }
        self.serve(now_nanos);
    }

    /// Lets writes into the cache, in the order in which they came, as far as there is room.
    fn admit(&mut self, now_nanos: u64) {
        while let Some(Waiting { request, arrived_nanos }) = self.blocked.front().copied() {
            let Some(cache) = &mut self.cache else { return };
            if !cache.take(request.first_sector, request.sectors) {
                return;
            }
            self.blocked.pop_front();
            if let Some(buffer) = &mut self.buffer {
                buffer.written(request.first_sector, request.sectors);
            }
            let at_nanos = self.link(now_nanos.max(arrived_nanos), request.sectors);
            self.certain.push(Completion { id: request.id, at_nanos });
        }
    }

    /// When `sectors` have passed between host and disk, if they may set out at `from_nanos`.
    fn link(&mut self, from_nanos: u64, sectors: u64) -> u64 {
        self.link_free_nanos = self.link_free_nanos.max(from_nanos) + sectors * self.profile.bus_sector_nanos;
        self.link_free_nanos
    }

    /// True when no cached write that a flush with this mark waits for is missing on the platter.
    fn is_clean_up_to(&self, mark: u64) -> bool {
        self.cache.as_ref().is_none_or(|cache| cache.is_clean_up_to(mark))
            && self.at_platter.is_none_or(|service| service.task != Task::CachedWrite)
    }

    /// When something happens next, if nothing else is submitted.
    pub fn next_event_nanos(&self) -> Option<u64> {
        let certain = self.certain.iter().map(|completion| completion.at_nanos).min();
        let served = self.at_platter.map(|service| service.positioning.end_nanos);
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
            if let Some(service) = self.at_platter.take_if(|service| service.positioning.end_nanos == at_nanos) {
                self.arm.moved(service.first_sector, service.sectors);
                self.served(service);
                self.finish_flushes(at_nanos);
                self.serve(at_nanos);
            }
        }
    }

    /// The platter is done with something; the host still has to get the sectors of a read.
    fn served(&mut self, Service { task, first_sector, sectors, positioning }: Service) {
        let end_nanos = positioning.end_nanos;
        match task {
            Task::Read(id) => {
                let bus_nanos = self.profile.bus_sector_nanos;
                // Sectors leave as they come in; the last one cannot leave before it has come.
                let at_nanos = (positioning.begin_nanos + sectors * bus_nanos).max(end_nanos) + bus_nanos;
                self.certain.push(Completion { id, at_nanos });
                if let Some(buffer) = &mut self.buffer {
                    buffer.read(end_nanos, first_sector, sectors, self.arm.sector_nanos(first_sector + sectors));
                }
            }
            Task::Write(id) => {
                self.certain.push(Completion { id, at_nanos: end_nanos });
                if let Some(buffer) = &mut self.buffer {
                    buffer.written(first_sector, sectors);
                }
            }
            Task::CachedWrite => {}
        }
    }

    fn finish_flushes(&mut self, now_nanos: u64) {
        let Some(cache) = &self.cache else { return };
        let (flush_nanos, certain) = (cache.flush_nanos(), &mut self.certain);
        self.flushes.retain(|flush| {
            let clean = cache.is_clean_up_to(flush.mark) && cache.mark() >= flush.mark;
            if clean {
                certain.push(Completion { id: flush.id, at_nanos: now_nanos + flush_nanos });
            }
            !clean
        });
    }

    /// Sends the arm out, if it is idle and there is something to do.
    fn serve(&mut self, now_nanos: u64) {
        if self.at_platter.is_some() {
            return;
        }
        let cached = self.cache.as_ref().is_some_and(|cache| !cache.is_clean());
        let wanted = !self.flushes.is_empty() || !self.blocked.is_empty();
        let turn_of_cached = wanted && !self.cached_write_was_last;
        self.at_platter = if cached && (self.waiting.is_empty() || turn_of_cached) {
            self.serve_cached(now_nanos)
        } else {
            self.serve_waiting(now_nanos)
        };
        if let (Some(service), Some(buffer)) = (&self.at_platter, &mut self.buffer) {
            buffer.arm_leaves(now_nanos.min(service.positioning.begin_nanos));
        }
        self.admit(now_nanos);
    }

    fn serve_cached(&mut self, now_nanos: u64) -> Option<Service> {
        let cache = self.cache.as_mut()?;
        let places = cache.candidates().map(|cached| (cached.first_sector, cached.sectors, true));
        let (index, positioning) = soonest(&self.arm, now_nanos, places)?;
        let cached = cache.remove(index)?;
        self.cached_write_was_last = true;
        let (first_sector, sectors) = (cached.first_sector, cached.sectors);
        Some(Service { task: Task::CachedWrite, first_sector, sectors, positioning })
    }

    fn serve_waiting(&mut self, now_nanos: u64) -> Option<Service> {
        let oldest = self.waiting.front()?;
        let impatient = now_nanos.saturating_sub(oldest.arrived_nanos) > self.profile.patience_nanos;
        let choice = if impatient { 1 } else { self.profile.queue_depth.max(1) };
        let places = self.waiting.iter().take(choice).map(|waiting| {
            let Request { operation, first_sector, sectors, .. } = waiting.request;
            (first_sector, sectors, operation == Operation::Write)
        });
        let (index, positioning) = soonest(&self.arm, now_nanos, places)?;
        let Request { id, operation, first_sector, sectors } = self.waiting.remove(index)?.request;
        self.cached_write_was_last = false;
        let task = if operation == Operation::Write { Task::Write(id) } else { Task::Read(id) };
        Some(Service { task, first_sector, sectors, positioning })
    }
}

/// The place, of several, that the head can be at first.
fn soonest(arm: &Arm, now_nanos: u64, places: impl Iterator<Item = (u64, u64, bool)>) -> Option<(usize, Positioning)> {
    places
        .map(|(first, sectors, writes)| arm.position(now_nanos, first, sectors, writes))
        .enumerate()
        .min_by_key(|(_, position)| position.begin_nanos)
}
