//! The failures so far.

use crate::error::CacheError;

/// Errors of a cache's devices, and whether the cache goes on after them.
#[derive(Default)]
pub(crate) struct Health {
    poisoned: bool,
    last_error: Option<String>,
}

impl Health {
    /// An error of a device, or a damaged block, that the cache goes on after.
    pub(crate) fn note(&mut self, error: &CacheError) {
        self.last_error = Some(error.to_string());
    }

    /// The same when there was one.
    pub(crate) fn note_outcome(&mut self, outcome: &Result<(), CacheError>) {
        if let Err(error) = outcome {
            self.note(error);
        }
    }

    /// The medium may hold anything of what was written: nothing is written any more.
    pub(crate) fn poison(&mut self, error: &CacheError) {
        self.poisoned = true;
        self.note(error);
    }

    pub(crate) fn is_poisoned(&self) -> bool {
        self.poisoned
    }

    pub(crate) fn last_error(&self) -> Option<&str> {
        self.last_error.as_deref()
    }
}
