//! A cache and a disk that no server has open.

use crate::arguments::Devices;
use crate::outcome::Failure;
use halo_cache::format::{ITEM_BYTES, Item, ItemState, Layout, Record};
use halo_cache::{Cache, Mode, Settings};
use halo_core::Slot;
use halo_media::Medium;
use halo_server::{AnyMedium, open_cache_medium, open_disk};
use std::io;

/// Both devices, locked, and known to belong together.
pub(crate) struct Pair {
    pub(crate) medium: AnyMedium,
    pub(crate) disk: AnyMedium,
    pub(crate) layout: Layout,
    pub(crate) record: Record,
}

/// Slots looked at between two lines of progress.
const CHUNK_SLOTS: u32 = 1 << 15;

impl Pair {
    /// Opens both without changing anything.
    pub(crate) fn look(devices: &Devices) -> Result<Self, Failure> {
        let medium = open_cache_medium(&devices.cache).map_err(|error| in_use(error, "cache"))?;
        let disk = open_disk(&devices.disk).map_err(|error| in_use(error, "disk"))?;
        let (layout, record) = Cache::verify(&medium, &disk)?;
        Ok(Self { medium, disk, layout, record })
    }

    /// Opens the cache for work.
    pub(crate) fn open(self) -> Result<Cache<AnyMedium, AnyMedium>, Failure> {
        let (cache, _) = Cache::open(self.medium, self.disk, Settings::new(Mode::Flush))?;
        Ok(cache)
    }

    /// Shows all items that are not empty.
    pub(crate) fn for_each_item(&self, mut look: impl FnMut(Slot, ItemState) -> io::Result<()>) -> io::Result<()> {
        let tag = self.record.cache.tag();
        let slots = self.layout.slots();
        let mut bytes = vec![0; CHUNK_SLOTS as usize * ITEM_BYTES];
        for from in (0..slots).step_by(CHUNK_SLOTS as usize) {
            let count = CHUNK_SLOTS.min(slots - from) as usize;
            self.medium.read_at(self.layout.item_offset_bytes(Slot(from)), &mut bytes[..count * ITEM_BYTES])?;
            let items = bytes.as_chunks::<ITEM_BYTES>().0;
            for (slot, item) in (from..).map(Slot).zip(&items[..count]) {
                match Item::decode(item, slot, tag, self.layout.blocks()) {
                    ItemState::Empty => {}
                    state => look(slot, state)?,
                }
            }
        }
        Ok(())
    }

    /// What the items say: blocks that the disk does not have yet, and items that are damaged.
    pub(crate) fn count(&self) -> Result<Count, Failure> {
        let mut blocks = Vec::new();
        let mut damaged_items = 0;
        self.for_each_item(|_, state| {
            match state {
                ItemState::Valid(item) => blocks.push(item.lbn),
                _ => damaged_items += 1,
            }
            Ok(())
        })?;
        blocks.sort_unstable();
        blocks.dedup();
        Ok(Count { dirty_blocks: blocks.len() as u64, damaged_items })
    }
}

/// See [`Pair::count`].
pub(crate) struct Count {
    pub(crate) dirty_blocks: u64,
    pub(crate) damaged_items: u64,
}

/// A locked device has a server that can be asked instead.
fn in_use(error: io::Error, device: &str) -> Failure {
    if error.kind() == io::ErrorKind::WouldBlock {
        Failure::state(format!("{device}: {error}; a server is asked with --socket or --control"))
    } else if error.kind() == io::ErrorKind::ConnectionRefused {
        Failure::state(format!("{device}: {error}"))
    } else {
        match error.into() {
            Failure::Input(text) => Failure::Input(format!("{device}: {text}")),
            Failure::State(text) => Failure::State(format!("{device}: {text}")),
        }
    }
}
