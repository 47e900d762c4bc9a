//! One line of each format.

use crate::request::{Kind, Request};
use std::str::FromStr;

const SECTOR_BYTES: u64 = 512;

/// How a trace is written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Storage Performance Council: `unit,lba,bytes,R|W,seconds`, lba in sectors.
    Spc,
    /// Microsoft Research Cambridge: `filetime,host,disk,Read|Write,offset,bytes,response`.
    Msr,
    /// `CloudPhysics`: a heading, then `version,seconds,SCSI operation in hexadecimal,bytes,lba`.
    CloudPhysics,
    /// The output of `blkparse`; requests as they were queued (action Q).
    Blkparse,
    /// `SSDSim` and `MQSim`: `nanoseconds device lba sectors 0|1`, 0 for a write.
    Ssdsim,
}

/// The longest request that is taken for one; anything longer is a line of another format.
const LONGEST_BYTES: u64 = 1 << 30;
/// 570 years. What a replay adds to the time of the last request must fit into 64 bits, too.
const LATEST_NANOS: u64 = 18_000_000_000_000_000_000;

impl Format {
    /// All formats by the names that users give.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("spc", Self::Spc),
        ("msr", Self::Msr),
        ("cloudphysics", Self::CloudPhysics),
        ("blkparse", Self::Blkparse),
        ("ssdsim", Self::Ssdsim),
    ];

    /// The request of a line; nothing for lines that have none by design.
    ///
    /// # Errors
    /// The fault of the line.
    pub(crate) fn parse(self, text: &str, line: u64) -> Result<Option<Request>, &'static str> {
        if text.is_empty() {
            return Ok(None);
        }
        let request = match self {
            Self::Spc => spc(text)?,
            Self::Msr => msr(text)?,
            Self::CloudPhysics if line == 1 && text.starts_with("version,") => return Ok(None),
            Self::CloudPhysics => match cloud_physics(text)? {
                Some(request) => request,
                None => return Ok(None),
            },
            Self::Blkparse => match blkparse(text)? {
                Some(request) => request,
                None => return Ok(None),
            },
            Self::Ssdsim => ssdsim(text)?,
        };
        let RawRequest { at_nanos, device, kind, offset_bytes, bytes } = request;
        let end = offset_bytes.and_then(|offset| offset.checked_add(bytes?));
        match (offset_bytes, bytes, end) {
            _ if at_nanos > LATEST_NANOS => Err("a time beyond 570 years"),
            (_, Some(0), _) => Err("a request of no length"),
            (Some(offset_bytes), Some(bytes), Some(end)) if bytes <= LONGEST_BYTES && end <= 1 << 48 => {
                Ok(Some(Request { at_nanos, device, kind, offset_bytes, bytes: bytes as u32 }))
            }
            _ => Err("longer than 1 GiB, or beyond 256 TiB"),
        }
    }
}

/// As written: offset and length may not fit.
struct RawRequest {
    at_nanos: u64,
    device: u32,
    kind: Kind,
    offset_bytes: Option<u64>,
    bytes: Option<u64>,
}

fn number<T: FromStr>(field: Option<&str>, reason: &'static str) -> Result<T, &'static str> {
    field.and_then(|field| field.trim().parse().ok()).ok_or(reason)
}

fn sectors(count: u64) -> Option<u64> {
    count.checked_mul(SECTOR_BYTES)
}

fn seconds(field: Option<&str>) -> Result<u64, &'static str> {
    let seconds: f64 = number(field, "no time in seconds")?;
    if seconds.is_finite() && (0.0..1e10).contains(&seconds) {
        Ok((seconds * 1e9) as u64)
    } else {
        Err("no time in seconds")
    }
}

fn spc(text: &str) -> Result<RawRequest, &'static str> {
    let mut fields = text.split(',');
    let device = number(fields.next(), "no unit number")?;
    let lba = number(fields.next(), "no block address")?;
    let bytes = number(fields.next(), "no size")?;
    let kind = match fields.next().map(str::trim) {
        Some("R" | "r") => Kind::Read,
        Some("W" | "w") => Kind::Write,
        _ => return Err("neither R nor W"),
    };
    let at_nanos = seconds(fields.next())?;
    Ok(RawRequest { at_nanos, device, kind, offset_bytes: sectors(lba), bytes: Some(bytes) })
}

fn msr(text: &str) -> Result<RawRequest, &'static str> {
    let mut fields = text.split(',');
    let filetime: u64 = number(fields.next(), "no time stamp")?;
    let _host = fields.next();
    let device = number(fields.next(), "no disk number")?;
    let kind = match fields.next().map(str::trim) {
        Some("Read") => Kind::Read,
        Some("Write") => Kind::Write,
        _ => return Err("neither Read nor Write"),
    };
    let offset_bytes = number(fields.next(), "no offset")?;
    let bytes = number(fields.next(), "no size")?;
    // 100 ns since 1601; what counts is the distance between requests.
    let at_nanos = filetime.saturating_mul(100);
    Ok(RawRequest { at_nanos, device, kind, offset_bytes: Some(offset_bytes), bytes: Some(bytes) })
}

fn cloud_physics(text: &str) -> Result<Option<RawRequest>, &'static str> {
    let mut fields = text.split(',');
    let _version: u32 = number(fields.next(), "no version")?;
    let at_nanos = seconds(fields.next())?;
    let operation = fields.next().map(str::trim).ok_or("no SCSI operation")?;
    let kind = match u8::from_str_radix(operation, 16).map_err(|_| "no SCSI operation")? {
        0x08 | 0x28 | 0xa8 | 0x88 => Kind::Read,
        0x0a | 0x2a | 0xaa | 0x8a => Kind::Write,
        // Other commands move no data that a cache would see.
        _ => return Ok(None),
    };
    let bytes = number(fields.next(), "no size")?;
    let lba = number(fields.next(), "no block address")?;
    Ok(Some(RawRequest { at_nanos, device: 0, kind, offset_bytes: sectors(lba), bytes: Some(bytes) }))
}

/// `major,minor cpu sequence seconds process action flags sector + sectors [name]`; the summary at the end is left out.
fn blkparse(text: &str) -> Result<Option<RawRequest>, &'static str> {
    let mut fields = text.split_whitespace();
    let first = fields.next().ok_or("no device")?;
    let Some((major, minor)) = first.split_once(',') else {
        let of_summary = text.starts_with(' ')
            || first.starts_with("CPU")
            || matches!(first, "Total" | "Throughput" | "Events" | "Skips:" | "Input");
        return if of_summary { Ok(None) } else { Err("no device as major,minor") };
    };
    let major: u32 = number(Some(major), "no device as major,minor")?;
    let minor: u32 = number(Some(minor), "no device as major,minor")?;
    let _cpu: u32 = number(fields.next(), "no processor number")?;
    let _sequence: u64 = number(fields.next(), "no sequence number")?;
    let at_nanos = seconds(fields.next())?;
    let _process: i64 = number(fields.next(), "no process number")?;
    let (action, flags) = (fields.next().ok_or("no action")?, fields.next().ok_or("no flags")?);
    let kind = match (action, flags) {
        ("Q", flags) if flags.contains('D') => return Ok(None),
        ("Q", flags) if flags.contains('R') => Kind::Read,
        ("Q", flags) if flags.contains('W') => Kind::Write,
        _ => return Ok(None),
    };
    let rest: Vec<_> = fields.take(3).collect();
    let [sector, "+", count] = rest[..] else {
        // A flush has no range.
        return Ok(None);
    };
    let offset_bytes = sectors(number(Some(sector), "no sector")?);
    let bytes = sectors(number(Some(count), "no number of sectors")?);
    Ok(Some(RawRequest { at_nanos, device: major << 20 | minor, kind, offset_bytes, bytes }))
}

fn ssdsim(text: &str) -> Result<RawRequest, &'static str> {
    let mut fields = text.split_whitespace();
    let at_nanos = number(fields.next(), "no time in nanoseconds")?;
    let device = number(fields.next(), "no device")?;
    let lba = number(fields.next(), "no block address")?;
    let count = number(fields.next(), "no number of sectors")?;
    let kind = match fields.next() {
        Some("0") => Kind::Write,
        Some("1") => Kind::Read,
        _ => return Err("neither 0 (write) nor 1 (read)"),
    };
    Ok(RawRequest { at_nanos, device, kind, offset_bytes: sectors(lba), bytes: sectors(count) })
}
