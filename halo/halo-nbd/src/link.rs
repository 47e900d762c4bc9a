//! A connection that outlives its server: reached again, and only with the same disk at the other end.
//!
//! Three things must hold after a reconnection. The disk is the one it was: the bytes that tell it ([`Identity`]) are as they were.
//! A write that had returned and was not flushed is not lost with the old server: such writes are kept ([`Unflushed`]) and sent
//! again before anything else. A command that was under way is sent again by the thread that waits for it; all commands
//! may be repeated. So users see delays and errors, but never less than [`halo_media::Medium`] promises.
//!
//! A server that ends in order may keep the connection until its clients have gone, and answer all they ask for with "shutting down", as
//! nbdkit does: such an answer is taken for the end of the connection.
//!
//! A flush that the server refuses is an outage, too. The server may have lost all that no flush covered, whoever wrote it, and its next flush
//! may succeed without a word of that, as `fsync` does on Linux. So it is reached anew, and gets everything again before the next
//! flush. Flushes go one after the other, so that none succeeds beside one that fails.

use crate::address::Address;
use crate::connection::{Command, Connection};
use crate::handshake::{self, Export};
use crate::unflushed::{Change, Unflushed};
use halo_media::intact;
use halo_planted::{Lapse, Mistake};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How long requests wait for a server, counted from when it went away; later ones fail at once until it is back. Own: long enough
/// for a restart, shorter than what file systems take for a dead disk (30 s in Linux).
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// The longest while requests wait: a server that comes back is to be noticed before they fail.
const LONGEST_PAUSE_WHILE_WAITED_FOR: Duration = Duration::from_millis(250);

/// Told what an operator should know, a line each time.
pub type Log = fn(&str);

/// True when bytes that were remembered and bytes that were found are of one disk: not all of them need be the same.
pub type IsSame = fn(&[u8], &[u8]) -> bool;

/// Bytes that tell a disk from others.
struct Identity {
    offset_bytes: u64,
    bytes: Vec<u8>,
    is_same: IsSame,
    log: Log,
}

/// See the module.
pub(crate) struct Link {
    address: Option<Address>,
    len_bytes: u64,
    state: Mutex<State>,
    changed: Condvar,
    /// Held during a flush.
    flushing: Mutex<()>,
}

struct State {
    connection: Arc<Connection>,
    /// Without it, a connection that is lost stays lost.
    identity: Option<Arc<Identity>>,
    outage: Option<Outage>,
    reconnections: u64,
    unflushed: Unflushed,
    /// A flush failed, and nothing is kept that could be sent again.
    refusal: Option<String>,
}

struct Outage {
    since: Instant,
    pause: Duration,
    next_attempt: Instant,
    attempted_now: bool,
    /// Why it is not over.
    cause: String,
}

impl Link {
    pub(crate) fn new(address: Option<Address>, connection: Connection, export: &Export) -> Self {
        let state = State {
            connection: Arc::new(connection),
            identity: None,
            outage: None,
            reconnections: 0,
            unflushed: Unflushed::default(),
            refusal: None,
        };
        let (changed, flushing) = (Condvar::new(), Mutex::new(()));
        Self { address, len_bytes: export.len_bytes, state: Mutex::new(state), changed, flushing }
    }

    /// From now on the server is reached again when it goes away, if what it has there `is_same`.
    pub(crate) fn remember(&self, offset_bytes: u64, count: usize, is_same: IsSame, log: Log) -> io::Result<()> {
        let bytes = self.run(|connection| read(connection, offset_bytes, count))?;
        self.lock().identity = Some(Arc::new(Identity { offset_bytes, bytes, is_same, log }));
        Ok(())
    }

    /// False while the server is away.
    pub(crate) fn is_connected(&self) -> bool {
        self.lock().outage.is_none()
    }

    pub(crate) fn reconnections(&self) -> u64 {
        self.lock().reconnections
    }

    /// Tries to reach a server that is away, if it is time for that.
    pub(crate) fn reconnect_if_due(&self) {
        let state = self.lock();
        if state.outage.as_ref().is_some_and(Outage::is_due) {
            drop(self.attempt(state));
        }
    }

    /// Does what can be repeated, on one connection after the other until one lasts.
    pub(crate) fn run<T>(&self, command: impl Fn(&Connection) -> io::Result<T>) -> io::Result<T> {
        loop {
            let connection = self.connection()?;
            match command(&connection) {
                Err(error) if connection.is_lost() => self.note_loss(&connection, error)?,
                outcome => return outcome,
            }
        }
    }

    /// The same for a change of the disk, which is kept until a barrier if `command` says that it was made.
    pub(crate) fn change(
        &self,
        kept_bytes: usize,
        changes: impl Fn() -> Vec<Change>,
        command: impl Fn(&Connection) -> io::Result<bool>,
    ) -> io::Result<bool> {
        if !self.lock().unflushed.has_room_for(kept_bytes) && !Lapse::KeptWithoutEnd.is_made() {
            self.barrier()?;
        }
        loop {
            let connection = self.connection()?;
            let outcome = match command(&connection) {
                Err(error) if connection.is_lost() => {
                    self.note_loss(&connection, error)?;
                    continue;
                }
                outcome => outcome,
            };
            if !matches!(outcome, Ok(true)) || self.lock().identity.is_none() {
                return outcome;
            }
            let changes = changes();
            let mut state = self.lock();
            // The server that took it may be gone, and what another thread sends again may be without it.
            let is_same = Arc::ptr_eq(&connection, &state.connection) || Lapse::LeftConnectionBelieved.is_made();
            if state.outage.is_none() && is_same {
                state.unflushed.keep(changes);
                return outcome;
            }
        }
    }

    pub(crate) fn barrier(&self) -> io::Result<()> {
        let _alone = intact(self.flushing.lock());
        let state = self.lock();
        let mark = state.unflushed.mark();
        if let Some(refusal) = &state.refusal {
            return Err(io::Error::other(format!("the disk's server refused a flush before: {refusal}")));
        }
        drop(state);
        if !Mistake::BarrierNotSent.is_made() {
            let flushed = self.flush();
            if !Mistake::BarrierErrorSwallowed.is_made() {
                flushed?;
            }
        }
        let mut state = self.lock();
        let late = Mistake::BarrierForgetsLateChanges.is_made();
        let mark = if late { state.unflushed.mark() } else { mark };
        state.unflushed.forget(mark);
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        loop {
            let connection = self.connection()?;
            match connection.begin(&Command::Flush).and_then(|cookie| connection.finish(cookie)) {
                Ok(_) => return Ok(()),
                Err(error) if connection.is_lost() => self.note_loss(&connection, error)?,
                Err(error) => {
                    if !Mistake::RefusedFlushForgotten.is_made() {
                        self.note_refusal(&connection, &error);
                    }
                    return Err(error);
                }
            }
        }
    }

    /// The server refused a flush, and may have lost what it had not flushed.
    fn note_refusal(&self, connection: &Arc<Connection>, error: &io::Error) {
        let mut state = self.lock();
        let (Some(identity), Some(address)) = (&state.identity, &self.address) else {
            state.refusal = Some(error.to_string());
            return;
        };
        if Arc::ptr_eq(connection, &state.connection) && state.outage.is_none() {
            (identity.log)(&format!("the disk's server at {address} refused a flush ({error}): reaching it anew"));
            state.outage = Some(Outage::new(error));
        }
    }

    /// A connection that was not lost a moment ago; waits for one for as long as the outage is young.
    fn connection(&self) -> io::Result<Arc<Connection>> {
        let mut state = self.lock();
        loop {
            let Some(outage) = &state.outage else { return Ok(Arc::clone(&state.connection)) };
            let wait = (outage.since + PATIENCE).saturating_duration_since(Instant::now());
            if outage.is_due() {
                state = self.attempt(state);
            } else if wait.is_zero() {
                return Err(away(&outage.cause));
            } else {
                let pause = outage.next_attempt.saturating_duration_since(Instant::now()).min(wait);
                // While another thread attempts, its end is signalled.
                let pause = pause.max(Duration::from_millis(1));
                state = intact(self.changed.wait_timeout(state, pause)).0;
            }
        }
    }

    /// `connection` is lost. `Ok`: it is worth another try.
    fn note_loss(&self, connection: &Arc<Connection>, error: io::Error) -> io::Result<()> {
        let mut state = self.lock();
        if !Arc::ptr_eq(connection, &state.connection) || state.outage.is_some() {
            return Ok(());
        }
        let (Some(identity), Some(address)) = (&state.identity, &self.address) else { return Err(error) };
        (identity.log)(&format!("the disk's server at {address} went away ({error}): trying to reach it again"));
        state.outage = Some(Outage::new(&error));
        Ok(())
    }

    /// One attempt, without holding the lock meanwhile.
    fn attempt<'a>(&'a self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let (Some(identity), Some(address)) = (state.identity.clone(), &self.address) else { return state };
        if let Some(outage) = &mut state.outage {
            outage.attempted_now = true;
        }
        let repeated = if Mistake::NothingSentAgain.is_made() { Vec::new() } else { state.unflushed.all() };
        let old = Arc::clone(&state.connection);
        drop(state);
        // Nothing older may come after what is sent again; and some servers take one connection only.
        old.end();
        let outcome = self.reach(address, &identity, &repeated);
        let mut state = self.lock();
        match outcome {
            Ok(connection) => {
                state.connection = Arc::new(connection);
                state.outage = None;
                state.reconnections += 1;
                let count = repeated.len();
                (identity.log)(&format!(
                    "the disk's server is back; writes that it had not flushed: {count}, sent again"
                ));
            }
            Err(error) => {
                let cause = error.to_string();
                if let Some(outage) = &mut state.outage {
                    // A disk that is not the right one is worth a line; that nobody listens has been said.
                    if error.kind() == io::ErrorKind::InvalidData && outage.cause != cause {
                        (identity.log)(&cause);
                    }
                    outage.cause = cause;
                    outage.attempt_failed(Instant::now());
                }
            }
        }
        self.changed.notify_all();
        state
    }

    /// A new connection, with the same disk behind it, on which everything unflushed was written again.
    fn reach(&self, address: &Address, identity: &Identity, repeated: &[Arc<Vec<Change>>]) -> io::Result<Connection> {
        let (stream, export) = handshake::connect(address)?;
        let connection = Connection::new(stream)?;
        let found = read(&connection, identity.offset_bytes, identity.bytes.len());
        let is_it = export.len_bytes == self.len_bytes && matches!(&found, Ok(bytes) if identity.is_same_as(bytes));
        let label = |bytes: &Vec<u8>| bytes.get(..8) == identity.bytes.get(..8);
        let is_it = is_it || (Mistake::AnyLabelTaken.is_made() && found.as_ref().is_ok_and(label));
        if !is_it && !Mistake::OtherDiskTaken.is_made() {
            found?;
            let text = format!("{address} now serves another disk, or another copy of it: serve the right one there");
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        for change in repeated.iter().flat_map(|changes| changes.iter()) {
            change.send(&connection, &export)?;
        }
        Ok(connection)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        intact(self.state.lock())
    }
}

impl Identity {
    fn is_same_as(&self, found: &[u8]) -> bool {
        if Mistake::WholeLabelCompared.is_made() { self.bytes == found } else { (self.is_same)(&self.bytes, found) }
    }
}

impl Outage {
    fn new(cause: &io::Error) -> Self {
        let now = Instant::now();
        Self { since: now, pause: FIRST_PAUSE, next_attempt: now, attempted_now: false, cause: cause.to_string() }
    }

    fn attempt_failed(&mut self, now: Instant) {
        self.attempted_now = false;
        let is_waited_for = now < self.since + PATIENCE;
        let longest = if is_waited_for { LONGEST_PAUSE_WHILE_WAITED_FOR } else { LONGEST_PAUSE };
        self.pause = (self.pause * 2).min(longest);
        self.next_attempt = now + self.pause;
    }

    fn is_due(&self) -> bool {
        !self.attempted_now && Instant::now() >= self.next_attempt
    }
}

fn away(cause: &str) -> io::Error {
    io::Error::new(io::ErrorKind::NotConnected, format!("the disk's server is away: {cause}"))
}

fn read(connection: &Connection, offset_bytes: u64, count: usize) -> io::Result<Vec<u8>> {
    connection.finish(connection.begin(&Command::Read { offset_bytes, count })?)
}

#[cfg(test)]
mod tests;
