//! Response times: exact sum and count, quantiles to within one part in 64.

/// Buckets per power of two.
const SUB_BUCKETS: u64 = 64;
const SUB_BITS: u32 = SUB_BUCKETS.ilog2();

/// Counts of times in buckets whose width grows with the time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Histogram {
    counts: Vec<u64>,
    count: u64,
    sum_nanos: u128,
    max_nanos: u64,
}

impl Histogram {
    /// Counts a time.
    pub fn add(&mut self, nanos: u64) {
        let bucket = bucket_of(nanos);
        if bucket >= self.counts.len() {
            self.counts.resize(bucket + 1, 0);
        }
        self.counts[bucket] += 1;
        self.count += 1;
        self.sum_nanos += u128::from(nanos);
        self.max_nanos = self.max_nanos.max(nanos);
    }

    /// Times counted.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Mean in nanoseconds; 0 without a time.
    pub fn mean_nanos(&self) -> f64 {
        self.sum_nanos as f64 / self.count.max(1) as f64
    }

    /// The greatest time.
    pub fn max_nanos(&self) -> u64 {
        self.max_nanos
    }

    /// The time that a `share` (0 to 1) of all stays below, rounded up to the end of its bucket; 0 without a time.
    pub fn quantile_nanos(&self, share: f64) -> u64 {
        let wanted = (share * self.count as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (bucket, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return (first_of(bucket + 1) - 1).min(self.max_nanos);
            }
        }
        self.max_nanos
    }
}

fn bucket_of(nanos: u64) -> usize {
    if nanos < SUB_BUCKETS {
        return nanos as usize;
    }
    let shift = nanos.ilog2() - SUB_BITS;
    (u64::from(shift) * SUB_BUCKETS + (nanos >> shift)) as usize
}

fn first_of(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    if bucket < SUB_BUCKETS {
        return bucket;
    }
    let shift = bucket / SUB_BUCKETS - 1;
    (bucket - shift * SUB_BUCKETS) << shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_right_to_one_part_in_64() {
        let mut histogram = Histogram::default();
        let times: Vec<u64> = (0..100_000_u64).map(|i| i * i).collect();
        for &nanos in &times {
            histogram.add(nanos);
        }
        for share in [0.001, 0.5, 0.9, 0.99, 1.0] {
            let exact = times[(share * 100_000.0) as usize - 1] as f64;
            let ours = histogram.quantile_nanos(share) as f64;
            assert!(ours >= exact && ours <= exact * (1.0 + 1.0 / 64.0) + 1.0, "{share}: {ours} for {exact}");
        }
        assert_eq!(histogram.max_nanos(), 99_999 * 99_999);
    }

    #[test]
    fn every_time_is_between_the_ends_of_its_bucket() {
        for nanos in (0..5_000).chain([u64::MAX / 3, 1 << 40, (1 << 40) - 1]) {
            let bucket = bucket_of(nanos);
            assert!(first_of(bucket) <= nanos && nanos < first_of(bucket + 1), "{nanos}");
        }
    }
}
