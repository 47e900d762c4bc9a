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

/// What a round of destaging came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Progress {
    /// Blocks left the cache.
    Moved,
    /// Damaged blocks were set aside, and the next round may find others.
    SetAside,
    /// Clients wrote again all that the disk took.
    Overtaken,
    /// There was no block that the disk could take.
    Nothing,
}

/// Rounds in a row that a drain lets clients overtake. Own: a round has eight pieces or more and the next begins behind them, so that blocks
/// which nobody writes come up long before; without an end, a client that writes one block all the time would keep the disk writing it.
const MOST_OVERTAKEN: u32 = 16;

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
    /// Rounds in a row until now.
    overtaken: u32,
    /// Of the last round that tried.
    failure: Option<Failure>,
}

impl Destaging {
    pub(crate) fn ask_drain(&mut self) {
        self.is_draining = true;
        self.drains_asked += 1;
    }

    /// From when a drain is asked for until a round that began after that leaves no block that the disk could take, or clients have
    /// overtaken [`MOST_OVERTAKEN`] rounds.
    pub(crate) fn is_draining(&self) -> bool {
        self.is_draining
    }

    /// A round begins, on a disk whose server was reached again so many times.
    pub(crate) fn begin(&self, reconnections: u64) -> Round {
        Round { is_drain: self.is_draining, drains_asked: self.drains_asked, reconnections }
    }

    /// A round ended, or the disk failed. Gives what is worth a line in the log.
    pub(crate) fn end(&mut self, round: Round, outcome: Result<Progress, DiskError>) -> Option<String> {
        match outcome {
            Ok(progress) => {
                self.overtaken = if progress == Progress::Overtaken { self.overtaken + 1 } else { 0 };
                let is_over = progress == Progress::Nothing || self.overtaken >= MOST_OVERTAKEN;
                if is_over && !self.is_asked_since(round) {
                    (self.is_draining, self.overtaken) = (false, 0);
                }
                let moved = progress == Progress::Moved;
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

    fn failed() -> Result<Progress, DiskError> {
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
        assert_eq!(
            destaging.end(destaging.begin(0), Ok(Progress::Moved)).as_deref(),
            Some("the disk takes blocks again")
        );
        assert!(destaging.error(0).is_none() && destaging.is_draining());
        assert_eq!(destaging.end(destaging.begin(0), Ok(Progress::Nothing)), None);
        assert!(!destaging.is_draining());
    }

    #[test]
    fn a_drain_goes_on_after_rounds_that_left_nothing_and_not_for_ever() {
        let mut destaging = Destaging::default();
        destaging.ask_drain();
        for progress in [Progress::SetAside, Progress::Overtaken, Progress::Moved] {
            destaging.end(destaging.begin(0), Ok(progress));
            assert!(destaging.is_draining(), "{progress:?}");
        }
        for round in 1..=MOST_OVERTAKEN {
            assert!(destaging.is_draining(), "round {round}");
            destaging.end(destaging.begin(0), Ok(Progress::Overtaken));
        }
        assert!(!destaging.is_draining());
        destaging.ask_drain();
        destaging.end(destaging.begin(0), Ok(Progress::Overtaken));
        assert!(destaging.is_draining(), "counted from the drain before");
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
            destaging.end(round, Ok(Progress::Nothing));
            assert!(destaging.is_draining(), "was draining: {was_draining}");
            destaging.end(destaging.begin(0), Ok(Progress::Nothing));
            assert!(!destaging.is_draining());
        }
    }
}
