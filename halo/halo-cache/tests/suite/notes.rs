//! Notes in the label of the blocks that the disk lacks, by a clock that the tests set.

use super::bypass::bypassing;
use super::machine::{BLOCKS, Machine, Model, TestCache, Verdict, with};
use crate::promise;
use halo_cache::format::Lacks;
use halo_cache::{Cache, CacheError, Mode, Planted, Settings};
use halo_media::{Faulty, Survival};
use std::sync::Arc;
use std::time::Duration;

#[allow(clippy::needless_pass_by_value, reason = "what map_err hands over")]
fn text(error: CacheError) -> String {
    error.to_string()
}

/// The label after a moment for a note, a thousand seconds of the day being the opening.
fn noted_after(machine: &Machine, cache: &mut TestCache, seconds: u64) -> Result<[u64; 3], String> {
    cache.note_time(Duration::from_secs(seconds));
    cache.note_lacks(1000 + seconds).map_err(text)?;
    let Lacks { at_seconds, blocks, since_seconds } = TestCache::bound(&machine.disk).map_err(text)?.note.lacks;
    Ok([at_seconds, blocks, since_seconds])
}

fn write(cache: &mut TestCache, model: &mut Model, seconds: u64, block: u64) -> Verdict {
    cache.note_time(Duration::from_secs(seconds));
    let bytes = model.write(block * 8, 8);
    cache.write_durably(block * 4096, &bytes).map_err(text)?;
    model.flushed();
    Ok(())
}

pub(crate) fn a_note_says_what_the_disk_lacks_and_before_when_it_lacks_nothing(planted: Planted) -> Verdict {
    for mode in [Mode::Flush, Mode::Strict, Mode::Ordered] {
        let machine = Machine::new(12, 512, with(planted, Settings::new(mode)));
        let (mut cache, _) = machine.open().map_err(text)?;
        let mut model = Model::default();
        write(&mut cache, &mut model, 20, BLOCKS[0])?;
        for (seconds, expected) in [(59, [0; 3]), (60, [1060, 1, 1019]), (119, [1060, 1, 1019])] {
            let noted = noted_after(&machine, &mut cache, seconds)?;
            promise!(noted == expected, "{mode:?}, after {seconds} s: {noted:?}");
        }
        write(&mut cache, &mut model, 120, BLOCKS[1])?;
        let noted = noted_after(&machine, &mut cache, 125)?;
        promise!(noted == [1125, 2, 1019], "{mode:?}, with another block: {noted:?}");
        cache.drain().map_err(text)?;
        // That nothing is lacking is noted once.
        for seconds in [200, 300] {
            let noted = noted_after(&machine, &mut cache, seconds)?;
            promise!(noted == [1200, 0, 1199], "{mode:?}, when all was drained: {noted:?}");
        }
        write(&mut cache, &mut model, 310, BLOCKS[2])?;
        let noted = noted_after(&machine, &mut cache, 400)?;
        promise!(noted == [1400, 1, 1309], "{mode:?}, with a third block: {noted:?}");
        // The age of what another session has left is not known, but what the disk had then, it has.
        drop(cache);
        let (mut cache, _) = machine.open().map_err(text)?;
        for (seconds, expected) in [(30, [1400, 1, 1309]), (70, [1070, 1, 1309])] {
            let noted = noted_after(&machine, &mut cache, seconds)?;
            promise!(noted == expected, "{mode:?}, {seconds} s after another opening: {noted:?}");
        }
        cache.drain().map_err(text)?;
        let noted = noted_after(&machine, &mut cache, 500)?;
        promise!(noted == [1500, 0, 1499], "{mode:?}, when the last block has gone: {noted:?}");
        model.check_disk(&machine.disk)?;
    }
    Ok(())
}

/// A failed write of the label is an error of the note. The next flush fails as well, since the disk may have lost other writes.
pub(crate) fn a_note_that_fails_stops_nothing_and_hides_no_lost_write(planted: Planted) -> Verdict {
    let machine = Machine::new(12, 512, bypassing(with(planted, Settings::new(Mode::Flush))));
    let disk = Arc::new(Faulty::new(machine.disk.clone()));
    let (mut cache, _) = Cache::open(machine.medium.clone(), disk.clone(), machine.settings).map_err(text)?;
    cache.write(BLOCKS[3] * 4096 + 512, &[1; 512]).map_err(text)?;
    cache.flush().map_err(text)?;
    cache.write(0, &[2; 4096]).map_err(text)?;
    cache.note_time(Duration::from_secs(60));
    disk.fail_barriers(true);
    promise!(cache.note_lacks(1060).is_err(), "a note without a flush of the disk succeeded");
    disk.fail_barriers(false);
    cache.note_lacks(1061).map_err(|error| format!("a note was tried again at once: {error}"))?;
    promise!(cache.flush().is_err(), "the client does not learn that its write may be lost");
    cache.flush().map_err(|error| format!("told twice: {error}"))?;
    let left = cache.destage().map_err(text)?;
    promise!(left == 1, "{left} blocks went to the disk after a note that failed");
    Ok(())
}

/// One copy of the label is whole at every moment.
pub(crate) fn a_power_loss_at_any_event_of_a_note_leaves_a_label(planted: Planted) -> Verdict {
    for event in 0..4 {
        let machine = Machine::new(12, 512, with(planted, Settings::new(Mode::Ordered)));
        let (mut cache, _) = machine.open().map_err(text)?;
        let mut model = Model::default();
        write(&mut cache, &mut model, 10, BLOCKS[0])?;
        cache.note_time(Duration::from_secs(60));
        machine.fail_in(event);
        promise!(cache.note_lacks(1060).is_err(), "event {event} comes after the note");
        drop(cache);
        machine.lose_power(Survival::Nothing, Survival::Seeded(event));
        let (mut cache, _) = machine.open().map_err(text)?;
        model.check_restarted(&mut cache)?;
    }
    Ok(())
}
