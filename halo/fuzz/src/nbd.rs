//! An NBD server that says anything.

use halo_media::{Medium, Piece};
use halo_nbd::NbdMedium;
use std::io::Write;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;

/// More would not fit into the socket before anybody reads.
const MOST_INPUT_BYTES: usize = 16 << 10;

/// Greeting, the export's size, acknowledgement.
const SHORTEST_HANDSHAKE_BYTES: usize = 18 + 32 + 20;
const REPLY_BYTES: usize = 16;

/// All that a server sends on a connection, from the greeting on. The client must come to an end, with data or an error.
pub fn nbd(input: &[u8]) {
    let (client, mut server) = UnixStream::pair().expect("a pair of sockets");
    server.write_all(&input[..input.len().min(MOST_INPUT_BYTES)]).expect("the socket's buffer takes it");
    server.shutdown(Shutdown::Write).expect("a connected socket");
    let Ok(disk) = NbdMedium::over(client, "fuzzed") else { return };
    assert!(disk.len_bytes() > 0, "an export without a size was taken");

    let mut buffer = [0; 64];
    let pieces = [0, 512].map(|offset_bytes| Piece { offset_bytes, bytes: &[1; 512] });
    let outcomes =
        [disk.read_at(0, &mut buffer), disk.write_pieces(&pieces), disk.barrier(), disk.read_at(512, &mut buffer)];
    let successes = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert!(SHORTEST_HANDSHAKE_BYTES + successes * REPLY_BYTES <= input.len(), "a reply was made up");
    // These may need no word of the server.
    let _ = (disk.zero_cheaply(0, 4096), disk.discard(0, 4096));
}
