//! An NBD server that says anything.

use halo_media::{Medium, Piece};
use halo_nbd::NbdMedium;
use std::collections::BTreeMap;
use std::io::Write;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;

/// More would not fit into the socket before anybody reads.
const MOST_INPUT_BYTES: usize = 16 << 10;

const READ_BYTES: usize = 64;

/// All that a server sends on a connection, from the greeting on. The client must come to an end, and give what the server said, or an
/// error where a second reading of the protocol has one.
pub fn nbd(input: &[u8]) {
    let input = &input[..input.len().min(MOST_INPUT_BYTES)];
    let (client, mut server) = UnixStream::pair().expect("a pair of sockets");
    server.write_all(input).expect("the socket's buffer takes it");
    server.shutdown(Shutdown::Write).expect("a connected socket");
    let mut said = Said(input);
    let export = said.export();
    let disk = NbdMedium::over(client, "fuzzed");
    assert_eq!(disk.as_ref().ok().map(Medium::len_bytes), export, "the size of the export");
    let Ok(disk) = disk else { return };

    let mut buffers = [[0; READ_BYTES]; 2];
    let pieces = [0, 512].map(|offset_bytes| Piece { offset_bytes, bytes: &[1; 512] });
    let outcomes = [
        disk.read_at(0, &mut buffers[0]),
        disk.write_pieces(&pieces),
        disk.barrier(),
        disk.read_at(512, &mut buffers[1]),
    ];
    let expected = said.replies(&[&[READ_BYTES], &[0, 0], &[0], &[READ_BYTES]]);
    for (number, (outcome, expected)) in outcomes.iter().zip(&expected).enumerate() {
        assert_eq!(outcome.is_ok(), expected.is_some(), "request {number} came to {outcome:?}");
    }
    for (buffer, expected) in buffers.iter().zip([&expected[0], &expected[3]]) {
        assert!(expected.as_ref().is_none_or(|expected| *expected == buffer), "a read gave what nobody said");
    }
    // These may need no word of the server.
    let _ = (disk.zero_cheaply(0, 4096), disk.discard(0, 4096));
}

/// The rest of a server's words: the protocol read once more, without the client's code.
///
/// Source: the NBD protocol, sections on the fixed newstyle negotiation, its option GO, and simple replies.
struct Said<'a>(&'a [u8]);

impl<'a> Said<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number<const N: usize>(&mut self) -> Option<u64> {
        Some(self.take(N)?.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    /// The size of the export, if it is one that can be used.
    fn export(&mut self) -> Option<u64> {
        if self.take(16)? != b"NBDMAGICIHAVEOPT" || self.number::<2>()? & 1 == 0 {
            return None;
        }
        let (mut len_bytes, mut flags, mut least_bytes) = (0, 0, 1);
        loop {
            let (magic, _option, kind) = (self.number::<8>()?, self.number::<4>()?, self.number::<4>()?);
            let count = self.number::<4>()? as usize;
            // Own: longer answers are refused.
            if magic != 0x0003_e889_0455_65a9 || count > 65_536 {
                return None;
            }
            let mut answer = Said(self.take(count)?);
            match (kind, answer.number::<2>(), count) {
                (1, ..) => {
                    // Read-only, and with flushes.
                    let usable = flags & 0b110 == 0b100 && least_bytes <= 512 && len_bytes > 0;
                    return usable.then_some(len_bytes);
                }
                (3, Some(0), 12) => (len_bytes, flags) = (answer.number::<8>()?, answer.number::<2>()?),
                (3, Some(3), 14) => least_bytes = answer.number::<4>()?,
                (0x8000_0000.., ..) => return None,
                _ => {}
            }
        }
    }

    /// The results of requests, one after the other, each of commands that are all sent at once and whose replies bring so many bytes.
    /// The data, or nothing where there was an error.
    fn replies(&mut self, requests: &[&[usize]]) -> Vec<Option<Vec<u8>>> {
        let (mut cookie, mut is_lost) = (0, false);
        let mut outcomes = Vec::new();
        for &commands in requests {
            let mut awaited: BTreeMap<u64, usize> = (cookie + 1..).zip(commands.iter().copied()).collect();
            cookie += commands.len() as u64;
            let (mut data, mut failed) = (Vec::new(), false);
            while !is_lost && !awaited.is_empty() {
                match self.reply(&mut awaited) {
                    Some(Ok(bytes)) => data.extend(bytes),
                    Some(Err(Refused)) => failed = true,
                    None => is_lost = true,
                }
            }
            outcomes.push((awaited.is_empty() && !failed && !is_lost).then_some(data));
        }
        outcomes
    }

    /// The next reply. Nothing when it is none to any command, or cut off.
    fn reply(&mut self, awaited: &mut BTreeMap<u64, usize>) -> Option<Result<&'a [u8], Refused>> {
        let (magic, error, cookie) = (self.number::<4>()?, self.number::<4>()?, self.number::<8>()?);
        let count = awaited.remove(&cookie).filter(|_| magic == 0x6744_6698)?;
        if error == 0 { self.take(count).map(Ok) } else { Some(Err(Refused)) }
    }
}

/// A reply with an error.
struct Refused;
