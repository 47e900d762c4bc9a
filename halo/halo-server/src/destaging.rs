//! The requests to the destaging thread, and the news of how its rounds ended.
//!
//! A round says nothing of what came after it began: of a drain that was asked for meanwhile, or a disk's server that was reached anew.
//! No thread, no clock and no device: those are the server's.

/// A round of destaging that is under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    pub(crate) is_drain: bool,
    drains_asked: u64,
    reconnections: u64,
}

/// Why the disk took no blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DiskError {
    pub(crate) text: String,
    /// Trying again does not help before the disk is opened anew.
    pub(crate) until_restart: bool,
}

/// How a round that failed ended.
#[derive(Debug)]
struct Failure {
    round: Round,
    error: DiskError,
}

#[derive(Default, Debug)]
pub(crate) struct Destaging {
    is_draining: bool,
    drains_asked: u64,
    /// Of the last round that tried.
    failure: Option<Failure>,
}

impl Destaging {
    pub(crate) fn ask_drain(&mut self) {
        self.is_draining = true;
        self.drains_asked += 1;
    }

    /// From when a drain is asked for until a round that began after that leaves no block that the disk could take.
    pub(crate) fn is_draining(&self) -> bool {
        self.is_draining
    }

    /// A round begins, on a disk whose server was reached again so many times.
    pub(crate) fn begin(&self, reconnections: u64) -> Round {
        Round { is_drain: self.is_draining, drains_asked: self.drains_asked, reconnections }
    }

    /// A round ended: blocks moved, or not, or the disk failed. Gives what is worth a line in the log.
    pub(crate) fn end(&mut self, round: Round, outcome: Result<bool, DiskError>) -> Option<String> {
        match outcome {
            Ok(moved) => {
                if !moved && !self.is_asked_since(round) {
                    self.is_draining = false;
                }
                let was_failing = self.failure.is_some();
                if moved || round.is_drain {
                    self.failure = None;
                }
                (moved && was_failing).then(|| "the disk takes blocks again".into())
            }
            Err(error) => {
                // Said once, not with every attempt.
                let is_new = self.failure.as_ref().is_none_or(|failure| failure.error != error);
                let advice = if error.until_restart { ": start the server anew" } else { "" };
                let line = is_new.then(|| format!("blocks stay in the cache: {}{advice}", error.text));
                self.failure = Some(Failure { round, error });
                line
            }
        }
    }

    /// True when a drain was asked for since the round began.
    pub(crate) fn is_asked_since(&self, round: Round) -> bool {
        self.drains_asked != round.drains_asked
    }

    /// Why the disk took no blocks the last time; nothing when no round has tried since a drain was asked for, or since the disk's server
    /// was reached again for the `reconnections`th time.
    pub(crate) fn error(&self, reconnections: u64) -> Option<DiskError> {
        let failure = self.failure.as_ref()?;
        let is_now = !self.is_asked_since(failure.round) && failure.round.reconnections == reconnections;
        is_now.then(|| failure.error.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed() -> Result<bool, DiskError> {
        Err(DiskError { text: "it is full".into(), until_restart: false })
    }

    #[test]
    fn an_error_is_told_until_blocks_move_and_logged_once() {
        let mut destaging = Destaging::default();
        destaging.ask_drain();
        assert_eq!(
            destaging.end(destaging.begin(0), failed()).as_deref(),
            Some("blocks stay in the cache: it is full")
        );
        assert_eq!(destaging.end(destaging.begin(0), failed()), None);
        assert_eq!(destaging.error(0), failed().err());
        assert_eq!(destaging.end(destaging.begin(0), Ok(true)).as_deref(), Some("the disk takes blocks again"));
        assert!(destaging.error(0).is_none() && destaging.is_draining());
        assert_eq!(destaging.end(destaging.begin(0), Ok(false)), None);
        assert!(!destaging.is_draining());
    }

    #[test]
    fn an_error_of_a_round_from_before_a_reconnection_is_not_told_any_more() {
        let mut destaging = Destaging::default();
        destaging.end(destaging.begin(3), failed());
        assert!(destaging.error(3).is_some() && destaging.error(4).is_none());
        let round = destaging.begin(4);
        assert!(destaging.error(4).is_none(), "while the round goes on");
        destaging.end(round, failed());
        assert!(destaging.error(4).is_some());
    }

    #[test]
    fn a_drain_is_told_no_error_of_a_round_that_began_before_it() {
        let mut destaging = Destaging::default();
        destaging.end(destaging.begin(0), failed());
        destaging.ask_drain();
        assert!(destaging.error(0).is_none(), "the error of before the drain");
        let round = destaging.begin(0);
        destaging.ask_drain();
        destaging.end(round, failed());
        assert!(destaging.error(0).is_none() && destaging.is_asked_since(round), "a round before the second drain");
        destaging.end(destaging.begin(0), failed());
        assert!(destaging.error(0).is_some());
    }

    #[test]
    fn a_round_that_began_before_a_drain_does_not_end_it() {
        for was_draining in [false, true] {
            let mut destaging = Destaging::default();
            if was_draining {
                destaging.ask_drain();
            }
            let round = destaging.begin(0);
            destaging.ask_drain();
            destaging.end(round, Ok(false));
            assert!(destaging.is_draining(), "was draining: {was_draining}");
            destaging.end(destaging.begin(0), Ok(false));
            assert!(!destaging.is_draining());
        }
    }
}
