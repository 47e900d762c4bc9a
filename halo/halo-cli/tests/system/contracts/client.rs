//! An NBD client that says what it means: FUA, trims and zeroes with their flags, one command at a time.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

const FLAG_FUA: u16 = 1;
const CAN_FLUSH_FUA_TRIM_ZERO_MULTI: u16 = 1 << 2 | 1 << 3 | 1 << 5 | 1 << 6 | 1 << 8;

/// The kind of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Read = 0,
    Write = 1,
    Flush = 3,
    Trim = 4,
    Zero = 6,
}

/// A connection.
pub(crate) struct Client {
    stream: UnixStream,
    pub(crate) len_bytes: u64,
    cookie: u64,
}

impl Client {
    pub(crate) fn connect(socket: &Path) -> Self {
        let mut stream = UnixStream::connect(socket).unwrap();
        let mut greeting = [0; 18];
        stream.read_exact(&mut greeting).unwrap();
        assert_eq!(&greeting[..16], b"NBDMAGICIHAVEOPT");
        // Fixed newstyle without padding, then the option that names the export: the one without a name.
        let hello = [&3_u32.to_be_bytes()[..], b"IHAVEOPT", &1_u32.to_be_bytes(), &0_u32.to_be_bytes()].concat();
        stream.write_all(&hello).unwrap();
        let mut export = [0; 10];
        stream.read_exact(&mut export).unwrap();
        let flags = u16::from_be_bytes([export[8], export[9]]);
        assert_eq!(flags & CAN_FLUSH_FUA_TRIM_ZERO_MULTI, CAN_FLUSH_FUA_TRIM_ZERO_MULTI, "{flags:#x}");
        Self { stream, len_bytes: u64::from_be_bytes(export[..8].try_into().unwrap()), cookie: 0 }
    }

    /// Sends a command and waits for its end.
    pub(crate) fn command(
        &mut self,
        kind: Kind,
        fua: bool,
        offset_bytes: u64,
        count: usize,
        payload: &[u8],
    ) -> io::Result<Vec<u8>> {
        self.cookie += 1;
        let mut header = 0x2560_9513_u32.to_be_bytes().to_vec();
        header.extend_from_slice(&(if fua { FLAG_FUA } else { 0 }).to_be_bytes());
        header.extend_from_slice(&(kind as u16).to_be_bytes());
        header.extend_from_slice(&self.cookie.to_be_bytes());
        header.extend_from_slice(&offset_bytes.to_be_bytes());
        header.extend_from_slice(&(count as u32).to_be_bytes());
        self.stream.write_all(&[&header, payload].concat())?;
        let mut reply = [0; 16];
        self.stream.read_exact(&mut reply)?;
        assert_eq!(reply[8..], self.cookie.to_be_bytes(), "a reply to another command");
        let errno = u32::from_be_bytes(reply[4..8].try_into().unwrap());
        if errno != 0 {
            return Err(io::Error::from_raw_os_error(errno.cast_signed()));
        }
        let mut data = vec![0; if kind == Kind::Read { count } else { 0 }];
        self.stream.read_exact(&mut data)?;
        Ok(data)
    }

    pub(crate) fn read(&mut self, offset_bytes: u64, count: usize) -> io::Result<Vec<u8>> {
        self.command(Kind::Read, false, offset_bytes, count, &[])
    }

    pub(crate) fn write(&mut self, offset_bytes: u64, bytes: &[u8], fua: bool) -> io::Result<()> {
        self.command(Kind::Write, fua, offset_bytes, bytes.len(), bytes).map(drop)
    }

    pub(crate) fn zero(&mut self, offset_bytes: u64, count: usize, fua: bool) -> io::Result<()> {
        self.command(Kind::Zero, fua, offset_bytes, count, &[]).map(drop)
    }

    pub(crate) fn trim(&mut self, offset_bytes: u64, count: usize, fua: bool) -> io::Result<()> {
        self.command(Kind::Trim, fua, offset_bytes, count, &[]).map(drop)
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.command(Kind::Flush, false, 0, 0, &[]).map(drop)
    }
}
