//! Commands and replies of many threads on one connection.

use crate::handshake::Stream;
use halo_media::intact;
use halo_planted::{Lapse, Misreading};
use std::collections::HashMap;
use std::io::{self, IoSlice, Read, Write};
use std::sync::{Condvar, Mutex, MutexGuard};

const REQUEST: u32 = 0x2560_9513;
const REPLY: u32 = 0x6744_6698;
const FLAG_FAST_ZERO: u16 = 1 << 4;
/// The server is ending (`NBD_ESHUTDOWN`).
const SHUTTING_DOWN: u32 = 108;

/// A request to the server.
pub(crate) enum Command<'a> {
    Read { offset_bytes: u64, count: usize },
    Write { offset_bytes: u64, bytes: &'a [u8] },
    Flush,
    Trim { offset_bytes: u64, count: usize },
    WriteZeroes { offset_bytes: u64, count: usize, only_if_fast: bool },
}

/// A command that was sent and whose reply must be waited for.
pub(crate) struct Cookie(u64);

/// One connection.
pub(crate) struct Connection {
    out: Mutex<Stream>,
    /// Held by the thread that reads the replies of all threads.
    input: Mutex<Stream>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    next_cookie: u64,
    /// Bytes that the reply to each command under way brings.
    awaited: HashMap<u64, usize>,
    arrived: HashMap<u64, io::Result<Vec<u8>>>,
    being_read: bool,
    /// Why nothing can be sent or received any more.
    broken: Option<String>,
    /// The server has said that it is ending. Replies to what was sent before still come.
    shutting_down: bool,
}

impl Connection {
    pub(crate) fn new(stream: Stream) -> io::Result<Self> {
        let input = Mutex::new(stream.try_clone()?);
        Ok(Self { out: Mutex::new(stream), input, state: Mutex::new(State::default()), changed: Condvar::new() })
    }

    /// Sends a command.
    pub(crate) fn begin(&self, command: &Command<'_>) -> io::Result<Cookie> {
        let (kind, offset_bytes, count, payload) = match *command {
            Command::Read { offset_bytes, count } => (0_u16, offset_bytes, count, &[][..]),
            Command::Write { offset_bytes, bytes } => (1, offset_bytes, bytes.len(), bytes),
            Command::Flush => (3, 0, 0, &[][..]),
            Command::Trim { offset_bytes, count } => (4, offset_bytes, count, &[][..]),
            Command::WriteZeroes { offset_bytes, count, .. } => (6, offset_bytes, count, &[][..]),
        };
        let flags = if matches!(command, Command::WriteZeroes { only_if_fast: true, .. }) { FLAG_FAST_ZERO } else { 0 };
        let mut state = self.lock();
        state.check()?;
        state.next_cookie += 1;
        let cookie = state.next_cookie;
        state.awaited.insert(cookie, if kind == 0 { count } else { 0 });
        drop(state);

        let mut header = [0; 28];
        header[0..4].copy_from_slice(&REQUEST.to_be_bytes());
        header[4..6].copy_from_slice(&flags.to_be_bytes());
        header[6..8].copy_from_slice(&kind.to_be_bytes());
        header[8..16].copy_from_slice(&cookie.to_be_bytes());
        header[16..24].copy_from_slice(&offset_bytes.to_be_bytes());
        header[24..28].copy_from_slice(&(count as u32).to_be_bytes());
        let mut out = intact(self.out.lock());
        let sent = write_both(&mut out, &header, payload);
        drop(out);
        if let Err(error) = sent {
            // A part of a command may be on its way: nothing can follow it.
            self.lock().broken.get_or_insert_with(|| error.to_string());
            self.changed.notify_all();
            return Err(error);
        }
        Ok(Cookie(cookie))
    }

    /// Waits for the reply; gives the data of a read.
    pub(crate) fn finish(&self, Cookie(cookie): Cookie) -> io::Result<Vec<u8>> {
        let mut state = self.lock();
        loop {
            if let Some(outcome) = state.arrived.remove(&cookie) {
                return outcome;
            }
            state.check()?;
            if state.being_read {
                state = intact(self.changed.wait(state));
                continue;
            }
            state.being_read = true;
            drop(state);
            let reply = self.read_reply();
            state = self.lock();
            state.being_read = false;
            match reply {
                Ok((cookie, outcome)) => {
                    state.arrived.insert(cookie, outcome);
                }
                Err(error) => state.broken = Some(error.to_string()),
            }
            self.changed.notify_all();
        }
    }

    fn read_reply(&self) -> io::Result<(u64, io::Result<Vec<u8>>)> {
        let mut input = intact(self.input.lock());
        let mut header = [0; 16];
        input.read_exact(&mut header).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => io::Error::new(error.kind(), "it was closed"),
            _ => error,
        })?;
        let word = |at: usize| header[at..at + 4].iter().fold(0, |word, &byte| word << 8 | u32::from(byte));
        let mut cookie = u64::from(word(8)) << 32 | u64::from(word(12));
        if Misreading::AnyReply.is_made() {
            cookie = self.lock().awaited.keys().min().copied().unwrap_or(cookie);
        }
        let count = self.lock().awaited.remove(&cookie);
        let magic = if Misreading::AnyMagic.is_made() { REPLY } else { word(0) };
        let (REPLY, Some(count)) = (magic, count) else {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the server's reply is not one to any command"));
        };
        if word(4) == SHUTTING_DOWN {
            self.lock().shutting_down = true;
            let text = "it is shutting down";
            return Ok((cookie, Err(io::Error::new(io::ErrorKind::ConnectionAborted, text))));
        }
        if word(4) != 0 && !Misreading::ErrorOverlooked.is_made() {
            // The protocol's error numbers are Linux's.
            return Ok((cookie, Err(io::Error::from_raw_os_error(word(4).cast_signed()))));
        }
        let mut data = vec![0; count];
        let read = input.read_exact(&mut data);
        if !Misreading::ZerosForMissingData.is_made() {
            read?;
        }
        Ok((cookie, Ok(data)))
    }

    /// Lets nothing more be sent, once all replies have come that are under way.
    pub(crate) fn end(&self) {
        let mut state = self.lock();
        while state.broken.is_none() && !state.awaited.is_empty() && !Lapse::LeftWithCommands.is_made() {
            state = intact(self.changed.wait(state));
        }
        if state.broken.is_none() {
            state.broken = Some("it was ended".into());
            drop(state);
            // The server need not learn of it.
            let _ = intact(self.out.lock()).shut_down();
        }
        self.changed.notify_all();
    }

    /// True when commands must go over another connection: nothing can be sent or received any more, or the server is ending.
    pub(crate) fn is_lost(&self) -> bool {
        let state = self.lock();
        state.broken.is_some() || state.shutting_down
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        intact(self.state.lock())
    }
}

impl State {
    fn check(&self) -> io::Result<()> {
        self.broken.as_ref().map_or(Ok(()), |cause| {
            let text = format!("the connection to the disk's server is lost: {cause}");
            Err(io::Error::new(io::ErrorKind::NotConnected, text))
        })
    }
}

/// One system call for header and payload, as long as the socket takes both.
fn write_both(out: &mut Stream, header: &[u8], payload: &[u8]) -> io::Result<()> {
    let mut sent = 0;
    while sent < header.len() {
        match out.write_vectored(&[IoSlice::new(&header[sent..]), IoSlice::new(payload)]) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => sent += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    out.write_all(&payload[sent - header.len()..])
}
