//! A disk that another process serves over NBD, as a [`Medium`].
//!
//! Speaks the protocol's fixed newstyle handshake and simple replies, over a Unix or TCP socket. Many threads share one
//! connection: a thread that waits for its reply reads the replies of all. So no thread of our own is needed, and it survives a fork.
//!
//! A server that goes away is reached again once [`NbdMedium::remember_identity`] has said how to know the disk; `link` says
//! what holds then; a host that is silent for 20 seconds is taken for gone. Not here: a server that hangs, on a host that answers, is waited
//! for. Start with [`NbdMedium`].
//!
//! Source: the NBD protocol, <https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md>.

#![forbid(unsafe_code)]

mod address;
mod connection;
mod handshake;
mod link;
mod unflushed;

pub use address::Address;
pub use link::{IsSame, Log};

use connection::{Command, Connection};
use halo_media::{Medium, Piece, ReadPiece, fill};
use handshake::{Export, Stream};
use link::Link;
use std::io;
use std::os::unix::net::UnixStream;
use unflushed::{Change, trims, writes, zeroes};

/// Commands that are under way at once for one call. Own: a disk chooses well from 32 (NCQ); as many again wait at the server, so
/// that its queue does not run dry between a reply and the next command.
const WINDOW: usize = 64;

/// Longer transfers are split. Own: servers must take 32 MiB; a quarter of it keeps buffers small.
const MOST_BYTES: usize = 8 << 20;

/// Longer ranges without data are split. Own: a server that can only write zeros must not be busy with one command for long.
const MOST_BYTES_WITHOUT_DATA: u64 = 64 << 20;

/// An NBD export.
pub struct NbdMedium {
    link: Link,
    export: Export,
}

impl NbdMedium {
    /// Connects.
    ///
    /// # Errors
    /// Nobody listens, or the export is read-only, empty, not flushable or not writable in sectors of 512 bytes.
    pub fn connect(address: &Address) -> io::Result<Self> {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{address}: {error}"));
        let (stream, export) = handshake::connect(address).map_err(named)?;
        let connection = Connection::new(stream).map_err(named)?;
        Ok(Self { link: Link::new(Some(address.clone()), connection, &export), export })
    }

    /// Takes a socket that is connected to a server already.
    ///
    /// # Errors
    /// As for [`NbdMedium::connect`].
    pub fn over(stream: UnixStream, export: &str) -> io::Result<Self> {
        let (stream, export) = handshake::agree(Stream::Unix(stream), export)?;
        Ok(Self { link: Link::new(None, Connection::new(stream)?, &export), export })
    }

    /// From now on, a server that goes away is reached again, if the `count` bytes at `offset_bytes` that it then has are those of this
    /// disk, as `is_same` says. Requests wait for it for five seconds from when it went away, and then fail until it is
    /// back. `log` gets a line when it goes and when it comes.
    ///
    /// # Errors
    /// The bytes cannot be read.
    pub fn remember_identity(&self, offset_bytes: u64, count: usize, is_same: IsSame, log: Log) -> io::Result<()> {
        self.link.remember(offset_bytes, count, is_same, log)
    }

    /// False while the server is away.
    pub fn is_connected(&self) -> bool {
        self.link.is_connected()
    }

    /// Counts the times that the server was reached again.
    pub fn reconnections(&self) -> u64 {
        self.link.reconnections()
    }

    /// Tries to reach a server that is away, if it is time for that; for hosts that have no request for it.
    pub fn reconnect_if_due(&self) {
        self.link.reconnect_if_due();
    }

    fn write_zeroes(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<()> {
        let change = || vec![Change::Zero { offset_bytes, count_bytes }];
        let command = |connection: &Connection| run(connection, zeroes(offset_bytes, count_bytes)).map(|()| true);
        self.link.change(0, change, command).map(drop)
    }
}

/// Sends `commands`, [`WINDOW`] at a time, and waits for all of them; the first error counts.
fn run<'a>(connection: &Connection, commands: impl Iterator<Item = Command<'a>>) -> io::Result<()> {
    let mut under_way = std::collections::VecDeque::new();
    let mut outcome = Ok(());
    for command in commands {
        if under_way.len() == WINDOW
            && let Some(oldest) = under_way.pop_front()
        {
            outcome = outcome.and(connection.finish(oldest).map(drop));
        }
        if outcome.is_err() {
            break;
        }
        match connection.begin(&command) {
            Ok(cookie) => under_way.push_back(cookie),
            Err(error) => outcome = Err(error),
        }
    }
    for cookie in under_way {
        outcome = outcome.and(connection.finish(cookie).map(drop));
    }
    outcome
}

/// Asks for all ranges at once, each by offset and length, and waits for all of them; the first error counts.
fn read_all(connection: &Connection, ranges: &[(u64, usize)]) -> io::Result<Vec<Vec<u8>>> {
    let ask = |&(offset_bytes, count): &(u64, usize)| connection.begin(&Command::Read { offset_bytes, count });
    let begun: Vec<_> = ranges.iter().map(ask).collect();
    // All replies are waited for, also after an error.
    let replies: Vec<_> = begun.into_iter().map(|cookie| connection.finish(cookie?)).collect();
    replies.into_iter().collect()
}

/// The commands of a range without data: offset and length of each.
fn split(offset_bytes: u64, count_bytes: u64) -> impl Iterator<Item = (u64, usize)> {
    (0..count_bytes)
        .step_by(MOST_BYTES_WITHOUT_DATA as usize)
        .map(move |at_bytes| (offset_bytes + at_bytes, (count_bytes - at_bytes).min(MOST_BYTES_WITHOUT_DATA) as usize))
}

impl Medium for NbdMedium {
    fn len_bytes(&self) -> u64 {
        self.export.len_bytes
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut at_bytes = offset_bytes;
        for part in buffer.chunks_mut(MOST_BYTES) {
            let command = Command::Read { offset_bytes: at_bytes, count: part.len() };
            part.copy_from_slice(&self.link.run(|connection| connection.finish(connection.begin(&command)?))?);
            at_bytes += part.len() as u64;
        }
        Ok(())
    }

    fn read_pieces(&self, pieces: &mut [ReadPiece<'_>]) -> io::Result<()> {
        for pieces in pieces.chunks_mut(WINDOW) {
            let wanted: Vec<_> = pieces.iter().map(|piece| (piece.offset_bytes, piece.buffer.len())).collect();
            if wanted.iter().any(|&(_, count)| count > MOST_BYTES) {
                pieces.iter_mut().try_for_each(|piece| self.read_at(piece.offset_bytes, piece.buffer))?;
                continue;
            }
            let read = self.link.run(|connection| read_all(connection, &wanted))?;
            pieces.iter_mut().zip(&read).for_each(|(piece, bytes)| piece.buffer.copy_from_slice(bytes));
        }
        Ok(())
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        self.write_pieces(&[Piece { offset_bytes, bytes }])
    }

    fn write_pieces(&self, pieces: &[Piece<'_>]) -> io::Result<()> {
        let kept_bytes = pieces.iter().map(|piece| piece.bytes.len()).sum();
        let kept = |piece: &Piece<'_>| Change::Write { offset_bytes: piece.offset_bytes, bytes: piece.bytes.to_vec() };
        let command = |connection: &Connection| {
            run(connection, pieces.iter().flat_map(|piece| writes(piece.offset_bytes, piece.bytes))).map(|()| true)
        };
        self.link.change(kept_bytes, || pieces.iter().map(kept).collect(), command).map(drop)
    }

    /// A write of zeroes that the server refuses if it is not fast.
    fn zero_cheaply(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<bool> {
        if !self.export.can_fast_zero() || count_bytes == 0 {
            return Ok(count_bytes == 0);
        }
        let first_bytes = count_bytes.min(MOST_BYTES_WITHOUT_DATA);
        let first = Command::WriteZeroes { offset_bytes, count: first_bytes as usize, only_if_fast: true };
        let change = || vec![Change::Zero { offset_bytes, count_bytes: first_bytes }];
        let fast = self.link.change(0, change, |connection| {
            match connection.begin(&first).and_then(|cookie| connection.finish(cookie)) {
                Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(false),
                outcome => outcome.map(|_| true),
            }
        })?;
        // If the first piece is fast, the others are taken to be fast, too.
        if fast && first_bytes < count_bytes {
            self.write_zeroes(offset_bytes + first_bytes, count_bytes - first_bytes)?;
        }
        Ok(fast)
    }

    /// Zeroes without sending them, where the server can.
    fn write_zeros(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<()> {
        if self.export.can_write_zeroes() {
            self.write_zeroes(offset_bytes, count_bytes)
        } else {
            fill(self, offset_bytes, count_bytes)
        }
    }

    fn discard(&self, offset_bytes: u64, count_bytes: u64) -> io::Result<()> {
        if !self.export.can_trim() {
            return Ok(());
        }
        let change = || vec![Change::Trim { offset_bytes, count_bytes }];
        let command = |connection: &Connection| run(connection, trims(offset_bytes, count_bytes)).map(|()| true);
        self.link.change(0, change, command).map(drop)
    }

    fn barrier(&self) -> io::Result<()> {
        self.link.barrier()
    }
}
