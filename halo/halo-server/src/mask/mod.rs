//! A disk that looks like none while its cache has blocks that it lacks.
//!
//! A disk that is mounted without its cache lacks files, and writes to it are lost later. So the first and last blocks, where
//! operating systems look for file systems, are masked on the disk: every byte combined with a fixed key by exclusive or. Nothing is
//! moved, so that nothing else is needed to undo it, not even the cache. Checksums of what is masked tell when somebody else has written
//! there. Not here: who masks when, which is the server's and the commands'. Start with [`MaskedDisk`].

mod contents;
mod found;
mod guess;
mod layer;
mod places;
mod record;
mod signature;
mod state;

use crate::media::AnyMedium;
use contents::Contents;
use found::Found;
pub use guess::Guess;
use halo_cache::Device;
use halo_cache::format::Layout;
use halo_core::address::BLOCK_BYTES;
use halo_media::{Medium, intact};
use places::{Form, SECTOR_BYTES, change};
use record::{FIRST_VERSION, RECORD_BYTES, Record, Stage, VERSION};
use signature::signature;
use state::State;
use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::{Condvar, Mutex, MutexGuard};

/// Where a copy of the record lies behind a copy of the label.
const BEHIND_LABEL_BYTES: u64 = 512;
/// The size of a cache does not matter to where the end of its disk lies.
const ANY_CACHE_BYTES: u64 = 1 << 20;
/// In place of a version.
const PLAIN: u32 = 0;

/// The name of the file system on a disk that takes more of it than its first `most_bytes`.
///
/// # Errors
/// Its beginning cannot be read.
pub fn reaching_beyond(disk: &impl Medium, most_bytes: u64) -> io::Result<Option<&'static str>> {
    let mut first = vec![0; BLOCK_BYTES.min(disk.len_bytes() as usize)];
    disk.read_at(0, &mut first)?;
    let reaches = signature::claimed_bytes(&first).is_some_and(|bytes| bytes > most_bytes);
    Ok(if reaches { signature(&first) } else { None })
}

/// A disk, and its mask if it has one. Reads and writes are of the plain bytes, whatever is on the disk.
///
/// [`MaskedDisk::settle`] comes before any of them; the disk has one user at a time while its mask changes.
pub struct MaskedDisk {
    disk: AnyMedium,
    /// By the rules of each version; without masked ranges when the disk is too small to be one.
    forms: [Form; 2],
    copies_bytes: Option<[u64; 2]>,
    disk_bytes: u64,
    /// [`PLAIN`], or the version of the record.
    masked: AtomicU32,
    state: Mutex<State>,
    /// A copy of the record was written.
    noted: Condvar,
}

impl MaskedDisk {
    /// Reads whether the disk is masked. Writes nothing.
    ///
    /// # Errors
    /// Its end cannot be read.
    pub fn new(disk: AnyMedium) -> io::Result<Self> {
        let disk_bytes = disk.len_bytes();
        Self::of_size(disk, disk_bytes)
    }

    /// The same for a disk that was masked when it had another size.
    ///
    /// # Errors
    /// As for [`MaskedDisk::new`].
    pub fn of_size(disk: AnyMedium, disk_bytes: u64) -> io::Result<Self> {
        let layout = Layout::new(ANY_CACHE_BYTES, disk_bytes).ok().filter(|_| disk_bytes <= disk.len_bytes());
        let forms = Form::all(layout.map_or(0, |layout| layout.capacity_bytes()));
        let copies_bytes =
            layout.map(|layout| layout.record_offsets_bytes(Device::Disk).map(|at| at + BEHIND_LABEL_BYTES));
        let state = State::read(&disk, disk_bytes, copies_bytes, &forms)?;
        let masked = state.newest.as_ref().map_or(PLAIN, |record| match record.stage {
            Stage::Masked { .. } => record.version,
            Stage::Changing { .. } => PLAIN,
        });
        let (masked, state) = (AtomicU32::new(masked), Mutex::new(state));
        Ok(Self { disk, forms, copies_bytes, disk_bytes, masked, state, noted: Condvar::new() })
    }

    /// True when the disk shows no file system.
    pub fn is_masked(&self) -> bool {
        self.masked.load(SeqCst) != PLAIN
    }

    /// True when it does so by the present version's rules.
    pub fn has_present_mask(&self) -> bool {
        self.masked.load(SeqCst) == VERSION
    }

    /// What was put on a masked disk without regard to the mask.
    ///
    /// # Errors
    /// The disk failed.
    pub fn written_outside(&self) -> io::Result<Option<String>> {
        Ok(self.found()?.and_then(|(record, found)| found.text(self.form(record.version))))
    }

    /// Ends what an interruption left half done: the disk is plain then, or masked as a whole. Before any other use but of its label.
    ///
    /// # Errors
    /// It was written to without the cache, or failed.
    pub fn settle(&self) -> io::Result<()> {
        let Some((record, found)) = self.found()? else { return Ok(()) };
        let form = self.form(record.version);
        if let Some(what) = found.text(form) {
            return Err(refused(&what));
        }
        // A server that was killed may have left it in the cache of the system, or of the disk.
        self.disk.barrier()?;
        match record.stage {
            Stage::Masked { written_to, .. } if form.version == VERSION => {
                self.state().contents = Some(Contents::of(&found.plain, written_to));
                Ok(())
            }
            Stage::Masked { .. } => Ok(()),
            Stage::Changing { masks, .. } => self.turn(form, &found.plain, masks),
        }
    }

    /// Makes the disk look like none, in the present version. What a power loss interrupts, [`MaskedDisk::settle`] ends.
    ///
    /// # Errors
    /// The disk failed; it must not be used before it was settled.
    pub fn mask(&self) -> io::Result<()> {
        if self.copies_bytes.is_none() {
            return Ok(());
        }
        let form = self.form(VERSION);
        if self.has_present_mask() {
            let mut state = self.state();
            let known = state.contents.as_ref().filter(|contents| contents.is_known_better()).map(Contents::stage);
            return known.map_or(Ok(()), |known| self.note(&mut state, VERSION, &known));
        }
        let mut plain = self.read_raw(form)?;
        for (place, bytes) in form.places.iter().zip(&mut plain) {
            self.show(place.start, bytes)?;
        }
        self.turn(form, &plain, true)
    }

    /// Makes the disk what it is without its cache: when the cache has nothing that the disk lacks, or is lost.
    ///
    /// # Errors
    /// As for [`MaskedDisk::mask`].
    pub fn unmask(&self) -> io::Result<()> {
        let Some(form) = self.masked_form() else { return Ok(()) };
        let mut plain = self.read_raw(form)?;
        change_all(form, &mut plain);
        self.turn(form, &plain, false)
    }

    /// Makes a disk whose cache is lost what it is without it. What somebody has written to it without the cache stays as it is: where
    /// that has a name, the disk as a whole. Gives what was found.
    ///
    /// # Errors
    /// As for [`MaskedDisk::mask`].
    pub fn give_up(&self) -> io::Result<Option<String>> {
        let Some((record, found)) = self.found()? else { return Ok(None) };
        let form = self.form(record.version);
        if found.shown.is_some() {
            self.masked.store(PLAIN, SeqCst);
            self.erase(&mut self.state())?;
        } else {
            self.turn(form, &found.plain, false)?;
        }
        Ok(found.text(form))
    }

    /// Takes what the disk holds for what the cache has written there, whatever the checksums say: for a disk that is damaged. What is
    /// foreign on a masked disk is taken for masked bytes, and where the mask was changing, for plain ones. Ends such a change.
    ///
    /// # Errors
    /// The disk shows what has a name, or failed.
    pub fn accept(&self) -> io::Result<()> {
        let Some((record, found)) = self.found()? else { return Ok(()) };
        let form = self.form(record.version);
        match (record.stage, found.shown) {
            (_, Some(name)) => Err(refused(name)),
            (Stage::Changing { masks, .. }, None) => self.turn(form, &found.plain, masks),
            (Stage::Masked { .. }, None) if form.version != VERSION => Ok(()),
            (Stage::Masked { .. }, None) => {
                let mut plain = self.read_raw(form)?;
                change_all(form, &mut plain);
                let mut state = self.state();
                let accepted = state.contents.insert(Contents::of(&plain, BTreeSet::new())).stage();
                self.note(&mut state, VERSION, &accepted)
            }
        }
    }

    /// After the whole end of the disk was lost: it is masked if its cache has blocks for it (`dirty`), or if only so it shows a file
    /// system, or has more sectors of one byte, which no mask leaves. `is_first`: by the rules of the first version. `accepts`: what the
    /// disk shows is what it is.
    ///
    /// # Errors
    /// The disk shows something, and may have been masked when that was written; nothing was changed. Or the disk failed.
    pub fn note_after_loss(&self, dirty: bool, is_first: bool, accepts: bool) -> io::Result<()> {
        let mut state = self.state();
        if state.newest.is_some() || self.copies_bytes.is_none() {
            return Ok(());
        }
        let form = self.form(if is_first { FIRST_VERSION } else { VERSION });
        let raw = self.read_raw(form)?;
        let mut changed = raw.clone();
        change_all(form, &mut changed);
        match signature(&raw[0]) {
            Some(name) if dirty && !accepts => {
                Err(io::Error::new(io::ErrorKind::InvalidData, format!("shows {name}, {SHOWN_WITHOUT_LABEL}")))
            }
            None if dirty || signature(&changed[0]).is_some() || even_sectors(&changed) > even_sectors(&raw) => {
                let masked = Self::masked_stage(&mut state, form, &changed);
                self.masked.store(form.version, SeqCst);
                self.note(&mut state, form.version, &masked)
            }
            _ => Ok(()),
        }
    }

    /// Makes all places plain or masked; `plain` is what they hold.
    fn turn(&self, form: &Form, plain: &[Vec<u8>; 2], masks: bool) -> io::Result<()> {
        let mut state = self.state();
        let units = plain.iter().flat_map(|bytes| bytes.chunks(form.unit_bytes));
        let checksums = units.map(crc32c::crc32c).collect();
        // Both copies, also when an interruption is ended: one of them may be of the stage before, which counts again while this one is
        // erased.
        self.note(&mut state, form.version, &Stage::Changing { checksums, masks })?;
        let mut bytes = plain.clone();
        if masks {
            change_all(form, &mut bytes);
        }
        for (place, bytes) in form.places.iter().zip(&bytes) {
            self.disk.write_at(place.start, bytes)?;
        }
        if masks {
            self.masked.store(form.version, SeqCst);
            let masked = Self::masked_stage(&mut state, form, plain);
            self.note(&mut state, form.version, &masked)
        } else {
            self.masked.store(PLAIN, SeqCst);
            // Both copies say how to read the disk until it is plain.
            self.disk.barrier()?;
            self.erase(&mut state)
        }
    }

    fn masked_stage(state: &mut State, form: &Form, plain: &[Vec<u8>; 2]) -> Stage {
        if form.version == VERSION {
            return state.contents.insert(Contents::of(plain, BTreeSet::new())).stage();
        }
        Stage::Masked { checksums: Vec::new(), written_to: BTreeSet::new() }
    }

    /// What the disk holds; nothing where it has no record.
    fn found(&self) -> io::Result<Option<(Record, Found)>> {
        let Some(record) = self.state().newest.clone() else { return Ok(None) };
        let form = self.form(record.version);
        let found = Found::of(form, &record.stage, self.read_raw(form)?);
        Ok(Some((record, found)))
    }

    fn read_raw(&self, form: &Form) -> io::Result<[Vec<u8>; 2]> {
        let mut raw = form.places.clone().map(|place| vec![0; (place.end - place.start) as usize]);
        for (place, bytes) in form.places.iter().zip(&mut raw) {
            self.disk.read_at(place.start, bytes).map_err(|error| self.unreadable(place, &error))?;
        }
        Ok(raw)
    }

    /// Names the first block of a place that cannot be read.
    fn unreadable(&self, place: &Range<u64>, error: &io::Error) -> io::Error {
        let mut block = [0; BLOCK_BYTES];
        let first = place.clone().step_by(BLOCK_BYTES).find(|&at| self.disk.read_at(at, &mut block).is_err());
        let at = first.unwrap_or(place.start);
        io::Error::new(
            error.kind(),
            format!("cannot be read at byte {at}, where its mask lies ({error}): {UNREADABLE}"),
        )
    }

    /// Both copies, one after the other: one of them is whole and durable at every moment.
    fn note(&self, state: &mut State, version: u32, next: &Stage) -> io::Result<()> {
        self.disk.barrier()?;
        for _ in 0..2 {
            let record = self.next_record(state, version, next.clone());
            self.write_copy(state.spare, &record)?;
            self.disk.barrier()?;
            state.take_durable(record);
        }
        Ok(())
    }

    fn next_record(&self, state: &State, version: u32, next: Stage) -> Record {
        let generation = state.newest.as_ref().map_or(0, |record| record.generation) + 1;
        Record { version, generation, disk_bytes: self.disk_bytes, stage: next }
    }

    fn write_copy(&self, number: usize, record: &Record) -> io::Result<()> {
        self.copies_bytes.map_or(Ok(()), |offsets| self.disk.write_at(offsets[number], &record.encode()))
    }

    fn erase(&self, state: &mut State) -> io::Result<()> {
        for offset_bytes in self.copies_bytes.into_iter().flatten() {
            self.disk.write_at(offset_bytes, &[0; RECORD_BYTES])?;
            self.disk.barrier()?;
        }
        *state = State::without_record();
        Ok(())
    }

    fn form(&self, version: u32) -> &Form {
        &self.forms[usize::from(version == VERSION)]
    }

    fn masked_form(&self) -> Option<&Form> {
        let version = self.masked.load(SeqCst);
        (version != PLAIN).then(|| self.form(version))
    }

    fn masked_places(&self) -> &[Range<u64>] {
        self.masked_form().map_or(&[], |form| &form.places)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        intact(self.state.lock())
    }
}

/// The message about a masked disk that shows something, and the advice.
pub const WRITTEN_OUTSIDE: &str = "which was written without its cache, and the cache's blocks would destroy it; to keep what was written, move the \
                       cache away and halo release DISK --cache-lost; to keep the cache's blocks, restore the disk as it was before, or, if \
                       nobody wrote to it and it is damaged, halo repair CACHE DISK --accept-outside-writes";
/// The same about a disk whose label was lost with the record of its mask.
const SHOWN_WITHOUT_LABEL: &str = "and was masked if its cache left it with blocks to come: then this was written without its cache, whose blocks would \
                       destroy it; to keep it, leave the disk as it is; to keep the cache's blocks, erase it (wipefs --all) and repeat this; if the disk \
                       is as its cache left it, --accept-outside-writes";
/// The advice about a disk that has bad blocks there.
const UNREADABLE: &str = "copy the disk to a whole one (ddrescue), which takes its place; if the copy is refused as written without its cache, \
                          halo repair CACHE COPY --accept-outside-writes";

fn refused(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("shows {what}, {WRITTEN_OUTSIDE}"))
}

/// Sectors of which every byte is the same: the key has none.
fn even_sectors(bytes: &[Vec<u8>; 2]) -> usize {
    let sectors = bytes.iter().flat_map(|bytes| bytes.chunks(SECTOR_BYTES));
    sectors.filter(|sector| sector.iter().all(|&byte| byte == sector[0])).count()
}

fn change_all(form: &Form, bytes: &mut [Vec<u8>; 2]) {
    form.places.iter().zip(bytes).for_each(|(place, bytes)| change(place.start, bytes));
}

#[cfg(test)]
mod tests;
