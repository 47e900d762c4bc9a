//! Requests: each begins and ends with the cache, and reads or writes the devices in between, beside all others.

use crate::shared::SharedCache;
use halo_cache::driver::End;
use halo_cache::{Bypass, CacheError, Change, Keeping, Mode, ReadEnd, WritePlan, ZeroStep, Zeroing};
use halo_media::Medium;
use halo_planted::Mistake;

impl<M: Medium + Clone, D: Medium + Clone + Sync> SharedCache<M, D> {
    /// Reads into `buffer`.
    ///
    /// # Errors
    /// As for [`halo_cache::Cache::read`].
    pub fn read(&self, offset_bytes: u64, buffer: &mut [u8]) -> Result<(), CacheError> {
        loop {
            let plan = self.lock().plan_read(offset_bytes, buffer.len())?;
            let outcome = self.beside(|| {
                if Mistake::DiskOverCache.is_made() {
                    plan.read_cached(&self.medium, buffer)?;
                    return plan.read_disk(&self.disk, buffer);
                }
                // The cache's bytes replace those of the disk for blocks that are cached.
                if plan.needs_disk() {
                    self.gate.read(|| plan.read_disk(&self.disk, buffer))?;
                }
                plan.read_cached(&self.medium, buffer)
            });
            let end = self.lock().finish_read(plan, outcome);
            self.requests.tell();
            if let ReadEnd::Done(keeping) = end? {
                self.keep(keeping, buffer);
                return Ok(());
            }
        }
    }

    fn keep(&self, keeping: Keeping, buffer: &[u8]) {
        if !keeping.is_empty() {
            let kept = self.beside(|| keeping.write(&self.medium, buffer));
            self.lock().finish_keeping(keeping, kept);
            self.requests.tell();
        }
    }

    /// Writes `bytes`; in mode [`Mode::Strict`] they are durable once this is `Ok`.
    ///
    /// # Errors
    /// As for [`halo_cache::Cache::write`].
    pub fn write(&self, offset_bytes: u64, bytes: &[u8]) -> Result<(), CacheError> {
        self.stage(offset_bytes, bytes)?;
        let at_once = self.mode == Mode::Strict && !Mistake::StrictWriteNotDurable.is_made();
        if at_once { self.commit_strictly() } else { Ok(()) }
    }

    /// Writes `bytes` and makes them durable.
    ///
    /// # Errors
    /// As for [`halo_cache::Cache::write`].
    pub fn write_durably(&self, offset_bytes: u64, bytes: &[u8]) -> Result<(), CacheError> {
        self.stage(offset_bytes, bytes)?;
        self.make_durable()
    }

    /// Makes all writes durable that have returned.
    ///
    /// # Errors
    /// As for [`halo_cache::Cache::flush`].
    pub fn flush(&self) -> Result<(), CacheError> {
        self.make_durable()
    }

    /// Makes `count_bytes` read as zeros; see [`Zeroing`]. Durable when a write would be.
    ///
    /// # Errors
    /// As for [`halo_cache::Cache::zero`].
    pub fn zero(&self, offset_bytes: u64, count_bytes: usize, zeroing: Zeroing) -> Result<(), CacheError> {
        let mut handled = 0;
        while handled < count_bytes {
            let step = self.begin_zeroing(offset_bytes + handled as u64, count_bytes - handled, zeroing)?;
            let outcome = self.beside(|| step.zero_disk(&self.disk));
            let finished = self.lock().finish_zeroing(&step, outcome);
            self.ended.tell();
            if !Mistake::ZeroErrorSwallowed.is_made() {
                finished?;
            }
            handled += step.handled_bytes();
            if step.handled_bytes() == 0 {
                self.make_room()?;
            }
        }
        let at_once = self.mode == Mode::Strict && !Mistake::StrictZeroNotDurable.is_made();
        if at_once { self.make_durable() } else { self.check_range(offset_bytes, count_bytes) }
    }

    /// Waits for a write of the first block to end, and for the disk only if nothing can be done without it.
    fn begin_zeroing(&self, offset_bytes: u64, count_bytes: usize, zeroing: Zeroing) -> Result<ZeroStep, CacheError> {
        let mut cache = self.lock();
        loop {
            while cache.zeroing_waits_for(offset_bytes) {
                cache = self.wait_for(End::OfRequest, cache);
            }
            cache.note_time(self.opened.elapsed());
            let step = cache.begin_zeroing(offset_bytes, count_bytes, zeroing)?;
            if step.handled_bytes() > 0 || !step.waits_for_disk() {
                return Ok(step);
            }
            cache.zeroing_waits();
            cache = self.gate.shorten_batches(|| self.wait_for(End::OfWork, cache));
            cache.zeroing_waited();
            // Should this one not take the disk after all, a round that let it go first must not wait for it.
            self.ended.tell();
        }
    }

    /// An empty range may still lie outside of the device.
    fn check_range(&self, offset_bytes: u64, count_bytes: usize) -> Result<(), CacheError> {
        if count_bytes > 0 { Ok(()) } else { self.lock().zero(offset_bytes, 0, Zeroing::Write) }
    }

    fn stage(&self, offset_bytes: u64, bytes: &[u8]) -> Result<(), CacheError> {
        let (mut staged, mut of_stream) = (0, None);
        loop {
            let rest = &bytes[staged..];
            let mut cache = self.lock();
            while cache.is_being_written(offset_bytes + staged as u64) && !rest.is_empty() {
                cache = self.wait_for(End::OfRequest, cache);
            }
            cache.note_time(self.opened.elapsed());
            let is_of_stream = *of_stream.get_or_insert_with(|| cache.is_of_stream(offset_bytes, bytes.len()));
            let change = cache.begin_change(offset_bytes + staged as u64, rest.len(), is_of_stream)?;
            drop(cache);
            let handled_bytes = match change {
                Change::Cached(plan) => self.fill(plan, rest)?,
                Change::Direct(bypass) => {
                    let taken_bytes = self.pass(&bypass, rest);
                    // The cache takes the bytes that the disk does not take.
                    of_stream = Some(taken_bytes > 0);
                    taken_bytes
                }
            };
            staged += handled_bytes;
            if staged == bytes.len() {
                return Ok(());
            }
            if handled_bytes == 0 {
                self.make_room()?;
            }
        }
    }

    /// Writes to the disk past the cache; gives the bytes that it took.
    fn pass(&self, bypass: &Bypass, bytes: &[u8]) -> usize {
        let outcome = self.beside(|| bypass.perform(&self.disk, bytes));
        let taken_bytes = self.lock().finish_bypass(bypass, outcome);
        self.requests.tell();
        taken_bytes
    }

    fn fill(&self, plan: WritePlan, bytes: &[u8]) -> Result<usize, CacheError> {
        let handled_bytes = plan.handled_bytes();
        #[cfg(feature = "planted-bugs")]
        if self.planted.has(halo_cache::Bug::PublishBeforeData) {
            return self.fill_too_late(plan, bytes).map(|()| handled_bytes);
        }
        let written = self.beside(|| plan.perform(&self.medium, bytes));
        let finished = self.lock().finish_write(plan, written);
        self.requests.tell();
        finished.map(|()| handled_bytes)
    }

    #[cfg(feature = "planted-bugs")]
    fn fill_too_late(&self, plan: WritePlan, bytes: &[u8]) -> Result<(), CacheError> {
        let (late, pretended) = (plan.clone(), plan.pretend(&self.medium, bytes));
        self.lock().finish_write(plan, pretended)?;
        drop(late.perform(&self.medium, bytes));
        self.requests.tell();
        Ok(())
    }
}
