//! Workloads that are made instead of recorded, seeded.

use crate::request::{Kind, Request};
use halo_core::SplitMix64;
use halo_core::address::BLOCK_BYTES;

/// The figures that the workloads share.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shape {
    /// Requests.
    pub requests: usize,
    /// Blocks of 4 KiB that they are spread over.
    pub blocks: u64,
    /// Share of writes, 0 to 1.
    pub write_share: f64,
    /// Blocks per request.
    pub blocks_per_request: u32,
    /// The seed.
    pub seed: u64,
}

fn request(number: usize, lbn: u64, kind: Kind, shape: &Shape) -> Request {
    Request {
        // One behind the other: a replay in which time passes at their pace needs `arrive`.
        at_nanos: number as u64,
        device: 0,
        kind,
        offset_bytes: lbn * BLOCK_BYTES as u64,
        bytes: shape.blocks_per_request * BLOCK_BYTES as u32,
    }
}

fn kind(random: &mut SplitMix64, write_share: f64) -> Kind {
    if unit(random) < write_share { Kind::Write } else { Kind::Read }
}

/// 0 to 1.
pub(crate) fn unit(random: &mut SplitMix64) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Lets requests arrive at random times, `per_second` of them on average: gaps are distributed exponentially.
pub fn arrive(requests: &mut [Request], per_second: u32, seed: u64) {
    let mut random = SplitMix64::new(seed ^ 0x0a22);
    let mut now_seconds = 0.0;
    for request in requests {
        now_seconds -= (1.0 - unit(&mut random)).ln() / f64::from(per_second);
        request.at_nanos = (now_seconds * 1e9) as u64;
    }
}

/// Uniformly random. With all writes and one block per request: the paper's Randw. Source: Auburn §3.3.
pub fn random(shape: Shape) -> impl Iterator<Item = Request> {
    let mut random = SplitMix64::new(shape.seed);
    let places = (shape.blocks / u64::from(shape.blocks_per_request)).max(1);
    (0..shape.requests).map(move |number| {
        let lbn = random.below(places) * u64::from(shape.blocks_per_request);
        let kind = kind(&mut random, shape.write_share);
        request(number, lbn, kind, &shape)
    })
}

/// Zipf: the i-th most popular place has a share proportional to i^-`skew`, popular places scattered over the disk.
pub fn zipf(shape: Shape, skew: f64) -> impl Iterator<Item = Request> {
    let places = ZipfPlaces::new((shape.blocks / u64::from(shape.blocks_per_request)).max(1), skew);
    let mut random = SplitMix64::new(shape.seed);
    (0..shape.requests).map(move |number| {
        let lbn = places.draw(&mut random) * u64::from(shape.blocks_per_request);
        let kind = kind(&mut random, shape.write_share);
        request(number, lbn, kind, &shape)
    })
}

/// Places whose popularity follows Zipf's law. Up to half of them are never drawn: data spread over so many places is so much less.
///
/// Drawn by inverting the cumulative distribution, which is tabulated: 8 bytes per place.
pub(crate) struct ZipfPlaces {
    cumulative: Vec<f64>,
    sum: f64,
}

impl ZipfPlaces {
    pub(crate) fn new(places: u64, skew: f64) -> Self {
        let mut sum = 0.0;
        let cumulative = (1..=places)
            .map(|rank| {
                sum += (rank as f64).powf(-skew);
                sum
            })
            .collect();
        Self { cumulative, sum }
    }

    pub(crate) fn draw(&self, random: &mut SplitMix64) -> u64 {
        let at = unit(random) * self.sum;
        let rank = self.cumulative.partition_point(|&below| below <= at) as u64;
        // A multiplication by an odd number scatters ranks; two may share a place, which only adds to its share, and leaves others without
        // any: of a number of places that is no power of two up to about half.
        rank.wrapping_mul(0x9e37_79b9_7f4a_7c15) % self.cumulative.len() as u64
    }
}

/// Appends, as a mail server makes them: `streams` files grow in turn, each for a random number of requests.
pub fn appends(shape: Shape, streams: u64) -> impl Iterator<Item = Request> {
    let mut random = SplitMix64::new(shape.seed);
    let streams = streams.max(1);
    let length = (shape.blocks / streams).max(u64::from(shape.blocks_per_request));
    let mut positions = vec![0; streams as usize];
    let (mut stream, mut left) = (0, 0);
    (0..shape.requests).map(move |number| {
        if left == 0 {
            stream = random.below(streams);
            left = 1 + random.below(16);
        }
        left -= 1;
        let position = &mut positions[stream as usize];
        let lbn = stream * length + *position;
        *position += u64::from(shape.blocks_per_request);
        if *position + u64::from(shape.blocks_per_request) > length {
            *position = 0;
        }
        let kind = kind(&mut random, shape.write_share);
        request(number, lbn, kind, &shape)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    const SHAPE: Shape = Shape { requests: 50_000, blocks: 10_000, write_share: 0.7, blocks_per_request: 2, seed: 3 };

    fn check(requests: &[Request]) {
        assert_eq!(requests.len(), SHAPE.requests);
        let writes = requests.iter().filter(|request| request.kind == Kind::Write).count();
        assert!((writes as f64 / SHAPE.requests as f64 - 0.7).abs() < 0.02, "{writes} writes");
        assert!(requests.iter().flat_map(Request::blocks).all(|lbn| lbn.0 < SHAPE.blocks));
    }

    #[test]
    fn workloads_have_the_shape_that_was_asked_for_and_repeat() {
        let all: [fn() -> Vec<Request>; 3] =
            [|| random(SHAPE).collect(), || zipf(SHAPE, 1.0).collect(), || appends(SHAPE, 10).collect()];
        for workload in all {
            check(&workload());
            assert_eq!(workload(), workload());
        }
    }

    #[test]
    fn the_most_popular_place_of_zipf_has_its_share() {
        let mut counts = BTreeMap::new();
        for request in zipf(SHAPE, 1.0) {
            *counts.entry(request.offset_bytes).or_insert(0_u32) += 1;
        }
        let harmonic: f64 = (1..=5_000).map(|rank| 1.0 / f64::from(rank)).sum();
        let expected = SHAPE.requests as f64 / harmonic;
        let most = f64::from(*counts.values().max().unwrap());
        assert!((most / expected - 1.0).abs() < 0.1, "{most} of {expected:.0}");
    }

    /// The page of `halo-sim` says so: `--data-mib` is what requests are spread over, not what they touch.
    #[test]
    fn zipf_leaves_up_to_about_half_of_the_places_out() {
        let touched = |blocks: u64| {
            let shape = Shape { requests: 400_000, blocks, blocks_per_request: 1, ..SHAPE };
            let places: std::collections::BTreeSet<_> = zipf(shape, 0.0).map(|request| request.offset_bytes).collect();
            places.len() as f64 / blocks as f64
        };
        assert!(touched(8192) > 0.999, "{}", touched(8192));
        for blocks in [10_000, 9_999, 12_288] {
            assert!(touched(blocks) > 0.45, "{blocks}: {}", touched(blocks));
        }
    }

    #[test]
    fn appends_are_mostly_sequential() {
        let requests: Vec<_> = appends(SHAPE, 10).collect();
        let next = |pair: &&[Request]| pair[0].offset_bytes + u64::from(pair[0].bytes) == pair[1].offset_bytes;
        let sequential = requests.windows(2).filter(next).count();
        assert!(sequential * 10 > requests.len() * 8, "{sequential}");
    }
}
