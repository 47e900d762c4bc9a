//! The changes of each block, and the states that a power loss may leave.

/// The version that fills each sector; 0: zeros.
pub(crate) type State = [u64; 8];

/// The bytes of a sector.
pub(crate) fn sector(version: u64) -> Vec<u8> {
    version.to_le_bytes().repeat(512 / 8)
}

/// The versions of the blocks in `bytes`; each sector must be whole.
pub(crate) fn states(bytes: &[u8]) -> Vec<State> {
    let versions = bytes.chunks(512).map(|found| {
        let version = u64::from_le_bytes(found[..8].try_into().unwrap());
        assert!(found == sector(version), "a sector holds parts of several versions");
        version
    });
    versions.collect::<Vec<_>>().chunks(8).map(|block| block.try_into().unwrap()).collect()
}

/// A change of a block.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) state: State,
    /// When it returned, if it did.
    pub(crate) ended: Option<u64>,
    /// It promised to be durable when it returned.
    pub(crate) durable: bool,
    /// A power loss may leave some of its sectors as they were before: it may have been made on the disk itself.
    pub(crate) torn: bool,
}

/// A block with its changes, in their order, since its state was certain.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    certain: State,
    pub(crate) steps: Vec<Step>,
}

impl Block {
    pub(crate) fn new(certain: State) -> Self {
        Self { certain, steps: Vec::new() }
    }

    /// The state that a read sees now.
    pub(crate) fn newest(&self) -> State {
        self.steps.last().map_or(self.certain, |step| step.state)
    }

    /// Complains about a state after a power loss if it breaks a promise. A flush that began at `flushed` was the last that succeeded.
    pub(crate) fn check(&self, found: State, flushed: Option<u64>) -> Result<(), String> {
        let is_durable = |step: &Step| {
            let covered = step.ended.zip(flushed).is_some_and(|(ended, flushed)| ended < flushed);
            covered || (step.durable && step.ended.is_some())
        };
        let durable = self.steps.iter().rposition(is_durable);
        let later = &self.steps[durable.map_or(0, |index| index + 1)..];
        let base = durable.map_or(self.certain, |index| self.steps[index].state);
        let whole = found == base || later.iter().any(|step| step.state == found);
        let by_sector = |at: usize| found[at] == base[at] || later.iter().any(|step| step.state[at] == found[at]);
        if whole || (later.iter().any(|step| step.torn) && (0..8).all(by_sector)) {
            return Ok(());
        }
        Err(format!("found {found:?}; promised was {base:?} or one of {later:?}"))
    }
}
