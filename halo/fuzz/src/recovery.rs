//! A cache and a disk with anything on them: opened, read, used, drained and opened again.
//!
//! [`reference`] works out from the bytes how each block must read, before the cache sees them.

use crate::input::Input;
use crate::reference::{self, RecordFields};
use halo_cache::format::{Id, Item, Layout, Note, Record, Stage, ZEROS_CHECKSUM};
use halo_cache::{Cache, CacheError, Device, Mode, Planted, Settings};
use halo_core::{Lbn, SectorMask, Slot};
use halo_media::{Medium, Power, PowerLossRam};
use std::collections::BTreeMap;
use std::sync::Arc;

const BLOCK: usize = 4096;
const SLOTS: usize = 9;
const MEDIUM_BYTES: usize = (3 + SLOTS) * BLOCK;
/// Two buckets and a label.
const DISK_BYTES: usize = 265 * BLOCK;
/// Blocks that made-up items use most: neighbours, both sides of a bucket's end.
const BLOCKS: [u64; 8] = [0, 1, 2, 3, 255, 256, 257, 263];
/// Sessions and generations beyond this are accepted, and then run out.
const MOST_SESSIONS: u64 = 1 << 62;
/// More say nothing new, and take long.
const MOST_CHANGES: usize = 24;
const NEW_DATA: [u8; BLOCK] = [0x77; BLOCK];

type Ram = Arc<PowerLossRam>;

/// Both devices, as somebody else left them.
struct Devices {
    medium: Ram,
    disk: Ram,
    layout: Layout,
}

/// The result that reading a block must have.
#[derive(Clone, PartialEq)]
enum Expected {
    Data(Box<[u8]>),
    Damaged,
    /// Two items of one block have the same commit number: either.
    Unspecified,
}

/// How the cache is opened, then what is on both devices.
pub fn recovery(input: &[u8]) {
    let mut input = Input::new(input);
    let choices = input.byte();
    let mode = if choices & 1 == 0 { Mode::Flush } else { Mode::Ordered };
    let mut settings = Settings::new(mode);
    settings.accept_damaged_items = choices & 2 != 0;
    settings.planted = planted();
    let devices = Devices::new(if choices & 4 == 0 { 512 } else { 8 });
    for _ in 0..MOST_CHANGES {
        if !input.is_empty() {
            devices.change(&mut input);
        }
    }

    let _ = Cache::check(&devices.medium, &devices.disk, settings.accept_damaged_items, |_| ());
    let before = devices.superblock();
    let growing = before.is_some_and(|record| record.stage == Stage::Growing as u32);
    // The items after a growth are not predicted; the growth must only come to an end.
    let expected = if growing { None } else { before.map(|record| devices.expect(&record)) };
    let (mut cache, _) = match Cache::open(devices.medium.clone(), devices.disk.clone(), settings) {
        Ok(opened) => opened,
        Err(error) => {
            if matches!(&expected, Some(expected) if expected.is_clean()) {
                assert!(!matches!(error, CacheError::Io { .. }), "memory does not fail: {error}");
            }
            return;
        }
    };
    let Some(expected) = expected else {
        let _ = (cache.write_durably(0, &NEW_DATA), cache.drain());
        return;
    };
    let may_be_damaged = settings.accept_damaged_items || choices & 4 != 0;
    assert!(may_be_damaged || expected.damaged_items == 0, "opened with damaged items");
    expected.compare(&mut cache, "after opening");

    // A second opening finds the same; what was written since is durable.
    let written = BLOCKS[usize::from(choices >> 4) % BLOCKS.len()];
    let stored = cache.write_durably(written * BLOCK as u64, &NEW_DATA).is_ok();
    let mut expected = expected;
    if stored {
        expected.blocks.insert(written, Expected::Data(NEW_DATA.into()));
    } else {
        // Sectors may be old or new.
        expected.blocks.insert(written, Expected::Unspecified);
    }
    drop(cache);
    if before.is_some_and(|record| record.generation.max(record.session) > MOST_SESSIONS) {
        return;
    }
    // Damaged items are superseded now, or found and accepted once more.
    let (mut cache, _) = Cache::open(devices.medium.clone(), devices.disk.clone(), settings)
        .unwrap_or_else(|error| panic!("a cache that was opened is not opened again: {error}"));
    expected.compare(&mut cache, "after opening again");
    let drained = cache.drain();
    assert!(drained.is_ok() || !expected.is_clean(), "a whole cache is not drained: {drained:?}");
    expected.compare(&mut cache, "after draining");
    if drained.is_ok() {
        expected.compare_disk(&devices.disk);
    }
}

/// The mistake that the environment asks for; none without the feature.
fn planted() -> Planted {
    #[cfg(feature = "planted-bugs")]
    if let Ok(name) = std::env::var("HALO_PLANTED") {
        let bug = halo_cache::Bug::ALL.into_iter().find(|bug| format!("{bug:?}") == name);
        return Planted::only(bug.expect("HALO_PLANTED names a bug of halo-cache"));
    }
    Planted::NONE
}

impl Devices {
    fn new(unit_bytes: usize) -> Self {
        let power = Power::new();
        let medium = Arc::new(PowerLossRam::new(MEDIUM_BYTES, unit_bytes, &power));
        let disk = Arc::new(PowerLossRam::new(DISK_BYTES, 512, &power));
        for block in BLOCKS {
            disk.write_at(block * BLOCK as u64, &[block as u8 ^ 0x55; BLOCK]).expect("memory");
        }
        Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).expect("two blank devices");
        let layout = Layout::new(MEDIUM_BYTES as u64, DISK_BYTES as u64).expect("sizes within the format's limits");
        Self { medium, disk, layout }
    }

    /// One change that the input asks for.
    fn change(&self, input: &mut Input<'_>) {
        match input.byte() % 8 {
            0..4 => self.put_item(input),
            4 => self.put_record(input),
            5 => {
                // A byte of the metadata of the cache.
                let at = u64::from(input.u16()) % self.layout.data_offset_bytes(Slot(0));
                self.medium.write_at(at, &[input.byte()]).expect("within the medium");
            }
            6 => {
                let [label, _] = self.layout.record_offsets_bytes(Device::Disk);
                let at = label + u64::from(input.u16()) % (DISK_BYTES as u64 - label);
                self.disk.write_at(at, &[input.byte()]).expect("within the disk");
            }
            _ => {
                let at = u64::from(input.u16()) % MEDIUM_BYTES as u64;
                self.medium.write_at(at, &[input.byte()]).expect("within the medium");
            }
        }
        self.medium.barrier().expect("memory");
        self.disk.barrier().expect("memory");
    }

    /// An item with a right checksum of its own, and a right or wrong one of its data.
    fn put_item(&self, input: &mut Input<'_>) {
        let slot = Slot(u32::from(input.byte()) % SLOTS as u32);
        let number = input.number();
        let lbn = Lbn(BLOCKS.get(number as usize).copied().unwrap_or(number));
        let (sequence, choices, fill) = (input.number(), input.byte(), input.byte());
        let mask = SectorMask(if choices & 1 == 0 { 0xff } else { input.byte() });
        let zeros = choices & 2 != 0;
        let mut data = [fill; BLOCK];
        for (sector, bytes) in data.chunks_exact_mut(512).enumerate().filter(|(sector, _)| !mask.has(*sector)) {
            // Not to be seen by anybody, so it may be anything.
            bytes.fill(if choices & 8 == 0 { 0 } else { sector as u8 });
        }
        let right = if zeros { ZEROS_CHECKSUM } else { crc32c::crc32c(&data) };
        let data_checksum = right ^ u32::from(choices & 4 != 0);
        let item = Item { lbn, sequence, mask, data_checksum, zeros };
        let tag = u32::from_le_bytes([1; 4]);
        self.medium.write_at(self.layout.item_offset_bytes(slot), &item.encode(slot, tag)).expect("within the medium");
        self.medium.write_at(self.layout.data_offset_bytes(slot), &data).expect("within the medium");
    }

    /// A superblock or label with a right checksum.
    fn put_record(&self, input: &mut Input<'_>) {
        let choices = input.byte();
        let (device, medium) =
            if choices & 1 == 0 { (Device::Cache, &self.medium) } else { (Device::Disk, &self.disk) };
        let stages = [Stage::Active, Stage::Creating, Stage::Detaching, Stage::Detached, Stage::Growing];
        let record = Record {
            stage: stages[usize::from(choices >> 2) % stages.len()],
            ordered: choices & 32 != 0,
            label_written: choices & 4 != 0,
            cache: if choices & 64 == 0 { Id([1; 16]) } else { Id([input.byte(); 16]) },
            disk: if choices & 128 == 0 { Id([2; 16]) } else { Id([input.byte(); 16]) },
            generation: input.number(),
            session: input.number(),
            medium_bytes: near(MEDIUM_BYTES, input),
            disk_bytes: near(DISK_BYTES, input),
            next_medium_bytes: near(MEDIUM_BYTES, input),
            next_disk_bytes: near(DISK_BYTES, input),
            note: Note::default(),
        };
        let at = self.layout.record_offsets_bytes(device)[usize::from(choices >> 1 & 1)];
        medium.write_at(at, &record.encode(device)).expect("within the device");
    }

    /// The superblock that counts.
    fn superblock(&self) -> Option<RecordFields> {
        let copies = self.layout.record_offsets_bytes(Device::Cache).map(|at| {
            let mut bytes = [0; 512];
            self.medium.read_at(at, &mut bytes).expect("within the medium");
            reference::record(&bytes, *b"HALOCACH")
        });
        copies.into_iter().flatten().reduce(|first, second| {
            if second.cache == first.cache && second.generation > first.generation { second } else { first }
        })
    }

    /// The contents that all blocks must have if these devices are opened.
    fn expect(&self, superblock: &RecordFields) -> Contents {
        let tag =
            u32::from_le_bytes([superblock.cache[0], superblock.cache[1], superblock.cache[2], superblock.cache[3]]);
        let mut newest: BTreeMap<u64, (u64, Expected)> = BTreeMap::new();
        let mut damaged_items = 0;
        let mut any_damaged_data = false;
        for slot in (0..self.layout.slots()).map(Slot) {
            let mut bytes = [0; 32];
            self.medium.read_at(self.layout.item_offset_bytes(slot), &mut bytes).expect("within the medium");
            let fields = match reference::item(&bytes, slot.0, tag, self.layout.blocks()) {
                reference::Item::Empty => continue,
                reference::Item::Damaged => {
                    damaged_items += 1;
                    continue;
                }
                reference::Item::Whole(fields) => fields,
            };
            let content = self.content(slot, &fields);
            any_damaged_data |= content == Expected::Damaged;
            let entry = newest.entry(fields.block).or_insert((0, Expected::Damaged));
            if fields.commit == entry.0 {
                entry.1 = Expected::Unspecified;
            } else if fields.commit > entry.0 {
                *entry = (fields.commit, content);
            }
        }
        let mut blocks: BTreeMap<_, _> =
            BLOCKS.into_iter().map(|block| (block, Expected::Data(self.on_disk(block)))).collect();
        blocks.extend(newest.into_iter().map(|(block, (_, content))| (block, content)));
        Contents { blocks, damaged_items, any_damaged_data }
    }

    fn on_disk(&self, block: u64) -> Box<[u8]> {
        let mut bytes = vec![0; BLOCK].into_boxed_slice();
        self.disk.read_at(block * BLOCK as u64, &mut bytes).expect("within the disk");
        bytes
    }

    fn content(&self, slot: Slot, fields: &reference::ItemFields) -> Expected {
        if fields.zeros {
            return Expected::Data(vec![0; BLOCK].into());
        }
        let mut data = [0; BLOCK];
        self.medium.read_at(self.layout.data_offset_bytes(slot), &mut data).expect("within the medium");
        let mut block = self.on_disk(fields.block);
        for sector in 0..8 {
            let range = sector * 512..(sector + 1) * 512;
            if fields.sectors >> sector & 1 == 1 {
                block[range.clone()].copy_from_slice(&data[range]);
            }
        }
        if crc32c::crc32c(&data) == fields.data_checksum { Expected::Data(block) } else { Expected::Damaged }
    }
}

/// The right value, a block more or less, or anything.
fn near(right: usize, input: &mut Input<'_>) -> u64 {
    match input.byte() {
        0..=200 => right as u64,
        201..=227 => right as u64 + BLOCK as u64,
        228..=254 => 0,
        255 => u64::from_le_bytes(input.bytes()),
    }
}

/// The contents that all blocks that matter must have.
struct Contents {
    blocks: BTreeMap<u64, Expected>,
    damaged_items: usize,
    any_damaged_data: bool,
}

impl Contents {
    fn is_clean(&self) -> bool {
        self.damaged_items == 0 && !self.any_damaged_data
    }

    fn compare(&self, cache: &mut Cache<Ram, Ram>, when: &str) {
        for (&block, expected) in &self.blocks {
            let mut found = [0; BLOCK];
            let outcome = cache.read(block * BLOCK as u64, &mut found);
            match expected {
                Expected::Data(data) => {
                    assert!(outcome.is_ok(), "{when}: block {block}: {outcome:?}");
                    assert!(
                        found == data[..],
                        "{when}: block {block} reads {:?}..., not {:?}...",
                        &found[..4],
                        &data[..4]
                    );
                }
                Expected::Damaged => {
                    assert!(matches!(outcome, Err(CacheError::Damaged(Lbn(at))) if at == block), "{when}: {outcome:?}");
                }
                Expected::Unspecified => {}
            }
        }
    }

    fn compare_disk(&self, disk: &Ram) {
        for (&block, expected) in &self.blocks {
            let mut found = [0; BLOCK];
            disk.read_at(block * BLOCK as u64, &mut found).expect("within the disk");
            if let Expected::Data(data) = expected {
                assert!(found == data[..], "after draining, the disk's block {block} is not what was read");
            }
        }
    }
}
