//! The requests of a trace.

use halo_core::Lbn;
use halo_core::address::BLOCK_BYTES;
use std::collections::BTreeMap;

/// Read or write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// From the device.
    Read,
    /// To the device.
    Write,
}

/// One request of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// When it arrived, since the first time stamp that the trace knows.
    pub at_nanos: u64,
    /// The device, as numbered in the trace.
    pub device: u32,
    /// Read or write.
    pub kind: Kind,
    /// Where it begins.
    pub offset_bytes: u64,
    /// Its length; more than 0.
    pub bytes: u32,
}

impl Request {
    /// The blocks that it touches.
    pub fn blocks(&self) -> impl Iterator<Item = Lbn> + use<> {
        let first = self.offset_bytes / BLOCK_BYTES as u64;
        let end = (self.offset_bytes + u64::from(self.bytes)).div_ceil(BLOCK_BYTES as u64);
        (first..end).map(Lbn)
    }
}

/// The devices of a trace, one behind the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// Devices.
    pub devices: usize,
    /// Blocks of all of them.
    pub blocks: u64,
}

/// Puts the devices of a trace one behind the other, in the order of their numbers, each as long as its highest request
/// rounded up to 1 MiB. Afterwards all requests are on device 0. If all of them together are too large for 64 bits, so is what is
/// returned too large for any disk.
pub fn concatenate(requests: &mut [Request]) -> Span {
    let bucket = halo_core::address::BUCKET_BYTES;
    let mut ends: BTreeMap<u32, u64> = BTreeMap::new();
    for request in requests.iter() {
        let end = ends.entry(request.device).or_default();
        *end = (*end).max(request.offset_bytes + u64::from(request.bytes));
    }
    let mut next_bytes: u64 = 0;
    let starts: BTreeMap<u32, u64> = ends
        .iter()
        .map(|(&device, &end)| {
            let start = next_bytes;
            next_bytes = next_bytes.saturating_add(end.next_multiple_of(bucket));
            (device, start)
        })
        .collect();
    for request in requests {
        let start = starts.get(&request.device).copied().unwrap_or(0);
        request.offset_bytes = request.offset_bytes.saturating_add(start);
        request.device = 0;
    }
    Span { devices: ends.len(), blocks: next_bytes / BLOCK_BYTES as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(device: u32, offset_bytes: u64, bytes: u32) -> Request {
        Request { at_nanos: 0, device, kind: Kind::Write, offset_bytes, bytes }
    }

    #[test]
    fn a_request_touches_each_block_that_it_overlaps() {
        let blocks = |offset, bytes| request(0, offset, bytes).blocks().map(|lbn| lbn.0).collect::<Vec<_>>();
        assert_eq!(blocks(0, 4096), [0]);
        assert_eq!(blocks(4095, 2), [0, 1]);
        assert_eq!(blocks(8192, 512), [2]);
    }

    #[test]
    fn more_than_64_bits_of_devices_are_too_large_instead_of_small() {
        let mut requests: Vec<_> = (0..1 << 16).map(|device| request(device, (1 << 48) - 512, 512)).collect();
        requests.push(request(1 << 16, 0, 512));
        assert!(concatenate(&mut requests).blocks > halo_core::address::MAX_BLOCKS);
    }

    #[test]
    fn devices_do_not_overlap_after_concatenation() {
        let mut requests = [request(7, 0, 512), request(2, (1 << 20) - 512, 1024), request(7, 4096, 512)];
        let span = concatenate(&mut requests);
        assert_eq!(span, Span { devices: 2, blocks: 3 * 256 });
        assert_eq!(requests.map(|request| request.offset_bytes), [2 << 20, (1 << 20) - 512, (2 << 20) + 4096]);
    }
}
