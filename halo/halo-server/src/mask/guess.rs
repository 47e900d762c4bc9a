//! A disk whose label is lost with the record of its mask, and whose cache is lost, too: its content alone tells whether it is masked.
//!
//! The key has no sector of which every byte is the same, so that a mask leaves none, and nearly every disk has some when it is plain. And no
//! file system is seen through a mask. Not here: what the cache tells, if there is one ([`MaskedDisk::note_after_loss`]).

use super::places::Form;
use super::record::{FIRST_VERSION, VERSION};
use super::signature::signature;
use super::{MaskedDisk, change_all, even_sectors};
use std::io;

/// What a disk without a label is, by its content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guess {
    /// Masked, and without its mask it shows this.
    Masked(Option<&'static str>),
    /// As it is; it shows this.
    Plain(Option<&'static str>),
    /// It shows this, and the rest of its first and last blocks is masked.
    Covered(&'static str),
    /// Nothing tells.
    Unknown,
}

/// Sectors of one byte, as they are and with the mask changed.
#[derive(Clone, Copy)]
struct Even {
    raw: usize,
    changed: usize,
}

impl MaskedDisk {
    /// Tells by its content whether a disk without a label is masked. Writes nothing.
    ///
    /// # Errors
    /// The disk failed.
    pub fn guess(&self) -> io::Result<Guess> {
        self.guess_form().map(|(guess, _)| guess)
    }

    /// Makes a disk plain that is [`Guess::Masked`]; what others hold stays as it is. An interruption leaves a record of the mask, by which the
    /// next call goes on.
    ///
    /// # Errors
    /// As for [`MaskedDisk::mask`].
    pub fn unmask_by_guess(&self) -> io::Result<Guess> {
        let (guess, version) = self.guess_form()?;
        if matches!(guess, Guess::Masked(_)) {
            self.note_after_loss(false, version == FIRST_VERSION, false)?;
        }
        // With a record, also one of a disk that shows what somebody put there.
        self.give_up()?;
        Ok(guess)
    }

    /// The same, and by the rules of which version the disk is masked.
    fn guess_form(&self) -> io::Result<(Guess, u32)> {
        if let Some((record, found)) = self.found()? {
            let shown = found.shown.or_else(|| signature(&found.plain[0]));
            let guess = found.shown.map_or(Guess::Masked(shown), |name| Guess::Plain(Some(name)));
            return Ok((guess, record.version));
        }
        let (first, now) = (self.even(self.form(FIRST_VERSION))?, self.even(self.form(VERSION))?);
        let (raw, changed) = self.shown()?;
        // What only the present version masks.
        let rest = Even { raw: now.raw - first.raw, changed: now.changed - first.changed };
        let has_rest = self.form(FIRST_VERSION).places != self.form(VERSION).places;
        let guess = match (raw, changed) {
            (Some(name), _) if now.changed > now.raw => Guess::Covered(name),
            (Some(name), _) => Guess::Plain(Some(name)),
            (None, Some(_)) => Guess::Masked(changed),
            (None, None) if first.changed > first.raw => Guess::Masked(None),
            (None, None) if first.raw > first.changed => Guess::Plain(None),
            (None, None) => Guess::Unknown,
        };
        Ok(match guess {
            Guess::Masked(_) if has_rest && rest.raw == rest.changed => (Guess::Unknown, VERSION),
            Guess::Masked(_) if has_rest && rest.raw > rest.changed => (guess, FIRST_VERSION),
            guess => (guess, VERSION),
        })
    }

    fn even(&self, form: &Form) -> io::Result<Even> {
        let mut bytes = self.read_raw(form)?;
        let raw = even_sectors(&bytes);
        change_all(form, &mut bytes);
        Ok(Even { raw, changed: even_sectors(&bytes) })
    }

    /// What the disk shows as it is, and with its mask changed.
    fn shown(&self) -> io::Result<(Option<&'static str>, Option<&'static str>)> {
        let form = self.form(VERSION);
        let mut bytes = self.read_raw(form)?;
        let raw = signature(&bytes[0]);
        change_all(form, &mut bytes);
        Ok((raw, signature(&bytes[0])))
    }
}
