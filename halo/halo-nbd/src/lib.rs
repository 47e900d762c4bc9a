//! A disk that another process serves over NBD, as a [`Medium`].
//!
//! Speaks the protocol's fixed newstyle handshake and simple replies, over a Unix or TCP socket. Many threads share one
//! connection; whoever waits for a reply reads for all. So there is no thread of its own, and it survives a fork.
//!
//! Not here: reconnecting. A server that was restarted may have lost what it had not flushed, and may serve another disk: the
//! pair is opened anew instead. Start with [`NbdMedium`].
//!
//! Source: the NBD protocol, <https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md>.

#![forbid(unsafe_code)]

mod address;
mod connection;
mod handshake;

pub use address::Address;

use connection::{Command, Connection};
use halo_media::{Medium, Piece};
use std::io;

/// Commands that are under way at once for one call. Own: a disk chooses well from 32 (NCQ); as many again wait at the server, so
/// that its queue does not run dry between a reply and the next command.
const WINDOW: usize = 64;

/// Longer transfers are split. Own: servers must take 32 MiB; a quarter of it keeps buffers small.
const MOST_BYTES: usize = 8 << 20;

/// An NBD export.
pub struct NbdMedium {
    connection: Connection,
    len_bytes: u64,
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
        Ok(Self { connection, len_bytes: export.len_bytes })
    }

    /// Sends `commands`, [`WINDOW`] at a time, and waits for all of them; the first error counts.
    fn run<'a>(&self, commands: impl Iterator<Item = Command<'a>>) -> io::Result<()> {
        let mut under_way = std::collections::VecDeque::new();
        let mut outcome = Ok(());
        for command in commands {
            if under_way.len() == WINDOW
                && let Some(oldest) = under_way.pop_front()
            {
                outcome = outcome.and(self.connection.finish(oldest).map(drop));
            }
            if outcome.is_err() {
                break;
            }
            match self.connection.begin(&command) {
                Ok(cookie) => under_way.push_back(cookie),
                Err(error) => outcome = Err(error),
            }
        }
        for cookie in under_way {
            outcome = outcome.and(self.connection.finish(cookie).map(drop));
        }
        outcome
    }
}

impl Medium for NbdMedium {
    fn len_bytes(&self) -> u64 {
        self.len_bytes
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut at_bytes = offset_bytes;
        for part in buffer.chunks_mut(MOST_BYTES) {
            let cookie = self.connection.begin(&Command::Read { offset_bytes: at_bytes, count: part.len() })?;
            part.copy_from_slice(&self.connection.finish(cookie)?);
            at_bytes += part.len() as u64;
        }
        Ok(())
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        self.write_pieces(&[Piece { offset_bytes, bytes }])
    }

    fn write_pieces(&self, pieces: &[Piece<'_>]) -> io::Result<()> {
        self.run(pieces.iter().flat_map(|piece| {
            piece.bytes.chunks(MOST_BYTES).enumerate().map(|(number, bytes)| {
                let offset_bytes = piece.offset_bytes + (number * MOST_BYTES) as u64;
                Command::Write { offset_bytes, bytes }
            })
        }))
    }

    fn barrier(&self) -> io::Result<()> {
        self.run(std::iter::once(Command::Flush))
    }
}
