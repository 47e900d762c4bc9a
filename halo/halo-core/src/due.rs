//! Whether to destage now: because the cache fills, because blocks are old, or because there is nothing else to do.
//!
//! Own: how full the cache is decides [`crate::destage`]. Two rules are added, for what the paper leaves in the cache for ever. A block is
//! *due by age* an eighth before the greatest age that is wanted, so that it has left by then; all blocks older than half of it go in the same
//! sweep, because a sweep with few blocks costs the disk the most for each. And when no request has written for a while, and the disk hardly
//! reads, everything goes. Not here: which blocks go first but for their age, how time is told (the host), how blocks go.

use crate::address::{Bucket, Slot};
use crate::ages::Ages;
use crate::destage::{Destager, Trigger};
use crate::directory::{CachedBlock, Directory};
use crate::index::BlockIndex;
use std::time::Duration;

/// Blocks looked at for one batch of old ones, so that requests wait for about 2 ms at most; the next look goes on from there.
const MOST_LOOKED_AT: usize = 16_384;

/// Why time alone lets blocks go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DueSettings {
    /// Everything is destaged when no request has written for so long and the disk hardly reads; nothing: never for that reason.
    pub idle_after: Option<Duration>,
    /// Blocks leave the cache before they have been dirty for so long, if the disk takes them; nothing: at any age.
    pub max_dirty_age: Option<Duration>,
}

impl DueSettings {
    /// The default of a served cache.
    ///
    /// Own: idle after longer than the pauses of a program that goes on writing, short enough that little is lost with a cache device that
    /// dies. A block that is written again and again goes to the disk every five to ten minutes because of its age.
    pub const USUAL: Self =
        Self { idle_after: Some(Duration::from_secs(5)), max_dirty_age: Some(Duration::from_secs(600)) };

    /// Ages of the blocks in so many slots, as fine as the rule needs them.
    pub fn ages(&self, slots: u32) -> Ages {
        Ages::new(slots, self.max_dirty_age.or(Self::USUAL.max_dirty_age).unwrap_or_default())
    }
}

impl Default for DueSettings {
    fn default() -> Self {
        Self::USUAL
    }
}

/// How full a cache is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fill {
    /// Slots in use.
    pub used: u64,
    /// All slots.
    pub slots: u64,
    /// No block is cached that the disk lacks.
    pub is_clean: bool,
}

/// The rule, and what it remembers.
pub struct Due {
    settings: DueSettings,
    /// A sweep of old blocks has begun, and some are left.
    sweeping: bool,
    /// Where the search for old blocks goes on.
    scan: u32,
    /// Blocks looked at since the search found one.
    fruitless_blocks: u64,
    /// The search found none in all of the cache: damaged ones are all that is old. It begins anew then.
    rests_until: Duration,
    /// No block is left that could go: all are damaged. Until others are written.
    exhausted: bool,
    last_write: Duration,
}

impl Due {
    /// As if a request had just written.
    pub fn new(settings: DueSettings) -> Self {
        Self {
            settings,
            sweeping: false,
            scan: 0,
            fruitless_blocks: 0,
            rests_until: Duration::ZERO,
            exhausted: false,
            last_write: Duration::ZERO,
        }
    }

    /// A request wrote.
    pub fn note_write(&mut self, now: Duration) {
        self.last_write = now;
    }

    /// Blocks came that can go.
    pub fn note_new_blocks(&mut self) {
        self.exhausted = false;
    }

    /// No block can go.
    pub fn note_none_left(&mut self) {
        self.exhausted = true;
    }

    /// Whether to destage now, for a disk that is busy with requests of others for a share of `disk_utilisation` of the time. With ages that
    /// are never told the time: by how full the cache is alone.
    pub fn trigger(&self, destager: &Destager, fill: Fill, ages: &Ages, disk_utilisation: f64) -> Option<Trigger> {
        let filled = destager.trigger(fill.used, fill.slots, disk_utilisation);
        if filled == Some(Trigger::OnDemand) || self.exhausted {
            return filled;
        }
        let idle_disk = disk_utilisation < destager.settings().idle_disk_utilisation;
        let written_since = ages.now().saturating_sub(self.last_write);
        let idle = idle_disk && self.settings.idle_after.is_some_and(|pause| written_since >= pause);
        if self.oldest_due(ages).is_some_and(|at| ages.now() >= at) {
            Some(Trigger::Age)
        } else if filled.is_none() && idle && !fill.is_clean {
            Some(Trigger::Idle)
        } else {
            filled
        }
    }

    /// When time alone is the next reason to ask anew, if nothing is written and the disk is idle: later than now.
    pub fn next_reason(&self, ages: &Ages) -> Option<Duration> {
        let idle = self.settings.idle_after.map(|pause| self.last_write + pause);
        [idle, self.oldest_due(ages)].into_iter().flatten().filter(|&at| at > ages.now()).min()
    }

    /// When the oldest block is due by its age.
    fn oldest_due(&self, ages: &Ages) -> Option<Duration> {
        let (most, oldest) = (self.settings.max_dirty_age?, ages.oldest()?);
        let limit = if self.sweeping { most / 2 } else { most / 8 * 7 };
        let due = ages.now().saturating_sub(oldest) + limit;
        Some(due.max(self.rests_until))
    }

    /// The blocks of buckets with old ones, as far as they `can_leave`; none when the search has not found any yet. It ends with the bucket
    /// that makes `most_blocks` full.
    pub fn old_blocks<I: BlockIndex>(
        &mut self,
        directory: &Directory<I>,
        ages: &Ages,
        most_blocks: usize,
        can_leave: impl Fn(Slot) -> bool,
    ) -> Vec<CachedBlock> {
        let most_age = self.settings.max_dirty_age.unwrap_or_default();
        self.sweeping = ages.oldest().is_some_and(|oldest| oldest >= most_age / 2);
        let (mut chosen, mut listed, mut looked_at) = (Vec::new(), Vec::new(), 0);
        let buckets = directory.buckets();
        let first = self.scan;
        let mut gone_round = false;
        while chosen.len() < most_blocks && looked_at < MOST_LOOKED_AT {
            let Some(bucket) = buckets.next_activated(self.scan) else {
                if gone_round || buckets.activated() == 0 {
                    break;
                }
                (self.scan, gone_round) = (0, true);
                continue;
            };
            if gone_round && bucket.0 >= first {
                break;
            }
            self.scan = bucket.0 + 1;
            looked_at += buckets.count(bucket) as usize;
            self.list_if_old(directory, ages, bucket, &can_leave, &mut listed);
            chosen.append(&mut listed);
        }
        self.rest_if_fruitless(directory.len(), ages.now(), chosen.is_empty(), looked_at as u64);
        chosen
    }

    fn list_if_old<I: BlockIndex>(
        &self,
        directory: &Directory<I>,
        ages: &Ages,
        bucket: Bucket,
        can_leave: impl Fn(Slot) -> bool,
        listed: &mut Vec<CachedBlock>,
    ) {
        directory.list(bucket, listed);
        listed.retain(|block| can_leave(block.slot));
        if !listed.iter().any(|block| self.is_old(ages, block.slot)) {
            listed.clear();
        }
    }

    fn rest_if_fruitless(&mut self, blocks: u64, now: Duration, found_none: bool, looked_at: u64) {
        self.fruitless_blocks = if found_none { self.fruitless_blocks + looked_at } else { 0 };
        if self.fruitless_blocks >= blocks && found_none {
            self.rest(now);
        }
    }

    /// All that is old cannot go: for a while it is no reason to look again.
    pub fn rest(&mut self, now: Duration) {
        self.sweeping = false;
        self.fruitless_blocks = 0;
        self.rests_until = now + self.settings.max_dirty_age.unwrap_or_default() / 8;
    }

    /// True when the copy goes in a sweep by age.
    pub fn is_old(&self, ages: &Ages, slot: Slot) -> bool {
        ages.of(slot) >= self.settings.max_dirty_age.unwrap_or_default() / 2
    }
}
