//! Each format, and what is wrong with lines that are not in it.
#![allow(missing_docs, clippy::unwrap_used)]

use halo_sim::trace::{BadLines, Format, Trace, TraceError, read, read_file};
use halo_sim::{Kind, Request};
use std::io::Write;

fn parse(format: Format, text: &str) -> Result<Trace, TraceError> {
    read("sample", text.as_bytes(), format, BadLines::Refuse)
}

fn request(at_nanos: u64, device: u32, kind: Kind, offset_bytes: u64, bytes: u32) -> Request {
    Request { at_nanos, device, kind, offset_bytes, bytes }
}

#[test]
fn every_format_is_read_as_it_is_defined() {
    use Kind::{Read, Write};
    let spc = parse(Format::Spc, "0,20941264,8192,W,0.551706\n1,20939840,512,r,0.554041,7\n").unwrap();
    assert_eq!(spc.requests[0], request(551_706_000, 0, Write, 20_941_264 * 512, 8192));
    assert_eq!(spc.requests[1], request(554_041_000, 1, Read, 20_939_840 * 512, 512));

    let msr = parse(Format::Msr, "128166385295514663,hm,1,Write,9056014336,2048,2833\r\n").unwrap();
    let at = 128_166_385_295_514_663_u64.wrapping_mul(100);
    assert_eq!(msr.requests, [request(at, 1, Write, 9_056_014_336, 2048)]);

    let vm = parse(Format::CloudPhysics, "version,time,op,size,lbn\n1,5633898,2a,512,42\n1,2,28,1024,7\n1,3,35,0,0\n")
        .unwrap();
    assert_eq!(vm.requests[0], request(5_633_898_000_000_000, 0, Write, 42 * 512, 512));
    assert_eq!(vm.requests[1..], [request(2_000_000_000, 0, Read, 7 * 512, 1024)]);

    let ssd = parse(Format::Ssdsim, "26214000 0 303574 7 0\n28000000 13 93230992 32 1\n").unwrap();
    assert_eq!(ssd.requests[0], request(26_214_000, 0, Write, 303_574 * 512, 7 * 512));
    assert_eq!(ssd.requests[1], request(28_000_000, 13, Read, 93_230_992 * 512, 32 * 512));
}

#[test]
fn of_blkparse_only_queued_reads_and_writes_count() {
    let text = "  8,0    1        1     0.000000000  4711  Q  WS 223490 + 8 [kjournald]
  8,0    1        2     0.000001200  4711  G  WS 223490 + 8 [kjournald]
  8,0    0        3     0.500000000     0  C   R 100 + 16 [0]
  8,0    0        4     0.600000000   812  Q   R 100 + 16 [cp]
  8,0    0        5     0.700000000   812  Q  FWS [sync]
  8,0    0        6     0.800000000   812  Q   D 4096 + 8 [fstrim]
CPU0 (8,0):
 Reads Queued:           1,       8KiB\t Writes Queued:           1,       4KiB
Total (8,0):
Throughput (R/W): 0KiB/s / 0KiB/s
Events (8,0): 6 entries
Skips: 0 forward (0 -   0.0%)
";
    let trace = parse(Format::Blkparse, text).unwrap();
    let device = 8 << 20;
    let expected =
        [request(0, device, Kind::Write, 223_490 * 512, 4096), request(600_000_000, device, Kind::Read, 51_200, 8192)];
    assert_eq!(trace.requests, expected);
}

#[test]
fn a_bad_line_is_named_with_its_number_or_counted() {
    let cases = [
        (Format::Spc, "0,1,512,W,0.5", "0,1,512,X,0.5"),
        (Format::Spc, "0,1,512,W,0.5", "0,1,512,W"),
        (Format::Spc, "0,1,512,W,0.5", "0,1,0,W,0.5"),
        (Format::Spc, "0,1,512,W,0.5", "0,18446744073709551615,512,W,0.5"),
        (Format::Msr, "1,hm,0,Read,0,512,1", "1,hm,0,Trim,0,512,1"),
        (Format::Msr, "1,hm,0,Read,0,512,1", "18446744073709551615,hm,0,Read,0,512,1"),
        (Format::Ssdsim, "1 0 9 8 0", "18446744073709551615 0 9 8 0"),
        (Format::Msr, "1,hm,0,Read,0,512,1", "1,hm,0,Read,0,4294967297,1"),
        (Format::CloudPhysics, "1,2,28,512,9", "version,time,op,size,lbn"),
        (Format::CloudPhysics, "1,2,28,512,9", "1,nan,28,512,9"),
        (Format::Blkparse, "8,0 1 1 0.5 7 Q W 8 + 8 [x]", "8,0 1 1 0.5 7 Q W 8 + many [x]"),
        (Format::Blkparse, "8,0 1 1 0.5 7 Q W 8 + 8 [x]", "what is this"),
        (Format::Ssdsim, "1 0 9 8 0", "1 0 9 8 2"),
        (Format::Ssdsim, "1 0 9 8 0", "1 0 9 -8 0"),
    ];
    for (format, good, bad) in cases {
        let text = format!("{good}\n{bad}\n{good}\n");
        let error = parse(format, &text).unwrap_err().to_string();
        assert!(error.starts_with("sample, line 2: ") && error.contains(bad), "{format:?}: {error}");
        let trace = read("sample", text.as_bytes(), format, BadLines::Skip).unwrap();
        assert_eq!((trace.requests.len(), trace.skipped_lines), (2, 1), "{format:?}: {bad}");
    }
}

#[test]
fn a_trace_without_a_request_is_refused() {
    assert!(matches!(parse(Format::Spc, "\n"), Err(TraceError::Empty { .. })));
    assert!(matches!(read("x", &b"\xff\xfe"[..], Format::Msr, BadLines::Skip), Err(TraceError::Empty { .. })));
}

/// A packed file of kilobytes may hold gigabytes without an end of line: they must not be gathered in memory.
#[test]
fn a_line_without_an_end_is_refused_even_where_bad_lines_are_skipped() {
    struct NeverEnding;
    impl std::io::Read for NeverEnding {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            buffer.fill(b'1');
            Ok(buffer.len())
        }
    }
    for bad_lines in [BadLines::Refuse, BadLines::Skip] {
        let error = read("sample", std::io::BufReader::new(NeverEnding), Format::Spc, bad_lines).unwrap_err();
        assert!(error.to_string().starts_with("sample, line 1: no end within 64 KiB"), "{error}");
    }
}

#[test]
fn compressed_files_are_read_like_plain_ones() {
    let text = "0,20941264,8192,W,0.551706\n".repeat(1000);
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("trace.csv");
    std::fs::write(&plain, &text).unwrap();
    let expected = read_file(&plain, Format::Spc, BadLines::Refuse).unwrap();
    assert_eq!(expected.requests.len(), 1000);

    let gzip = folder.path().join("trace.csv.gz");
    let mut packer = flate2::write::GzEncoder::new(std::fs::File::create(&gzip).unwrap(), flate2::Compression::fast());
    packer.write_all(text.as_bytes()).unwrap();
    packer.finish().unwrap();
    assert_eq!(read_file(&gzip, Format::Spc, BadLines::Refuse).unwrap(), expected);

    // Two lines, packed by liblzma.
    let xz = folder.path().join("trace.csv.xz");
    std::fs::write(&xz, XZ).unwrap();
    let two = read_file(&xz, Format::Ssdsim, BadLines::Refuse).unwrap();
    assert_eq!(two.requests, [request(1, 0, Kind::Write, 4608, 4096), request(2, 0, Kind::Read, 4608, 4096)]);
    // A dictionary of 4 GiB, with the header's checksum put right.
    let mut greedy = XZ.to_vec();
    greedy[16] = 40;
    greedy[20..24].copy_from_slice(&[0xe6, 0xa0, 0x11, 0xb3]);
    std::fs::write(&xz, greedy).unwrap();
    assert!(matches!(read_file(&xz, Format::Ssdsim, BadLines::Refuse), Err(TraceError::Io { .. })));
    let mut broken = XZ.to_vec();
    broken[30] ^= 1;
    std::fs::write(&xz, broken).unwrap();
    assert!(matches!(read_file(&xz, Format::Ssdsim, BadLines::Skip), Err(TraceError::Io { .. })));
}

/// Two frames with a line each and one to skip between them, the lines packed by zstd.
#[test]
fn all_frames_of_a_zstandard_file_are_read_and_damage_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace.csv.zst");
    std::fs::write(&file, ZSTD).unwrap();
    let two = read_file(&file, Format::Ssdsim, BadLines::Refuse).unwrap();
    assert_eq!(two.requests, [request(1, 0, Kind::Write, 4608, 4096), request(2, 0, Kind::Read, 4608, 4096)]);
    for at in 0..ZSTD.len() {
        let mut broken = ZSTD.to_vec();
        broken[at] ^= 4;
        std::fs::write(&file, broken).unwrap();
        // Skipped lines have no checksum. Lines may be refused before the checksum at the end of their frame is seen.
        if let Ok(trace) = read_file(&file, Format::Ssdsim, BadLines::Refuse) {
            assert_eq!(trace, two, "byte {at}");
        }
    }
}

const ZSTD: &[u8] = &[
    0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x51, 0x00, 0x00, 0x31, 0x20, 0x30, 0x20, 0x39, 0x20, 0x38, 0x20, 0x30, 0x0a,
    0x39, 0xd1, 0x09, 0x91, 0x50, 0x2a, 0x4d, 0x18, 0x03, 0x00, 0x00, 0x00, 0x01, 0x02, 0x03, 0x28, 0xb5, 0x2f, 0xfd,
    0x04, 0x58, 0x51, 0x00, 0x00, 0x32, 0x20, 0x30, 0x20, 0x39, 0x20, 0x38, 0x20, 0x31, 0x0a, 0xa4, 0x9d, 0xc0, 0xfb,
];

const XZ: &[u8] = &[
    0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x01, 0x69, 0x22, 0xde, 0x36, 0x02, 0x00, 0x21, 0x01, 0x16, 0x00, 0x00,
    0x00, 0x74, 0x2f, 0xe5, 0xa3, 0x01, 0x00, 0x13, 0x31, 0x20, 0x30, 0x20, 0x39, 0x20, 0x38, 0x20, 0x30, 0x0a, 0x32,
    0x20, 0x30, 0x20, 0x39, 0x20, 0x38, 0x20, 0x31, 0x0a, 0x00, 0x53, 0x4a, 0xf2, 0xff, 0x00, 0x01, 0x28, 0x14, 0xfc,
    0xcf, 0x01, 0x67, 0x90, 0x42, 0x99, 0x0d, 0x01, 0x00, 0x00, 0x00, 0x00, 0x01, 0x59, 0x5a,
];
