//! Undoing what was not synced.

use crate::SECTOR_BYTES;
use crate::journal::{Record, read};
use halo_core::SplitMix64;
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The fate of sectors that no sync covers.
#[derive(Clone, Copy, Debug)]
pub enum Loss {
    /// All are as they were at the last sync.
    All,
    /// Each is as it was then, or as any write since then left it, by this seed.
    Some(u64),
}

/// Undoes in `file` what its journal says was not synced, and ends the journal. Gives the number of sectors that were undone.
///
/// # Errors
/// File or journal cannot be read or written; a write was not one of whole sectors.
pub fn lose(file: &Path, journal: &Path, loss: Loss) -> io::Result<usize> {
    let records = read(journal)?;
    let covered = covered(&records);
    let mut versions: BTreeMap<u64, Vec<&[u8]>> = BTreeMap::new();
    for (at, record) in &records {
        let Record::Change { offset_bytes, before } = record else { continue };
        if covered.iter().any(|range| range.contains(at)) {
            // The write covers sectors that were lost there.
            (0..before.len().div_ceil(SECTOR_BYTES))
                .for_each(|number| drop(versions.remove(&(offset_bytes + (number * SECTOR_BYTES) as u64))));
            continue;
        }
        if !(offset_bytes | before.len() as u64).is_multiple_of(SECTOR_BYTES as u64) {
            return Err(io::Error::other(format!("{} bytes at {offset_bytes} are no whole sectors", before.len())));
        }
        for (number, sector) in before.chunks(SECTOR_BYTES).enumerate() {
            versions.entry(offset_bytes + (number * SECTOR_BYTES) as u64).or_default().push(sector);
        }
    }
    let file = File::options().write(true).open(file)?;
    let mut random = SplitMix64::new(if let Loss::Some(seed) = loss { seed } else { 0 });
    let mut undone = 0;
    for (offset_bytes, versions) in &versions {
        let chosen = match loss {
            Loss::All => 0,
            // The last of them is what is in the file.
            Loss::Some(_) => random.below(versions.len() as u64 + 1) as usize,
        };
        if let Some(sector) = versions.get(chosen) {
            file.write_all_at(sector, *offset_bytes)?;
            undone += 1;
        }
    }
    match std::fs::remove_file(journal) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(undone),
    }
}

/// The parts of the journal whose changes a sync made durable: the first one behind each change decides.
fn covered(records: &[(u64, Record)]) -> Vec<Range<u64>> {
    let (mut decided, mut covered) = (0, Vec::new());
    for (_, record) in records {
        match record {
            Record::SyncEnded { covers_bytes } if *covers_bytes > decided => {
                covered.push(decided..*covers_bytes);
                decided = *covers_bytes;
            }
            Record::SyncFailed { covers_bytes } => decided = decided.max(*covers_bytes),
            _ => {}
        }
    }
    covered
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_a_sync_covers_stays_and_the_rest_goes_back_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let (file, journal) = (folder.path().join("file"), folder.path().join("journal"));
        let sectors = |content: [u8; 3]| content.map(|byte| [byte; SECTOR_BYTES]).concat();
        std::fs::write(&file, sectors([3, 4, 5])).unwrap();
        // The first sector was written and synced, the second written during the sync, the third twice after it; the end is cut.
        let change = |sector: usize, byte| {
            let offset_bytes = (sector * SECTOR_BYTES) as u64;
            Record::Change { offset_bytes, before: vec![byte; SECTOR_BYTES] }.encode()
        };
        let first = [change(0, 1), Record::SyncBegan.encode()].concat();
        let ended = Record::SyncEnded { covers_bytes: first.len() as u64 }.encode();
        let rest = [change(1, 1), ended, change(2, 1), change(2, 2), vec![1; 100]].concat();
        std::fs::write(&journal, [first, rest].concat()).unwrap();
        let kept = std::fs::read(&journal).unwrap();
        assert_eq!(lose(&file, &journal, Loss::All).unwrap(), 2);
        assert!(std::fs::read(&file).unwrap() == sectors([3, 1, 1]) && !journal.exists());
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..100 {
            std::fs::write(&file, sectors([3, 4, 5])).unwrap();
            std::fs::write(&journal, &kept).unwrap();
            lose(&file, &journal, Loss::Some(seed)).unwrap();
            let found = std::fs::read(&file).unwrap();
            seen.insert([0, 1, 2].map(|sector| found[sector * SECTOR_BYTES]));
        }
        let expected = [1, 4].iter().flat_map(|&second| [1, 2, 5].map(|third| [3, second, third]));
        assert_eq!(seen, expected.collect());
    }

    #[test]
    fn what_a_failed_sync_lost_no_later_one_saves_unless_it_was_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let (file, journal) = (folder.path().join("file"), folder.path().join("journal"));
        std::fs::write(&file, [[2; SECTOR_BYTES], [3; SECTOR_BYTES]].concat()).unwrap();
        let change = |sector: usize, byte| {
            let offset_bytes = (sector * SECTOR_BYTES) as u64;
            Record::Change { offset_bytes, before: vec![byte; SECTOR_BYTES] }.encode()
        };
        // Both were written before a sync that failed, the second again before one that did not.
        let mut records = [change(0, 1), change(1, 1)].concat();
        records.extend(Record::SyncFailed { covers_bytes: records.len() as u64 }.encode());
        records.extend(change(1, 2));
        records.extend(Record::SyncEnded { covers_bytes: records.len() as u64 }.encode());
        std::fs::write(&journal, records).unwrap();
        assert_eq!(lose(&file, &journal, Loss::All).unwrap(), 1);
        assert!(std::fs::read(&file).unwrap() == [[1; SECTOR_BYTES], [3; SECTOR_BYTES]].concat());
    }
}
