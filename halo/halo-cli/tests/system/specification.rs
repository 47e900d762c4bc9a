//! `FORMAT.md` is enough: what a program reads that knows nothing else (`halo/rescue`, in another language).

use crate::harness::{Bench, content, skipped};
use halo_core::SplitMix64;
use halo_media::Medium;
use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

const DISK_BYTES: u64 = 8 << 20;

/// What it did; nothing where there is no Python.
fn run_rescue(bench: &Bench, image: Option<&str>) -> Option<Output> {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../rescue");
    let mut command = Command::new("python3");
    command.arg(program).args([bench.path("cache"), bench.path("disk")]).args(image.map(|name| bench.path(name)));
    let output = command.output();
    if output.is_err() {
        skipped("no python3");
    }
    output.ok()
}

/// Its exit code and report; nothing where there is no Python.
pub(crate) fn rescue(bench: &Bench, image: Option<&str>) -> Option<(i32, Value)> {
    let output = run_rescue(bench, image)?;
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    Some((output.status.code().unwrap(), report))
}

/// Writes, zeros and trims of whole blocks and of sectors, three times what the cache holds.
fn use_at_random(disk: &impl Medium, seed: u64) {
    let mut random = SplitMix64::new(seed);
    for version in 1..700 {
        let offset_bytes = random.below(DISK_BYTES / 4096 - 64) * 4096;
        let (sector, sectors) = (random.below(8), 1 + random.below(8) as usize);
        match random.below(10) {
            0 => disk.write_zeros(offset_bytes, 4096 * (1 + random.below(60))).unwrap(),
            1 => disk.discard(offset_bytes, 4096 * (1 + random.below(60))).unwrap(),
            2..5 => disk.write_at(offset_bytes + sector * 512, &content(version)[..512 * sectors]).unwrap(),
            5 => disk.barrier().unwrap(),
            _ => disk.write_at(offset_bytes, &content(version)).unwrap(),
        }
    }
    disk.barrier().unwrap();
}

#[test]
fn a_reader_that_knows_only_the_specification_finds_after_a_kill_what_the_server_serves() {
    let mut blocks_found = 0;
    for (seed, mode) in (1..).zip(["flush", "strict", "ordered"]) {
        let bench = Bench::bound("1M", DISK_BYTES);
        let mut server = bench.serve(&["--mode", mode]);
        use_at_random(&bench.client(), seed);
        server.kill();
        let Some((code, report)) = rescue(&bench, Some("image")) else { return };
        let checked = bench.json(&["check", "CACHE", "DISK", "--json"]);
        assert_eq!((code, &report["items"], &report["blocks"]), (0, &checked["items"], &checked["blocks"]), "{report}");
        assert_eq!(report["ordered"], mode == "ordered", "{report}");
        blocks_found += report["blocks"].as_u64().unwrap();
        let _again = bench.serve(&["--mode", mode]);
        let mut found = vec![0; report["capacity_bytes"].as_u64().unwrap() as usize];
        bench.client().read_at(0, &mut found).unwrap();
        let image = fs::read(bench.path("image")).unwrap();
        let difference = image.iter().zip(&found).position(|(ours, theirs)| ours != theirs);
        assert!(difference.is_none() && image.len() == found.len(), "mode {mode}: byte {difference:?}");
    }
    // The destager leaves more or fewer at the kill, by the machine's load.
    assert!(blocks_found > 20, "{blocks_found}");
}

/// Neither copy of the superblock, of the label, or of both is left: the items are enough.
#[test]
fn a_reader_that_knows_only_the_specification_needs_no_record() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let mut server = bench.serve(&[]);
    (0..40).for_each(|block| bench.client().write_at(block * 4096, &content(block + 1)).unwrap());
    server.terminate();
    let (cache, disk) = (fs::read(bench.path("cache")).unwrap(), fs::read(bench.path("disk")).unwrap());
    for (superblock, label) in [(false, true), (true, false), (false, false)] {
        let (mut cache, mut disk) = (cache.clone(), disk.clone());
        if !superblock {
            let end = cache.len() - 4096;
            cache[..4096].fill(0x77);
            cache[end..].fill(0x77);
        }
        if !label {
            let end = disk.len() - 4096;
            disk[end..].fill(0x77);
        }
        fs::write(bench.path("cache"), &cache).unwrap();
        fs::write(bench.path("disk"), &disk).unwrap();
        let Some((code, report)) = rescue(&bench, Some("image")) else { return };
        assert_eq!((code, &report["blocks"], &report["damaged_items"]), (3, &40.into(), &0.into()), "{report}");
        let left = report["records"].as_array().unwrap().len();
        assert_eq!(left, usize::from(superblock) + usize::from(label), "{report}");
        let image = fs::read(bench.path("image")).unwrap();
        (0..40).for_each(|block| assert!(image[block as usize * 4096..][..4096] == content(block + 1)));
        fs::remove_file(bench.path("image")).unwrap();
    }
}

#[test]
fn a_reader_that_knows_only_the_specification_finds_the_same_damage() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let mut server = bench.serve(&[]);
    (0..40).for_each(|block| bench.client().write_at(block * 4096, &content(block + 1)).unwrap());
    server.terminate();
    let mut cache = fs::read(bench.path("cache")).unwrap();
    let data = cache.windows(4096).position(|bytes| bytes == content(8)).unwrap();
    cache[data + 100] ^= 1;
    let used = (4096..).step_by(32).filter(|&at| cache[at..at + 32] != [0; 32]).take(40);
    // Blocks were written in order, one slot after the other: the last one's item is not that of block 7.
    let item = used.last().unwrap();
    cache[item + 9] ^= 1;
    fs::write(bench.path("cache"), &cache).unwrap();
    let Some((code, report)) = rescue(&bench, None) else { return };
    assert_eq!((code, &report["damaged_items"], &report["damaged_blocks"][0]), (3, &1.into(), &7.into()), "{report}");
    let checked = bench.halo(&["check", "CACHE", "DISK", "--json"]);
    let checked: Value = serde_json::from_slice(&checked.stdout).unwrap();
    for field in ["items", "damaged_items", "damaged_blocks"] {
        assert_eq!(checked[field], report[field], "{field}");
    }
}

/// Such as each command takes, or refuses.
#[test]
fn a_reader_that_knows_only_the_specification_tells_copies_of_an_earlier_cache_and_of_an_earlier_time() {
    let (bench, other) = (Bench::bound("1M", DISK_BYTES), Bench::bound("1M", DISK_BYTES));
    // Whose superblock has a higher generation.
    (0..3).for_each(|_| drop(other.serve(&[])));
    let mut server = bench.serve(&[]);
    (0..40).for_each(|block| bench.client().write_at(block * 4096, &content(block + 1)).unwrap());
    server.terminate();
    let earlier = fs::read(bench.path("disk")).unwrap();
    let (mut cache, left) = (fs::read(bench.path("cache")).unwrap(), fs::read(other.path("cache")).unwrap());
    let end = cache.len() - 4096;
    cache[end..].copy_from_slice(&left[end..]);
    fs::write(bench.path("cache"), cache).unwrap();
    let Some((code, report)) = rescue(&bench, None) else { return };
    assert_eq!((code, &report["blocks"]), (0, &40.into()), "{report}");
    drop(bench.serve(&[]));
    fs::write(bench.path("disk"), earlier).unwrap();
    let output = run_rescue(&bench, None).unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(3) && text.contains("one of the two is an older copy"), "{text}");
}

/// The disk is copied once all is known to be right, and a part of an image is none.
#[test]
fn a_reader_that_knows_only_the_specification_leaves_no_image_of_what_it_cannot_read() {
    let (bench, other) = (Bench::bound("1M", DISK_BYTES), Bench::bound("1M", DISK_BYTES));
    let mut server = bench.serve(&[]);
    bench.client().write_at(0, &content(1)).unwrap();
    let refused = |why: &str| {
        let Some(output) = run_rescue(&bench, Some("image")) else { return };
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(3) && text.contains(why), "{text}");
        assert!(text.starts_with("rescue: ") && text.lines().count() == 1, "{text}");
        assert!(!bench.path("image").exists(), "{why}: an image is left");
    };
    // A server writes meanwhile: a part of that would be in the image.
    refused("in use by another process: stop the server first");
    server.terminate();
    let disk = fs::read(bench.path("disk")).unwrap();
    fs::copy(other.path("disk"), bench.path("disk")).unwrap();
    refused("do not belong together");
    fs::write(bench.path("disk"), &disk[..disk.len() / 2]).unwrap();
    refused("name a whole copy");
    fs::write(bench.path("disk"), &disk).unwrap();
    if let Some((code, report)) = rescue(&bench, Some("image")) {
        assert_eq!((code, &report["blocks"]), (0, &1.into()), "{report}");
        // Neither is one that was there.
        let output = run_rescue(&bench, Some("image")).unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(bench.path("image").exists());
    }
}

#[test]
fn a_record_of_the_mask_with_more_checksums_than_there_are_places_does_not_count() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let mut server = bench.serve(&[]);
    bench.client().write_at(0, &content(1)).unwrap();
    server.terminate();
    let mut disk = fs::read(bench.path("disk")).unwrap();
    let end = disk.len();
    for at in [end - 4096 + 512, end - 2048 + 512] {
        let record = &mut disk[at..at + 1536];
        record[..8].copy_from_slice(b"HALOMASK");
        record[8..36].fill(0);
        (record[8], record[12], record[16]) = (2, 2, 9);
        record[24..32].copy_from_slice(&DISK_BYTES.to_le_bytes());
        record[32..36].fill(0xff);
        let checksum = crc32c::crc32c(&record[..1532]);
        record[1532..].copy_from_slice(&checksum.to_le_bytes());
    }
    fs::write(bench.path("disk"), disk).unwrap();
    let Some((code, report)) = rescue(&bench, Some("image")) else { return };
    assert_eq!((code, &report["written_outside"]), (0, &serde_json::json!([])), "{report}");
}
