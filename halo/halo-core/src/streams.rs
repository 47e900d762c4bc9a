//! The writes that belong to a long sequential stream: a decision without data, clock or input and output.
//!
//! A client keeps several requests of a stream in flight, and a host with threads sees them in another order. So a stream also has
//! runs ahead of its end, which are as long as they are until the gap before them is filled. A write over what a stream has written already is
//! none of it. Not here: what is done with such writes.

/// Own: streams that are followed at once; the one that was written longest ago is forgotten.
const MOST_STREAMS: usize = 16;
/// Own: how far ahead of its end a stream may be written: 32 requests of 128 KiB.
const WINDOW_BYTES: u64 = 4 << 20;
/// Own: runs ahead that a stream may have.
const MOST_AHEAD: usize = 64;

/// The streams that are being written.
pub struct Streams {
    least_bytes: u64,
    /// The one that was written last is the last.
    followed: Vec<Stream>,
}

struct Stream {
    start_bytes: u64,
    end_bytes: u64,
    /// Beginnings and ends of runs behind a gap.
    ahead: Vec<(u64, u64)>,
}

impl Stream {
    fn takes(&self, from_bytes: u64, to_bytes: u64) -> bool {
        let overlaps = |&(start, end): &(u64, u64)| from_bytes < end && start < to_bytes;
        let near = from_bytes >= self.end_bytes && from_bytes - self.end_bytes <= WINDOW_BYTES;
        near && !self.ahead.iter().any(overlaps) && (from_bytes == self.end_bytes || self.ahead.len() < MOST_AHEAD)
    }

    /// Gives the length of the stream, or of the run ahead that the piece belongs to by now if that is longer.
    fn take(&mut self, mut from_bytes: u64, mut to_bytes: u64) -> u64 {
        while let Some(at) = self.ahead.iter().position(|&(start, end)| end == from_bytes || start == to_bytes) {
            let (start, end) = self.ahead.swap_remove(at);
            (from_bytes, to_bytes) = (from_bytes.min(start), to_bytes.max(end));
        }
        if from_bytes == self.end_bytes {
            self.end_bytes = to_bytes;
        } else {
            self.ahead.push((from_bytes, to_bytes));
        }
        (self.end_bytes - self.start_bytes).max(to_bytes - from_bytes)
    }
}

impl Streams {
    /// Takes streams for long from `least_bytes` on.
    pub fn new(least_bytes: u64) -> Self {
        Self { least_bytes, followed: Vec::new() }
    }

    /// A write of `count_bytes`; true when it belongs to a stream that is long by now, itself included.
    pub fn note(&mut self, offset_bytes: u64, count_bytes: u64) -> bool {
        if count_bytes == 0 {
            return false;
        }
        let end_bytes = offset_bytes.saturating_add(count_bytes);
        let goes_on = self.followed.iter().position(|stream| stream.end_bytes == offset_bytes);
        let found = goes_on.or_else(|| self.followed.iter().rposition(|stream| stream.takes(offset_bytes, end_bytes)));
        let new = || Stream { start_bytes: offset_bytes, end_bytes: offset_bytes, ahead: Vec::new() };
        let mut stream = found.map_or_else(new, |at| self.followed.remove(at));
        let run_bytes = stream.take(offset_bytes, end_bytes);
        if self.followed.len() == MOST_STREAMS {
            self.followed.remove(0);
        }
        self.followed.push(stream);
        run_bytes >= self.least_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix64;

    const REQUEST: u64 = 128 << 10;

    #[test]
    fn a_stream_is_long_from_its_least_length_on_and_never_when_it_writes_the_same_again() {
        let mut streams = Streams::new(4 * REQUEST);
        let long: Vec<_> = (0..6).map(|at| streams.note(at * REQUEST, REQUEST)).collect();
        assert_eq!(long, [false, false, false, true, true, true]);
        assert!(streams.note(1 << 40, 4 * REQUEST), "one large request is a stream");
        assert!((0..100).all(|_| !streams.note(1 << 30, REQUEST)), "the same place again and again");
        assert!(!streams.note(0, 0));
    }

    #[test]
    fn requests_in_flight_together_may_arrive_in_any_order() {
        let (mut random, mut streams) = (SplitMix64::new(1), Streams::new(4 * REQUEST));
        let mut long = 0;
        for batch in 0..64 {
            let mut order: Vec<u64> = (0..16).map(|at| batch * 16 + at).collect();
            (1..16).rev().for_each(|at| order.swap(at, random.below(at as u64 + 1) as usize));
            long += order.iter().filter(|&&at| streams.note(at * REQUEST, REQUEST)).count();
        }
        assert!(long > 64 * 16 - 32, "{long} of {} requests", 64 * 16);
    }

    #[test]
    fn a_stream_that_begins_a_little_ahead_of_another_is_one() {
        let mut streams = Streams::new(4 * REQUEST);
        assert!(!streams.note(0, REQUEST));
        let long: Vec<_> = (8..14).map(|at| streams.note(at * REQUEST, REQUEST)).collect();
        assert_eq!(long, [false, false, false, true, true, true]);
    }

    #[test]
    fn several_streams_are_followed_beside_requests_at_random_which_are_none() {
        let (mut random, mut streams) = (SplitMix64::new(2), Streams::new(4 * REQUEST));
        let (mut long, mut wrong) = (0, 0);
        for round in 0..200 {
            for stream in 0..4 {
                long += u64::from(streams.note((stream << 40) + round * REQUEST, REQUEST));
            }
            wrong += u64::from(streams.note((8 << 40) + random.below(1 << 26) * 4096, REQUEST));
        }
        assert_eq!((long, wrong), (4 * 197, 0));
    }

    #[test]
    fn the_end_of_the_numbers_is_no_end_of_a_stream() {
        let mut streams = Streams::new(u64::MAX);
        assert!(!streams.note(u64::MAX - 1, 2) && !streams.note(u64::MAX, 5) && !streams.note(u64::MAX, 5));
    }
}
