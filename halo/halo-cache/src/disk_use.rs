//! Lets one piece of work at a time change the disk's content.
//!
//! Where rounds of destaging and zeroings both wait, they take turns: after a round, a zeroing that waits is next, and after a zeroing a round.
//! Without that, the thread that had the disk would take it again before another one has woken up.

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum User {
    #[default]
    Round,
    Zeroing,
}

/// Destages and zeroings of the disk itself, which exclude each other.
#[derive(Default)]
pub(crate) struct DiskUse {
    /// A round of destaging, from the choice of its batch until its slots are cleared.
    round: bool,
    /// A batch on its way to the disk.
    batch: bool,
    zeroing: bool,
    /// Who had the disk last.
    last: User,
    waiting_rounds: u32,
    waiting_zeroings: u32,
}

impl DiskUse {
    /// True while a destage or a zeroing is under way.
    pub(crate) fn is_taken(&self) -> bool {
        self.round || self.has_batch_or_zeroing()
    }

    pub(crate) fn has_batch(&self) -> bool {
        self.batch
    }

    pub(crate) fn has_zeroing(&self) -> bool {
        self.zeroing
    }

    pub(crate) fn has_batch_or_zeroing(&self) -> bool {
        self.batch || self.zeroing
    }

    /// True when a round may begin now. One that may not is counted as waiting, which `waits` remembers for its next question.
    pub(crate) fn admits_round(&mut self, waits: &mut bool) -> bool {
        let may_begin = !self.is_taken() && (self.last == User::Zeroing || self.waiting_zeroings == 0);
        self.set_round_waits(waits, !may_begin);
        may_begin
    }

    /// A round waits from now on, or does not any more.
    pub(crate) fn set_round_waits(&mut self, waits: &mut bool, now: bool) {
        self.waiting_rounds += u32::from(now && !*waits);
        self.waiting_rounds -= u32::from(!now && *waits);
        *waits = now;
    }

    /// True when part of the disk may be zeroed now. A batch outside of a round is that of a host which takes all steps itself.
    pub(crate) fn admits_zeroing(&self) -> bool {
        !self.round && !self.zeroing && (self.last == User::Round || self.waiting_rounds == 0)
    }

    /// One more zeroing waits until it is admitted.
    pub(crate) fn zeroing_waits(&mut self) {
        self.waiting_zeroings += 1;
    }

    /// One that waited has been woken.
    pub(crate) fn zeroing_waited(&mut self) {
        self.waiting_zeroings -= 1;
    }

    pub(crate) fn set_round(&mut self, is_under_way: bool) {
        self.round = is_under_way;
        self.last = User::Round;
    }

    pub(crate) fn begin_batch(&mut self) {
        self.batch = true;
    }

    pub(crate) fn end_batch(&mut self) {
        self.batch = false;
    }

    pub(crate) fn begin_zeroing(&mut self) {
        self.zeroing = true;
    }

    pub(crate) fn end_zeroing(&mut self) {
        self.zeroing = false;
        self.last = User::Zeroing;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_and_a_zeroing_that_both_wait_take_turns() {
        let (mut disk_use, mut waits) = (DiskUse::default(), false);
        assert!(disk_use.admits_round(&mut waits) && disk_use.admits_zeroing());
        disk_use.set_round(true);
        disk_use.zeroing_waits();
        assert!(!disk_use.admits_zeroing());
        disk_use.set_round(false);
        assert!(!disk_use.admits_round(&mut waits), "the next round was faster than a zeroing that waits");
        disk_use.zeroing_waited();
        assert!(disk_use.admits_zeroing());
        disk_use.begin_zeroing();
        disk_use.end_zeroing();
        assert!(!disk_use.admits_zeroing(), "the next zeroing was faster than a round that waits");
        assert!(disk_use.admits_round(&mut waits) && !waits);
        assert!(disk_use.admits_zeroing(), "the round found nothing to do");
    }

    #[test]
    fn a_round_is_counted_once_however_often_it_asks() {
        let (mut disk_use, mut waits) = (DiskUse::default(), false);
        disk_use.begin_zeroing();
        assert!(!disk_use.admits_round(&mut waits) && !disk_use.admits_round(&mut waits));
        disk_use.set_round_waits(&mut waits, false);
        disk_use.end_zeroing();
        assert!(disk_use.admits_zeroing(), "a round that has given up counts");
    }
}
