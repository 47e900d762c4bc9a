//! Lets one piece of work at a time change the disk's content.

/// Destages and zeroings of the disk itself, which exclude each other.
#[derive(Default)]
pub(crate) struct DiskUse {
    /// A round of destaging, from the choice of its batch until its slots are cleared.
    round: bool,
    /// A batch on its way to the disk.
    batch: bool,
    zeroing: bool,
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

    pub(crate) fn set_round(&mut self, is_under_way: bool) {
        self.round = is_under_way;
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
    }
}
