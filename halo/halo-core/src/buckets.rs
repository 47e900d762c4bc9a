//! The bucketinfo table: what is known about each 1 MiB region of the disk.

use crate::address::{Bucket, NONE, SLOT_BITS};
use crate::index::Handle;

const COUNT_BITS: u32 = 8;
const RECENCY_BITS: u32 = 28;
/// Requests per step of the recency field.
const REQUESTS_PER_STEP_LOG2: u32 = 4;

/// One word per bucket: list head, number of cached blocks, time of the last access.
///
/// Source: Auburn §3.1.1, Fig. 3.3: `listhead`, `bcounts`, `recency`, and the table-wide `total_counts` and
/// `activated_bucks`.
/// Deviation: recency is kept in steps of 16 requests and goes round after 2^32, so that a bucket fits in eight bytes
/// (the paper's 6-12 MB for a terabyte) and one cache line answers all three questions. A bucket that nobody touched for
/// four billion requests looks young for one more round; that only delays its destaging.
pub struct BucketTable {
    words: Vec<u64>,
    /// One bit per bucket: set when activated. Lets a scan skip 64 empty buckets at a time.
    activated: Vec<u64>,
    activated_count: u32,
    blocks: u64,
}

impl BucketTable {
    /// All buckets of a disk of `buckets` MiB, none activated.
    pub fn new(buckets: u32) -> Self {
        Self {
            words: vec![pack(None, 0, 0); buckets as usize],
            activated: vec![0; (buckets as usize).div_ceil(64)],
            activated_count: 0,
            blocks: 0,
        }
    }

    /// Buckets, activated or not.
    pub fn len(&self) -> u32 {
        self.words.len() as u32
    }

    /// True for a disk of no size.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Cached blocks of `bucket` (`bcounts`).
    pub fn count(&self, bucket: Bucket) -> u32 {
        let word = self.words[bucket.0 as usize];
        if head_of(word).is_none() { 0 } else { count_field(word) + 1 }
    }

    /// Requests since the last access to a cached block of `bucket`, rounded to 16.
    pub fn age_requests(&self, bucket: Bucket, now_requests: u64) -> u64 {
        let word = self.words[bucket.0 as usize];
        let recency = word & ((1 << RECENCY_BITS) - 1);
        (step_of(now_requests).wrapping_sub(recency) & ((1 << RECENCY_BITS) - 1)) << REQUESTS_PER_STEP_LOG2
    }

    /// Activated buckets (`activated_bucks`).
    pub fn activated(&self) -> u32 {
        self.activated_count
    }

    /// Cached blocks in all buckets (`total_counts`).
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// The first activated bucket at or after `from`; past the last bucket the search does not go round.
    pub fn next_activated(&self, from: u32) -> Option<Bucket> {
        let mut at = from as usize / 64;
        let mut word = *self.activated.get(at)? & (u64::MAX << (from % 64));
        while word == 0 {
            at += 1;
            word = *self.activated.get(at)?;
        }
        Some(Bucket((at * 64) as u32 + word.trailing_zeros()))
    }

    /// DRAM taken.
    pub fn memory_bytes(&self) -> usize {
        (self.words.capacity() + self.activated.capacity()) * size_of::<u64>()
    }

    pub(crate) fn head(&self, bucket: Bucket) -> Option<Handle> {
        head_of(self.words[bucket.0 as usize])
    }

    /// Puts a block at the head of the list; the caller has linked it to the former head.
    pub(crate) fn push(&mut self, bucket: Bucket, head: Handle, now_requests: u64) {
        let count = self.count(bucket) + 1;
        if count == 1 {
            self.activated[bucket.0 as usize / 64] |= 1 << (bucket.0 % 64);
            self.activated_count += 1;
        }
        self.blocks += 1;
        self.words[bucket.0 as usize] = pack(Some(head), count - 1, step_of(now_requests));
    }

    pub(crate) fn touch(&mut self, bucket: Bucket, now_requests: u64) {
        let word = &mut self.words[bucket.0 as usize];
        *word = *word & !((1 << RECENCY_BITS) - 1) | step_of(now_requests);
    }

    /// Replaces the list by one of `count` blocks; with none, the bucket is deactivated.
    pub(crate) fn set_list(&mut self, bucket: Bucket, head: Option<Handle>, count: u32) {
        let before = self.count(bucket);
        debug_assert!(count <= before && (head.is_none() == (count == 0)));
        self.blocks -= u64::from(before - count);
        if count == 0 && before > 0 {
            self.activated[bucket.0 as usize / 64] &= !(1 << (bucket.0 % 64));
            self.activated_count -= 1;
        }
        let recency = self.words[bucket.0 as usize] & ((1 << RECENCY_BITS) - 1);
        self.words[bucket.0 as usize] = pack(head, count.saturating_sub(1), recency);
    }

    /// Brings the bucket's word into the processor's caches.
    pub(crate) fn warm(&self, bucket: Bucket) -> u64 {
        self.words[bucket.0 as usize]
    }
}

const fn step_of(now_requests: u64) -> u64 {
    now_requests >> REQUESTS_PER_STEP_LOG2 & ((1 << RECENCY_BITS) - 1)
}

fn pack(head: Option<Handle>, count_minus_one: u32, recency_steps: u64) -> u64 {
    let head = u64::from(head.map_or(NONE, |handle| handle.0));
    head << (COUNT_BITS + RECENCY_BITS) | u64::from(count_minus_one) << RECENCY_BITS | recency_steps
}

const fn head_of(word: u64) -> Option<Handle> {
    let head = (word >> (64 - SLOT_BITS)) as u32;
    if head == NONE { None } else { Some(Handle(head)) }
}

const fn count_field(word: u64) -> u32 {
    (word >> RECENCY_BITS) as u32 & ((1 << COUNT_BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_keeps_head_count_and_recency_apart() {
        let mut table = BucketTable::new(200);
        for count in 1..=256 {
            table.push(Bucket(130), Handle(NONE - count), 1_000_000_007);
        }
        assert_eq!(table.count(Bucket(130)), 256);
        assert_eq!(table.head(Bucket(130)), Some(Handle(NONE - 256)));
        assert_eq!(table.age_requests(Bucket(130), 1_000_000_007 + 1600), 1600);
        assert_eq!((table.activated(), table.blocks()), (1, 256));
        assert_eq!(table.next_activated(0), Some(Bucket(130)));
        assert_eq!(table.next_activated(130), Some(Bucket(130)));
        assert_eq!(table.next_activated(131), None);
    }

    #[test]
    fn age_survives_the_wrap_of_the_recency_field() {
        let mut table = BucketTable::new(1);
        let just_before = (1 << 32) - 16;
        table.push(Bucket(0), Handle(0), just_before);
        assert_eq!(table.age_requests(Bucket(0), just_before + 160), 160);
    }

    #[test]
    fn an_emptied_bucket_is_deactivated() {
        let mut table = BucketTable::new(65);
        table.push(Bucket(64), Handle(3), 0);
        table.set_list(Bucket(64), None, 0);
        assert_eq!((table.activated(), table.blocks(), table.count(Bucket(64))), (0, 0, 0));
        assert_eq!(table.next_activated(0), None);
    }
}
