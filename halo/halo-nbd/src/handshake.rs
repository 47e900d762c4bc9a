//! From a socket to an export that is ready for commands.

use crate::address::{Address, Socket};
use halo_planted::Misreading;
use rustix::net::sockopt::{set_socket_keepalive, set_tcp_keepidle, set_tcp_keepintvl, set_tcp_user_timeout};
use std::io::{self, IoSlice, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::time::Duration;

const GREETING: &[u8; 16] = b"NBDMAGICIHAVEOPT";
const FIXED_NEWSTYLE: u16 = 1;
const NO_ZEROES: u16 = 2;
const OPTION_GO: u32 = 7;
const OPTION_REPLY: u64 = 0x0003_e889_0455_65a9;
const REPLY_ACKNOWLEDGED: u32 = 1;
const REPLY_INFORMATION: u32 = 3;
const REPLY_IS_ERROR: u32 = 1 << 31;
const INFORMATION_EXPORT: u16 = 0;
const INFORMATION_BLOCK_SIZES: u16 = 3;
const EXPORT_IS_READ_ONLY: u16 = 1 << 1;
const EXPORT_CAN_FLUSH: u16 = 1 << 2;
const EXPORT_CAN_TRIM: u16 = 1 << 5;
const EXPORT_CAN_WRITE_ZEROES: u16 = 1 << 6;
const EXPORT_CAN_FAST_ZERO: u16 = 1 << 11;
/// Longer answers to an option come from no server that means well.
const MOST_ANSWER_BYTES: u32 = 1 << 16;

/// Own: longer than a lost packet takes to be sent again.
const CONNECT_WITHIN: Duration = Duration::from_secs(3);

/// How long the host of a server may stay silent: what was sent is not acknowledged, or probes on a connection without traffic are not answered. A
/// host answers for a server that is merely slow, unless that takes nothing from its connection for so long that it is full. Own: as long as
/// several packets that are lost in a row take, and less than what file systems take for a dead disk (30 s in Linux).
const SILENT_AT_MOST: Duration = Duration::from_secs(20);
/// The time without traffic before the first probe, and between probes.
const PROBE_EVERY: Duration = Duration::from_secs(5);

/// Either kind of socket.
pub(crate) enum Stream {
    Unix(UnixStream),
    Tcp(TcpStream),
}

impl Stream {
    pub(crate) fn try_clone(&self) -> io::Result<Self> {
        Ok(match self {
            Self::Unix(stream) => Self::Unix(stream.try_clone()?),
            Self::Tcp(stream) => Self::Tcp(stream.try_clone()?),
        })
    }
}

impl Stream {
    /// Nothing can be sent or received any more.
    pub(crate) fn shut_down(&self) -> io::Result<()> {
        match self {
            Self::Unix(stream) => stream.shutdown(Shutdown::Both),
            Self::Tcp(stream) => stream.shutdown(Shutdown::Both),
        }
    }

    fn give_up_reading_after(&self, limit: Option<Duration>) -> io::Result<()> {
        match self {
            Self::Unix(stream) => stream.set_read_timeout(limit),
            Self::Tcp(stream) => stream.set_read_timeout(limit),
        }
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Unix(stream) => stream.read(buffer),
            Self::Tcp(stream) => stream.read(buffer),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Unix(stream) => stream.write(bytes),
            Self::Tcp(stream) => stream.write(bytes),
        }
    }
    fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        match self {
            Self::Unix(stream) => stream.write_vectored(slices),
            Self::Tcp(stream) => stream.write_vectored(slices),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The export as the server describes it.
pub(crate) struct Export {
    pub(crate) len_bytes: u64,
    flags: u16,
    least_bytes: u32,
}

impl Export {
    pub(crate) fn can_trim(&self) -> bool {
        self.flags & EXPORT_CAN_TRIM != 0
    }

    pub(crate) fn can_write_zeroes(&self) -> bool {
        self.flags & EXPORT_CAN_WRITE_ZEROES != 0
    }

    /// A write of zeroes may ask to be refused if it would take as long as a write of bytes.
    pub(crate) fn can_fast_zero(&self) -> bool {
        self.can_write_zeroes() && self.flags & EXPORT_CAN_FAST_ZERO != 0
    }
}

/// Connects and asks for the export.
pub(crate) fn connect(address: &Address) -> io::Result<(Stream, Export)> {
    let stream = match &address.socket {
        Socket::Unix(path) => Stream::Unix(UnixStream::connect(path)?),
        Socket::Tcp(host) => {
            let stream = connect_tcp(host)?;
            stream.set_nodelay(true)?;
            notice_dead_hosts(&stream)?;
            Stream::Tcp(stream)
        }
    };
    // A peer that takes connections and says nothing is no server.
    stream.give_up_reading_after(Some(CONNECT_WITHIN))?;
    let (stream, export) = agree(stream, &address.export)?;
    stream.give_up_reading_after(None)?;
    Ok((stream, export))
}

/// Without this, what was received and not answered is waited for for ever, and what was not received for a quarter of an hour.
fn notice_dead_hosts(stream: &TcpStream) -> io::Result<()> {
    set_socket_keepalive(stream, true)?;
    set_tcp_keepidle(stream, PROBE_EVERY)?;
    set_tcp_keepintvl(stream, PROBE_EVERY)?;
    // Linux counts probes by this time instead of their number, once it is set.
    Ok(set_tcp_user_timeout(stream, SILENT_AT_MOST.as_millis() as u32)?)
}

/// Tries all addresses of a host, each for a bounded time.
fn connect_tcp(host: &str) -> io::Result<TcpStream> {
    let mut outcome = Err(io::Error::new(io::ErrorKind::NotFound, "the host has no address"));
    for address in host.to_socket_addrs()? {
        outcome = TcpStream::connect_timeout(&address, CONNECT_WITHIN);
        if outcome.is_ok() {
            break;
        }
    }
    outcome
}

/// Asks the server at the other end for the export.
pub(crate) fn agree(mut stream: Stream, name: &str) -> io::Result<(Stream, Export)> {
    let export = negotiate(&mut stream, name)?;
    check(&export)?;
    Ok((stream, export))
}

fn check(export: &Export) -> io::Result<()> {
    if export.flags & EXPORT_IS_READ_ONLY != 0 && !Misreading::ReadOnlyTaken.is_made() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the export is read-only"));
    }
    if export.flags & EXPORT_CAN_FLUSH == 0 && !Misreading::NoFlushNeeded.is_made() {
        return Err(unusable("the export takes no flush, so nothing is known about what is durable"));
    }
    if export.least_bytes > 512 && !Misreading::LargeBlocksTaken.is_made() {
        return Err(unusable(&format!("the export takes blocks of {} bytes and more, not 512", export.least_bytes)));
    }
    if export.len_bytes == 0 {
        return Err(unusable("has no size"));
    }
    Ok(())
}

fn negotiate(stream: &mut Stream, name: &str) -> io::Result<Export> {
    let mut greeting = [0; 18];
    stream.read_exact(&mut greeting)?;
    let server_flags = u16::from_be_bytes([greeting[16], greeting[17]]);
    if &greeting[..16] != GREETING || server_flags & FIXED_NEWSTYLE == 0 {
        return Err(unusable("not an NBD server of the fixed newstyle kind"));
    }
    let client_flags = u32::from(server_flags & (FIXED_NEWSTYLE | NO_ZEROES));
    let mut request = client_flags.to_be_bytes().to_vec();
    request.extend_from_slice(&GREETING[8..]);
    request.extend(OPTION_GO.to_be_bytes());
    request.extend((name.len() as u32 + 8).to_be_bytes());
    request.extend((name.len() as u32).to_be_bytes());
    request.extend_from_slice(name.as_bytes());
    request.extend(1_u16.to_be_bytes());
    request.extend(INFORMATION_BLOCK_SIZES.to_be_bytes());
    stream.write_all(&request)?;

    let mut export = Export { len_bytes: 0, flags: 0, least_bytes: 1 };
    loop {
        let (kind, answer) = read_answer(stream)?;
        match kind {
            REPLY_ACKNOWLEDGED => return Ok(export),
            REPLY_INFORMATION => take_information(&mut export, &answer),
            kind if kind & REPLY_IS_ERROR != 0 => {
                let text = String::from_utf8_lossy(&answer);
                return Err(unusable(&format!("the server refuses export '{name}' (error {kind:#x}) {text}")));
            }
            _ => {}
        }
    }
}

fn read_answer(stream: &mut Stream) -> io::Result<(u32, Vec<u8>)> {
    let mut header = [0; 20];
    stream.read_exact(&mut header)?;
    let count = u32_at(&header, 16);
    if header[..8] != OPTION_REPLY.to_be_bytes() || count > MOST_ANSWER_BYTES {
        return Err(unusable("the server answers with something else than the protocol's words"));
    }
    let mut answer = vec![0; count as usize];
    stream.read_exact(&mut answer)?;
    Ok((u32_at(&header, 12), answer))
}

fn take_information(export: &mut Export, answer: &[u8]) {
    let Some((kind, rest)) = answer.split_first_chunk() else { return };
    match (u16::from_be_bytes(*kind), rest.len()) {
        (INFORMATION_EXPORT, 10) => {
            export.len_bytes = u64::from(u32_at(rest, 0)) << 32 | u64::from(u32_at(rest, 4));
            export.flags = u16::from_be_bytes([rest[8], rest[9]]);
        }
        (INFORMATION_BLOCK_SIZES, 12) => export.least_bytes = u32_at(rest, 0),
        _ => {}
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes[at..at + 4].iter().fold(0, |word, &byte| word << 8 | u32::from(byte))
}

fn unusable(text: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, text)
}
