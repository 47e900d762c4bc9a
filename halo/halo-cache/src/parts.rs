//! Requests taken apart at the borders of blocks.

use halo_core::address::{BLOCK_BYTES, SECTOR_BYTES};
use halo_core::{Lbn, SectorMask};

/// The part of a request that lies in one block.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub(crate) lbn: Lbn,
    pub(crate) first_sector: usize,
    /// Where it begins in the request's buffer.
    pub(crate) at: usize,
    pub(crate) bytes: usize,
}

impl Part {
    pub(crate) fn mask(self) -> SectorMask {
        SectorMask::range(self.first_sector, self.bytes / SECTOR_BYTES)
    }

    pub(crate) fn in_block(self) -> std::ops::Range<usize> {
        let start = self.first_sector * SECTOR_BYTES;
        start..start + self.bytes
    }

    pub(crate) fn in_buffer(self) -> std::ops::Range<usize> {
        self.at..self.at + self.bytes
    }
}

/// The blocks of a request, in order.
pub(crate) fn parts(offset_bytes: u64, count: usize) -> impl Iterator<Item = Part> {
    let mut at = 0;
    std::iter::from_fn(move || {
        if at == count {
            return None;
        }
        let position = offset_bytes + at as u64;
        let in_block = (position % BLOCK_BYTES as u64) as usize;
        let bytes = (BLOCK_BYTES - in_block).min(count - at);
        let part = Part { lbn: Lbn::containing(position), first_sector: in_block / SECTOR_BYTES, at, bytes };
        at += bytes;
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_request_cover_it_without_gaps_and_stay_in_their_blocks() {
        for offset in (0..20_000).step_by(512) {
            for count in (0..20_000).step_by(1536) {
                let mut at = 0;
                for part in parts(offset, count) {
                    assert_eq!(part.at, at);
                    assert_eq!(part.lbn.offset_bytes() + part.in_block().start as u64, offset + at as u64);
                    assert!(part.bytes > 0 && part.in_block().end <= BLOCK_BYTES);
                    at += part.bytes;
                }
                assert_eq!(at, count);
            }
        }
    }
}
