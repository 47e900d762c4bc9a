//! Two-way destaging: when to write a bucket back to the disk, and which.
//!
//! Not here: how it is written and when its slots may be reused (that is the durable cache's business).
//!
//! Source: Auburn §3.1.3.

use crate::address::Bucket;
use crate::buckets::BucketTable;

/// When and what to destage. The paper gives the utilisations as examples and no values for the other thresholds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DestageSettings {
    /// Share of the slots in use from which destaging must happen, even if requests wait. Source: Auburn §3.1.3 (95%).
    pub on_demand_utilisation: f64,
    /// Share of the slots in use from which an idle disk is used. Source: Auburn §3.1.3 (80%).
    pub background_utilisation: f64,
    /// The disk counts as idle below this utilisation. Source: Auburn §3.1.3 (10%).
    pub idle_disk_utilisation: f64,
    /// `TH_BCOUNTS`: blocks above the average that a bucket must have.
    pub count_threshold_blocks: u32,
    /// `TH_RECENCY`: age in requests that a well-filled bucket must have.
    pub age_threshold_requests: u64,
    /// `OD_RECENCY`: age in requests from which any bucket may go.
    pub old_age_requests: u64,
    /// Activated buckets looked at before the thresholds decay.
    pub round_buckets: u32,
}

impl DestageSettings {
    /// Thresholds for a cache of `slots` slots.
    ///
    /// Own: an age counts relative to the cache. A block written once stays for about `slots` misses, so a bucket untouched
    /// for an eighth of that is cold, and one untouched for four times that is forgotten (`OD_RECENCY` ≫ `TH_RECENCY`).
    /// Sixteen blocks above the average are 64 KiB more per seek.
    ///
    /// Little depends on it, as measured by replays of random, Zipf and appending writes, a virtual machine's disk and an OLTP
    /// trace: ages of 1/32 to 1 of the slots, 4 to 64 blocks and rounds of 64 to 2048 buckets change the blocks destaged by at
    /// most 3%. Blocks per region change by up to 20%: too short an age takes regions away that are still being appended to
    /// (202 instead of 254 of 256 blocks), too long a one is never reached. Rounds of 2048 take two to four times as long.
    pub fn for_slots(slots: u32) -> Self {
        let slots = u64::from(slots);
        Self {
            on_demand_utilisation: 0.95,
            background_utilisation: 0.80,
            idle_disk_utilisation: 0.10,
            count_threshold_blocks: 16,
            age_threshold_requests: (slots / 8).max(1),
            old_age_requests: (slots * 4).max(8),
            round_buckets: 256,
        }
    }
}

/// Why destaging starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trigger {
    /// The cache is nearly full: requests may have to wait.
    OnDemand,
    /// The cache is well filled and the disk has nothing else to do.
    Background,
    /// Blocks have been dirty for too long. Not [`Destager::trigger`]'s to say: it knows no time.
    Age,
    /// Nobody has written for a while, and the disk has nothing else to do. As for [`Trigger::Age`].
    Idle,
}

/// The scan pointer (`buck_scan`) and how far the thresholds have decayed.
pub struct Destager {
    settings: DestageSettings,
    scan: u32,
    decay: u32,
}

/// Decay steps over which `TH_BCOUNTS` is halved before the average itself is given up.
const COUNT_HALVINGS: u32 = 5;
/// Decay steps over which the average is given up, an eighth each.
const AVERAGE_STEPS: u32 = 8;

impl Destager {
    /// A destager whose scan starts at the first bucket.
    pub fn new(settings: DestageSettings) -> Self {
        Self { settings, scan: 0, decay: 0 }
    }

    /// The settings.
    pub fn settings(&self) -> &DestageSettings {
        &self.settings
    }

    /// Whether to destage now. `disk_utilisation` is the share of time that the disk is busy with other requests, 0 to 1.
    pub fn trigger(&self, used: u64, slots: u64, disk_utilisation: f64) -> Option<Trigger> {
        let utilisation = used as f64 / slots as f64;
        if utilisation >= self.settings.on_demand_utilisation {
            Some(Trigger::OnDemand)
        } else if utilisation >= self.settings.background_utilisation
            && disk_utilisation < self.settings.idle_disk_utilisation
        {
            Some(Trigger::Background)
        } else {
            None
        }
    }

    /// The next bucket to destage, or nothing when `may_go` refuses all activated ones.
    ///
    /// A bucket is eligible when (bcounts > average + `TH_BCOUNTS` and age >= `TH_RECENCY`) or age >= `OD_RECENCY`. The scan
    /// goes on from the last victim in the order of the disk, so victims form sweeps from low to high addresses.
    /// Source: Auburn §3.1.3.
    /// Deviation: a round is [`DestageSettings::round_buckets`] activated buckets instead of the whole table, and the
    /// thresholds come back one step when a victim is found within an eighth of a round; a full table scan per decay step
    /// would cost milliseconds per victim. Thresholds decay until any bucket is eligible, so a victim is always found.
    pub fn choose(
        &mut self,
        buckets: &BucketTable,
        now_requests: u64,
        mut may_go: impl FnMut(Bucket) -> bool,
    ) -> Option<Bucket> {
        let mut looked_at = 0;
        let mut looked_at_without_limits = 0;
        let mut needed = self.needed(buckets);
        loop {
            let bucket = buckets.next_activated(self.scan).or_else(|| buckets.next_activated(0))?;
            self.scan = (bucket.0 + 1) % buckets.len();
            looked_at += 1;
            let age = buckets.age_requests(bucket, now_requests);
            let well_filled = f64::from(buckets.count(bucket)) > needed.count;
            let eligible = (well_filled && age >= needed.age_requests) || age >= self.settings.old_age_requests;
            if eligible && may_go(bucket) {
                if looked_at <= self.settings.round_buckets / 8 {
                    self.decay = self.decay.saturating_sub(1);
                }
                return Some(bucket);
            }
            if self.decay == self.decay_limit() {
                looked_at_without_limits += 1;
                if looked_at_without_limits > buckets.activated() {
                    return None;
                }
            } else if looked_at >= self.settings.round_buckets.min(buckets.activated()) {
                looked_at = 0;
                self.decay += 1;
                needed = self.needed(buckets);
            }
        }
    }

    /// Steps by which the thresholds have decayed; 0 when they are as set.
    pub fn decay(&self) -> u32 {
        self.decay
    }

    fn decay_limit(&self) -> u32 {
        let age_halvings = u64::BITS - self.settings.age_threshold_requests.leading_zeros();
        age_halvings.max(COUNT_HALVINGS + AVERAGE_STEPS)
    }

    /// Own: each step halves both thresholds; once `TH_BCOUNTS` is below one block, each further step gives up an eighth
    /// of the average, because buckets that all hold the average are never above it.
    fn needed(&self, buckets: &BucketTable) -> Needed {
        let average = buckets.blocks() as f64 / f64::from(buckets.activated().max(1));
        let given_up = self.decay.saturating_sub(COUNT_HALVINGS).min(AVERAGE_STEPS);
        let threshold = f64::from(self.settings.count_threshold_blocks >> self.decay.min(31));
        Needed {
            count: average * f64::from(AVERAGE_STEPS - given_up) / f64::from(AVERAGE_STEPS) + threshold,
            age_requests: self.settings.age_threshold_requests.checked_shr(self.decay).unwrap_or(0),
        }
    }
}

/// The count that the first rule asks of a bucket at the present decay.
struct Needed {
    count: f64,
    age_requests: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::{BLOCKS_PER_BUCKET, Lbn, SectorMask, Slot};
    use crate::directory::Directory;

    const SETTINGS: DestageSettings = DestageSettings {
        on_demand_utilisation: 0.95,
        background_utilisation: 0.80,
        idle_disk_utilisation: 0.10,
        count_threshold_blocks: 8,
        age_threshold_requests: 1000,
        old_age_requests: 100_000,
        round_buckets: 64,
    };

    /// A directory with `counts[i]` blocks in bucket i, all last accessed at request 16.
    fn filled(counts: &[u64]) -> Directory {
        let mut directory: Directory = Directory::new(counts.len() as u64 * BLOCKS_PER_BUCKET, 4096, 1);
        for _ in 0..16 {
            directory.tick();
        }
        let mut slot = 0;
        for (bucket, &count) in counts.iter().enumerate() {
            for index in 0..count {
                directory.put(Lbn(bucket as u64 * BLOCKS_PER_BUCKET + index), Slot(slot), SectorMask::FULL);
                slot += 1;
            }
        }
        directory
    }

    #[test]
    fn a_nearly_full_cache_destages_even_when_the_disk_is_busy() {
        let destager = Destager::new(SETTINGS);
        assert_eq!(destager.trigger(95, 100, 1.0), Some(Trigger::OnDemand));
        assert_eq!(destager.trigger(94, 100, 1.0), None);
    }

    #[test]
    fn a_well_filled_cache_destages_only_when_the_disk_is_idle() {
        let destager = Destager::new(SETTINGS);
        assert_eq!(destager.trigger(80, 100, 0.09), Some(Trigger::Background));
        assert_eq!(destager.trigger(80, 100, 0.10), None);
        assert_eq!(destager.trigger(79, 100, 0.0), None);
    }

    #[test]
    fn a_full_and_cold_bucket_goes_before_sparse_ones() {
        let directory = filled(&[2, 2, 60, 2, 2]);
        let mut destager = Destager::new(SETTINGS);
        assert_eq!(destager.choose(directory.buckets(), 5000, |_| true), Some(Bucket(2)));
        assert_eq!(destager.decay(), 0);
    }

    #[test]
    fn a_full_bucket_in_use_stays_while_a_colder_one_is_eligible() {
        let mut directory = filled(&[50, 2, 50, 2, 2]);
        while directory.now_requests() < 5000 {
            directory.tick();
        }
        directory.access(Lbn(3));
        let mut destager = Destager::new(SETTINGS);
        assert_eq!(destager.choose(directory.buckets(), 5000, |_| true), Some(Bucket(2)));
    }

    #[test]
    fn a_sparse_bucket_goes_once_it_is_very_old() {
        let directory = filled(&[3, 3, 3]);
        let mut destager = Destager::new(SETTINGS);
        assert_eq!(destager.choose(directory.buckets(), 100_100, |_| true), Some(Bucket(0)));
        assert_eq!(destager.decay(), 0);
    }

    #[test]
    fn thresholds_decay_until_even_a_fresh_average_bucket_goes() {
        let directory = filled(&[3, 3, 3]);
        let mut destager = Destager::new(SETTINGS);
        assert!(destager.choose(directory.buckets(), 16, |_| true).is_some());
        assert!(destager.decay() > 0);
    }

    #[test]
    fn thresholds_come_back_when_victims_are_easy_to_find() {
        let counts = vec![10; 100];
        let directory = filled(&counts);
        let mut destager = Destager::new(SETTINGS);
        destager.choose(directory.buckets(), 16, |_| true);
        let decayed = destager.decay();
        destager.choose(directory.buckets(), 200_000, |_| true);
        assert_eq!(destager.decay(), decayed - 1);
    }

    #[test]
    fn victims_sweep_over_the_disk_in_one_direction() {
        let directory = filled(&[40; 20]);
        let mut destager = Destager::new(SETTINGS);
        let victims: Vec<_> =
            (0..20).filter_map(|_| destager.choose(directory.buckets(), 200_000, |_| true)).map(|b| b.0).collect();
        assert_eq!(victims, (0..20).collect::<Vec<_>>());
    }

    #[test]
    fn the_scan_ends_when_no_bucket_may_go() {
        let directory = filled(&[40; 20]);
        let mut destager = Destager::new(SETTINGS);
        assert_eq!(destager.choose(directory.buckets(), 200_000, |_| false), None);
        let empty = filled(&[0]);
        assert_eq!(destager.choose(empty.buckets(), 0, |_| true), None);
    }
}
