//! The sectors that the disk has read and written lately, and those that it reads ahead.

use crate::profile::ReadBufferProfile;
use std::collections::VecDeque;

/// A piece of the platter.
#[derive(Clone, Copy, Debug)]
struct Segment {
    first_sector: u64,
    /// Behind its last sector, without what is being read ahead.
    end_sector: u64,
}

/// The head passes on behind the newest segment.
#[derive(Clone, Copy, Debug)]
struct ReadAhead {
    since_nanos: u64,
    sector_nanos: u64,
    limit_sectors: u64,
}

impl ReadAhead {
    fn sectors_at(&self, now_nanos: u64) -> u64 {
        (now_nanos.saturating_sub(self.since_nanos) / self.sector_nanos.max(1)).min(self.limit_sectors)
    }
}

/// Segments, newest first.
#[derive(Clone, Debug)]
pub(crate) struct ReadBuffer {
    profile: ReadBufferProfile,
    segments: VecDeque<Segment>,
    ahead: Option<ReadAhead>,
}

impl ReadBuffer {
    pub(crate) fn new(profile: ReadBufferProfile) -> Self {
        Self { profile, segments: VecDeque::new(), ahead: None }
    }

    /// When all of the range is in the buffer; nothing if it will not be. A reader that keeps up makes the disk read on.
    pub(crate) fn find(&mut self, now_nanos: u64, first_sector: u64, sectors: u64) -> Option<u64> {
        let end_sector = first_sector + sectors;
        for (index, segment) in self.segments.iter_mut().enumerate() {
            if first_sector < segment.first_sector {
                continue;
            }
            let Some(ahead) = self.ahead.as_mut().filter(|_| index == 0) else {
                if end_sector <= segment.end_sector {
                    return Some(now_nanos);
                }
                continue;
            };
            let read_sectors = ahead.sectors_at(now_nanos);
            let stopped = read_sectors == ahead.limit_sectors;
            let wanted_limit = (first_sector + self.profile.segment_sectors).saturating_sub(segment.end_sector);
            let limit_sectors = if stopped { ahead.limit_sectors } else { ahead.limit_sectors.max(wanted_limit) };
            let missing = end_sector.saturating_sub(segment.end_sector);
            // Worth waiting for, if the head is in the range already.
            if first_sector <= segment.end_sector + read_sectors && missing <= limit_sectors {
                ahead.limit_sectors = limit_sectors;
                segment.first_sector = segment
                    .first_sector
                    .max((segment.end_sector + limit_sectors).saturating_sub(self.profile.segment_sectors));
                return Some(now_nanos.max(ahead.since_nanos + missing * ahead.sector_nanos));
            }
        }
        None
    }

    /// A read ended at `now_nanos`; the head goes on behind it, a sector each `sector_nanos`.
    pub(crate) fn read(&mut self, now_nanos: u64, first_sector: u64, sectors: u64, sector_nanos: u64) {
        self.keep(first_sector, sectors);
        let limit_sectors = self.profile.segment_sectors.saturating_sub(sectors);
        self.ahead = Some(ReadAhead { since_nanos: now_nanos, sector_nanos, limit_sectors });
    }

    /// Sectors were written: what the buffer had of them is out of date, what was written is new.
    pub(crate) fn written(&mut self, first_sector: u64, sectors: u64) {
        let end_sector = first_sector + sectors;
        let follows = |segment: &Segment| segment.end_sector == first_sector;
        if self.ahead.is_none()
            && let Some(segment) = self.segments.front_mut().filter(|segment| follows(segment))
            && end_sector - segment.first_sector <= self.profile.segment_sectors
        {
            segment.end_sector = end_sector;
            return;
        }
        self.arm_leaves_at_once();
        self.keep(first_sector, sectors);
    }

    /// The head is sent elsewhere: reading ahead ends.
    pub(crate) fn arm_leaves(&mut self, now_nanos: u64) {
        if let (Some(ahead), Some(segment)) = (self.ahead.take(), self.segments.front_mut()) {
            segment.end_sector += ahead.sectors_at(now_nanos);
        }
    }

    /// The newest segment stays as it was when its read ended: a write takes its place at the front.
    fn arm_leaves_at_once(&mut self) {
        self.ahead = None;
    }

    /// Segments that overlap go: one place is never in the buffer twice.
    fn keep(&mut self, first_sector: u64, sectors: u64) {
        let end_sector = first_sector + sectors;
        self.segments.retain(|segment| segment.end_sector <= first_sector || end_sector <= segment.first_sector);
        self.segments.truncate(self.profile.segments.saturating_sub(1));
        let longest = sectors.min(self.profile.segment_sectors);
        self.segments.push_front(Segment { first_sector: end_sector - longest, end_sector });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer() -> ReadBuffer {
        ReadBuffer::new(ReadBufferProfile { segments: 2, segment_sectors: 100 })
    }

    #[test]
    fn what_was_read_is_there_and_what_follows_comes_in_time() {
        let mut buffer = buffer();
        buffer.read(1000, 500, 10, 7);
        assert_eq!(buffer.find(1000, 500, 10), Some(1000));
        assert_eq!(buffer.find(1000, 510, 10), Some(1070));
        assert_eq!(buffer.find(1700, 510, 10), Some(1700));
        assert_eq!(buffer.find(1000, 600, 1), None);
        assert_eq!(buffer.find(1000, 490, 10), None);
    }

    #[test]
    fn a_reader_that_keeps_up_never_waits_for_a_revolution() {
        let mut buffer = buffer();
        buffer.read(0, 0, 50, 10);
        for piece in 1..100 {
            let first = piece * 50;
            assert_eq!(buffer.find((first - 50) * 10, first, 50), Some(first * 10), "piece {piece}");
        }
    }

    #[test]
    fn reading_ahead_ends_when_the_arm_leaves_or_the_segment_is_full() {
        let mut buffer = buffer();
        buffer.read(0, 500, 10, 10);
        buffer.arm_leaves(205);
        assert_eq!(buffer.find(10_000, 510, 20), Some(10_000));
        assert_eq!(buffer.find(10_000, 510, 21), None);
        buffer.read(0, 700, 10, 10);
        assert_eq!(buffer.find(1_000_000, 710, 90), Some(1_000_000));
        assert_eq!(buffer.find(1_000_000, 710, 91), None);
    }

    #[test]
    fn the_oldest_segment_makes_room_and_a_write_replaces_what_was_read() {
        let mut buffer = buffer();
        for first in [0, 1000, 2000] {
            buffer.read(0, first, 10, 10);
            buffer.arm_leaves(0);
        }
        assert_eq!((buffer.find(0, 0, 10), buffer.find(0, 1000, 10)), (None, Some(0)));
        buffer.written(1005, 10);
        assert_eq!((buffer.find(0, 1000, 10), buffer.find(0, 1005, 10)), (None, Some(0)));
    }
}
