//! Disks of which both are lost: the cache, and the label that told of it.

use crate::harness::{Bench, Process};
use crate::masked::{DISK_BYTES, assert_hidden, assert_whole, partition_table, succeeds, used};
use halo_media::Medium;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::process::Stdio;

const RELEASE: [&str; 6] = ["release", "DISK", "--cache-lost", "--label-lost", "--cache", "CACHE"];

/// The disk has all of the file system, is masked as its killed server left it, and nothing is left of the label.
fn without_label() -> Bench {
    let bench = used();
    let mut server = bench.serve(&[]);
    succeeds(&bench, &["drain", "--socket", "SOCKET"]);
    bench.client().write_at(DISK_BYTES / 2, &[0; 512]).unwrap();
    bench.client().barrier().unwrap();
    server.kill();
    write(&bench, DISK_BYTES - 4096, &[0x77; 4096]);
    bench
}

fn write(bench: &Bench, at: u64, bytes: &[u8]) {
    File::options().write(true).open(bench.path("disk")).unwrap().write_all_at(bytes, at).unwrap();
}

fn refused(bench: &Bench, arguments: &[&str], code: i32, told: &str) {
    let before = fs::read(bench.path("disk")).unwrap();
    let output = bench.halo(arguments);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(code) && text.contains(told), "{arguments:?}: {text}");
    assert!(fs::read(bench.path("disk")).unwrap() == before, "{arguments:?} changed something");
}

#[test]
fn a_masked_disk_without_cache_and_label_is_a_file_system_again_once_it_is_released() {
    let bench = without_label();
    let yes = [&RELEASE[..], &["--yes"]].concat();
    // With the cache, nothing is lost.
    refused(&bench, &yes, 3, "--label-lost makes the label anew");
    let whole = fs::read(bench.path("cache")).unwrap();
    fs::write(bench.path("cache"), vec![0; whole.len()]).unwrap();
    refused(&bench, &yes, 3, "to give it up, erase it and name a place where nothing is");
    fs::remove_file(bench.path("cache")).unwrap();
    assert_hidden(&bench);
    refused(&bench, &["release", "DISK", "--cache-lost", "--yes"], 3, "which is lost like its label: --label-lost");
    refused(&bench, &["release", "DISK", "--cache-lost", "--label-lost", "--yes"], 2, "name that place with --cache");
    refused(&bench, &["release", "DISK", "--disk-lost", "--label-lost"], 2, "--label-lost");
    refused(&bench, &RELEASE, 2, "there was no answer");
    let planned = succeeds(&bench, &[&RELEASE[..], &["--dry-run"]].concat());
    assert!(planned.contains("it is masked, and shows ext2, ext3 or ext4 once it is not"), "{planned}");
    assert!(planned.contains("is not there: if only its file system is not mounted"), "{planned}");
    assert_hidden(&bench);
    let report = bench.json(&[&yes[..], &["--json"]].concat());
    assert_eq!((&report["released"], &report["was_masked"]), (&true.into(), &true.into()), "{report}");
    assert_whole(&bench);
    let again = succeeds(&bench, &yes);
    assert!(again.contains("was plain already"), "{again}");
    assert_whole(&bench);
    // The old label is gone, and a new cache writes its own.
    assert!(bench.halo(&["create", "CACHE", "DISK", "--size", "12M", "--force"]).status.success());
    refused(&bench, &yes, 2, "the disk has its label");
    let mut server = bench.serve(&[]);
    assert_hidden(&bench);
    server.terminate();
    assert_whole(&bench);
}

/// A partition table that somebody put on the disk since stays, until it is erased.
#[test]
fn a_partition_table_over_a_masked_disk_without_label_stays_until_it_is_erased() {
    let bench = without_label();
    fs::remove_file(bench.path("cache")).unwrap();
    let mut first = [0; 512];
    File::open(bench.path("disk")).unwrap().read_exact_at(&mut first, 0).unwrap();
    write(&bench, 0, &partition_table());
    let yes = [&RELEASE[..], &["--yes"]].concat();
    refused(&bench, &yes, 3, "shows a partition table, which was put there while it was masked");
    write(&bench, 0, &first);
    succeeds(&bench, &yes);
    assert_whole(&bench);
}

#[test]
fn unmasking_a_disk_without_label_can_be_killed_at_any_moment() {
    let bench = without_label();
    fs::remove_file(bench.path("cache")).unwrap();
    let masked = fs::read(bench.path("disk")).unwrap();
    let yes = [&RELEASE[..], &["--yes"]].concat();
    let mut kills = 0;
    for attempt in 0..20_u32 {
        fs::write(bench.path("disk"), &masked).unwrap();
        let mut release = Process::spawn(bench.command(&yes).stdout(Stdio::null()).stderr(Stdio::null()));
        // Ever later in its life.
        (0..attempt * 20_000).for_each(|_| std::hint::spin_loop());
        kills += u32::from(release.is_running());
        release.kill();
        succeeds(&bench, &yes);
        let capacity = masked.len() - 4096;
        let now = fs::read(bench.path("disk")).unwrap();
        if attempt == 0 {
            assert_whole(&bench);
            fs::write(bench.path("plain"), &now).unwrap();
        }
        assert!(now[..capacity] == fs::read(bench.path("plain")).unwrap()[..capacity], "attempt {attempt}");
    }
    assert!(kills > 0, "no release was killed");
}
