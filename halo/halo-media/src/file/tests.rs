use super::*;
use crate::direct;
use std::io::Write;

#[test]
fn what_is_written_is_read_again_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("medium");
    let medium = FileMedium::create(&path, 3 << 20).unwrap();
    medium.write_at((3 << 20) - 4, b"last").unwrap();
    medium.barrier().unwrap();
    drop(medium);
    let medium = FileMedium::open(&path).unwrap();
    let mut bytes = [0; 4];
    medium.read_at((3 << 20) - 4, &mut bytes).unwrap();
    assert_eq!((&bytes, medium.len_bytes()), (b"last", 3 << 20));
}

#[test]
fn holes_of_a_file_are_filled_and_its_bytes_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("medium");
    std::fs::write(&path, "begins so").unwrap();
    File::options().write(true).open(&path).unwrap().set_len(1 << 20).unwrap();
    FileMedium::fill_holes(&path).unwrap();
    let file = std::fs::metadata(&path).unwrap();
    assert!(file.len() == 1 << 20 && file.blocks() * 512 >= 1 << 20, "{} of 512 bytes", file.blocks());
    assert!(std::fs::read(&path).unwrap().starts_with(b"begins so\0"));
}

/// Bytes that this process has got from devices; nothing where that is not told.
fn bytes_from_devices() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/io").ok()?;
    text.lines().find_map(|line| line.strip_prefix("read_bytes: ")?.parse().ok())
}

fn is_in_memory(path: &Path) -> bool {
    rustix::fs::statfs(path).unwrap().f_type.cast_unsigned() as u64 == direct::TMPFS_MAGIC
}

/// Says that a test cannot run here: not by the macros, whose output of a test that passes nobody sees.
fn skipped(why: &str) {
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    std::io::stderr().write_all(format!("skipped: halo-media, {test}: {why}\n").as_bytes()).unwrap();
}

/// A folder of the build is seldom in memory.
fn folder_on_a_device() -> tempfile::TempDir {
    let program = std::env::current_exe().unwrap();
    tempfile::tempdir_in(program.parent().unwrap()).unwrap()
}

#[test]
fn what_is_read_after_opening_comes_from_the_device() {
    const BYTES: usize = 16 << 20;
    let folder = folder_on_a_device();
    let path = folder.path().join("medium");
    drop(FileMedium::create(&path, BYTES as u64).unwrap());
    let medium = FileMedium::open(&path).unwrap();
    let Some(before) = bytes_from_devices().filter(|_| !is_in_memory(&path)) else {
        return skipped("the build lies in memory, or the kernel counts no reads");
    };
    medium.read_at(0, &mut vec![1; BYTES]).unwrap();
    let read_bytes = bytes_from_devices().unwrap() - before;
    assert!(read_bytes >= BYTES as u64, "{read_bytes} bytes were read from the device");
}

#[test]
fn holes_are_found_wherever_they_are_and_only_they_are_filled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("medium");
    let file = File::options().read(true).write(true).create_new(true).open(&path).unwrap();
    file.set_len(4 << 20).unwrap();
    file.write_all_at(&[7; 4096], 1 << 20).unwrap();
    file.write_all_at(&[8; 4096], 3 << 20).unwrap();
    file.sync_all().unwrap();
    let (one, other) = ((1 << 20) + 4096, (3 << 20) + 4096);
    assert_eq!(holes(&file, 4 << 20).unwrap(), [0..1 << 20, one..3 << 20, other..4 << 20]);
    FileMedium::fill_holes(&path).unwrap();
    assert!(file.metadata().unwrap().blocks() * 512 >= 4 << 20);
    let mut bytes = vec![1; 4 << 20];
    file.read_exact_at(&mut bytes, 0).unwrap();
    assert!((0..).zip(&bytes).all(|(at, &byte)| match at {
        at if (1 << 20..one).contains(&at) => byte == 7,
        at if (3 << 20..other).contains(&at) => byte == 8,
        _ => byte == 0,
    }));
    // A file without holes has none, also where its data ends.
    file.write_all_at(&vec![9; 4 << 20], 0).unwrap();
    assert!(holes(&file, 4 << 20).unwrap().is_empty());
    FileMedium::fill_holes(&path).unwrap();
}

#[test]
fn a_file_that_was_cut_off_is_synced_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("medium");
    let medium = FileMedium::create(&path, 3 << 20).unwrap();
    medium.barrier().unwrap();
    File::options().write(true).open(&path).unwrap().set_len(1 << 20).unwrap();
    medium.write_at(2 << 20, b"behind the end").unwrap();
    let error = medium.barrier().unwrap_err().to_string();
    assert_eq!(error, format!("it has {} bytes, and had {}", (2 << 20) + 14, 3 << 20));
    // Not even when it is long again, as it may have been zeros in between.
    File::options().write(true).open(&path).unwrap().set_len(3 << 20).unwrap();
    assert!(medium.barrier().is_err());
}

#[test]
fn what_is_read_directly_comes_from_the_device_each_time() {
    const BYTES: usize = 4 << 20;
    let folder = folder_on_a_device();
    let path = folder.path().join("medium");
    drop(FileMedium::create(&path, BYTES as u64).unwrap());
    if is_in_memory(&path) {
        return skipped("the build lies in memory");
    }
    let medium = FileMedium::open_direct(&path).unwrap();
    // 100 bytes across the end of a block, as no device takes them.
    medium.write_at(8142, &[7; 100]).unwrap();
    medium.barrier().unwrap();
    let Some(before) = bytes_from_devices() else { return skipped("the kernel counts no reads") };
    let mut bytes = vec![1; BYTES];
    (0..3).for_each(|_| medium.read_at(0, &mut bytes).unwrap());
    let read_bytes = bytes_from_devices().unwrap() - before;
    assert!(read_bytes >= 3 * BYTES as u64, "{read_bytes} bytes were read from the device");
    assert!(bytes.iter().enumerate().all(|(at, &byte)| byte == if (8142..8242).contains(&at) { 7 } else { 0 }));
    drop(medium);
    let medium = FileMedium::open(&path).unwrap();
    let mut bytes = [0; 100];
    medium.read_at(8142, &mut bytes).unwrap();
    assert_eq!(bytes, [7; 100]);
}

#[test]
fn a_file_system_without_direct_io_is_named_in_one_line() {
    let folder = Path::new("/dev/shm");
    let Ok(folder) = tempfile::tempdir_in(folder) else { return skipped("no /dev/shm") };
    let path = folder.path().join("medium");
    drop(FileMedium::create(&path, 4096).unwrap());
    if !is_in_memory(&path) {
        return skipped("/dev/shm is not in memory");
    }
    let error = FileMedium::open_direct(&path).err().unwrap().to_string();
    assert!(error.contains("medium: its file system has no direct I/O") && !error.contains('\n'), "{error}");
}

#[test]
fn a_file_that_is_in_use_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("medium");
    let first = FileMedium::create(&path, 4096).unwrap();
    let error = FileMedium::open(&path).err().unwrap();
    assert!(error.to_string().contains("in use by another process"), "{error}");
    drop(first);
    assert!(FileMedium::open(&path).is_ok());
}

#[test]
fn an_existing_file_is_not_overwritten_and_an_empty_one_not_taken() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("medium");
    std::fs::write(&path, "").unwrap();
    assert!(FileMedium::create(&path, 4096).is_err());
    let error = FileMedium::open(&path).err().unwrap();
    assert!(error.to_string().contains("has no size"), "{error}");
    let missing = FileMedium::open(&folder.path().join("missing")).err().unwrap();
    assert!(missing.to_string().contains("missing: cannot be opened"), "{missing}");
}

#[test]
fn zeroed_bytes_read_as_zeros_and_their_neighbours_stay() {
    let folder = tempfile::tempdir().unwrap();
    let medium = FileMedium::create(&folder.path().join("medium"), 1 << 20).unwrap();
    medium.write_at(0, &vec![7; 1 << 20]).unwrap();
    medium.write_zeros(4096, 500_000).unwrap();
    let mut bytes = vec![1; 1 << 20];
    medium.read_at(0, &mut bytes).unwrap();
    let zeroed = 4096..4096 + 500_000;
    assert!(bytes.iter().enumerate().all(|(at, &byte)| byte == if zeroed.contains(&at) { 0 } else { 7 }));
    assert!(medium.zero_cheaply(1 << 20, 1).is_err());
}

#[test]
fn an_extended_file_keeps_its_bytes_and_gains_zeros() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("medium");
    FileMedium::create(&path, 4096).unwrap().write_at(0, &[7; 4096]).unwrap();
    let medium = FileMedium::extend(&path, 12_288).unwrap();
    let mut bytes = vec![1; 12_288];
    medium.read_at(0, &mut bytes).unwrap();
    assert!(bytes[..4096] == [7; 4096] && bytes[4096..] == [0; 8192]);
    let smaller = FileMedium::extend(&path, 4096).err().unwrap();
    assert!(smaller.to_string().contains("in use"), "{smaller}");
    drop(medium);
    let smaller = FileMedium::extend(&path, 4096).err().unwrap();
    assert!(smaller.to_string().contains("12288 bytes already"), "{smaller}");
}

#[test]
fn a_range_beyond_the_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let medium = FileMedium::create(&folder.path().join("medium"), 4096).unwrap();
    assert!(medium.write_at(4095, b"ab").is_err());
    assert!(medium.read_at(u64::MAX, &mut [0; 2]).is_err());
    assert!(medium.write_at(4094, b"ab").is_ok());
}

#[test]
fn scattered_pieces_are_written_and_read_in_their_places() {
    const BYTES: usize = 4 << 20;
    let folder = folder_on_a_device();
    let path = folder.path().join("medium");
    drop(FileMedium::create(&path, BYTES as u64).unwrap());
    for direct in [false, true] {
        if direct && is_in_memory(&path) {
            continue;
        }
        let medium = if direct { FileMedium::open_direct(&path) } else { FileMedium::open(&path) }.unwrap();
        let mut expected = vec![0; BYTES];
        // Whole blocks, alone and side by side, and parts of sectors of which several share one.
        let places: Vec<_> = (0..200_usize)
            .map(|number| if number % 3 == 0 { (number * 8192, 4096) } else { (number * 8192 + number % 3 * 700, 600) })
            .chain([(1_800_000, 100), (1_800_150, 100)])
            .chain((0..8).map(|number| (2_000_000 / 4096 * 4096 + number * 4096, 4096)))
            .collect();
        let bytes: Vec<u8> = (0..4096_u32).map(|at| (at * 13 % 251) as u8).collect();
        for &(start, count) in &places {
            expected[start..start + count].copy_from_slice(&bytes[..count]);
        }
        let piece = |&(start, count): &(usize, usize)| Piece { offset_bytes: start as u64, bytes: &bytes[..count] };
        medium.write_pieces(&places.iter().map(piece).collect::<Vec<_>>()).unwrap();
        let mut all = vec![1; BYTES];
        medium.read_at(0, &mut all).unwrap();
        assert!(all == expected);
        let mut read = vec![1; places.iter().map(|&(_, count)| count).sum()];
        let (mut rest, mut pieces) = (&mut read[..], Vec::new());
        for &(start, count) in places.iter().rev() {
            let (buffer, others) = rest.split_at_mut(count);
            pieces.push(ReadPiece { offset_bytes: start as u64, buffer });
            rest = others;
        }
        medium.read_pieces(&mut pieces).unwrap();
        assert!(
            pieces.iter().all(|piece| *piece.buffer == expected[piece.offset_bytes as usize..][..piece.buffer.len()])
        );
        let mut beyond = [0; 4096];
        let offset_bytes = BYTES as u64 - 512;
        assert!(medium.read_pieces(&mut [ReadPiece { offset_bytes, buffer: &mut beyond }]).is_err());
        medium.write_pieces(&[Piece { offset_bytes: 0, bytes: &vec![0; BYTES] }]).unwrap();
    }
}
