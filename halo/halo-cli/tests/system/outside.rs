//! What commands say of a disk that was written to without its cache.

use crate::harness::{Bench, content};
use crate::masked::succeeds;
use halo_media::Medium;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;

const DISK_BYTES: u64 = 16 << 20;

/// A disk that lacks ten blocks, with something in its masked part that is not of its cache.
fn written_outside() -> (Bench, String) {
    let bench = Bench::bound("1M", DISK_BYTES);
    let mut server = bench.serve(&[]);
    (0..10).for_each(|block| bench.client().write_at(block * 4096, &content(block + 1)).unwrap());
    server.terminate();
    let at = 100 * 4096;
    File::options().write(true).open(bench.path("disk")).unwrap().write_all_at(&[0x77; 3], at).unwrap();
    (bench, format!("data in 1 blocks, the first at byte {at}"))
}

#[test]
fn a_check_tells_of_the_cache_also_where_its_disk_is_refused() {
    let (bench, what) = written_outside();
    for damage in [false, true] {
        if damage {
            let mut cache = fs::read(bench.path("cache")).unwrap();
            let data = cache.windows(4096).position(|bytes| bytes == content(5)).unwrap();
            cache[data] ^= 1;
            fs::write(bench.path("cache"), &cache).unwrap();
        }
        let output = bench.halo(&["check", "CACHE", "DISK", "--json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&report["blocks"], &report["written_outside"]), (&10.into(), &what.clone().into()), "{report}");
        assert_eq!(report["damaged_data"], u64::from(damage), "{report}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(3) && text.contains(&format!("shows {what}")), "{text}");
        assert_eq!(text.contains("data of 1 blocks, the first of block 4"), damage, "{text}");
    }
}

/// By the command itself, before it is nbdkit, whose exit code says nothing.
#[test]
fn a_server_of_such_a_disk_is_refused_as_by_other_commands() {
    let (bench, what) = written_outside();
    let output = bench.halo(&["serve", "CACHE", "DISK", "--socket", "SOCKET"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(3) && text.starts_with(&format!("halo: disk file: shows {what}, ")), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[test]
fn a_repair_tells_what_it_accepted() {
    let (bench, what) = written_outside();
    let copies = ["cache", "disk"].map(|name| fs::read(bench.path(name)).unwrap());
    let accept = ["repair", "CACHE", "DISK", "--accept-outside-writes"];
    let told = succeeds(&bench, &accept);
    assert!(told.contains(&format!("accepted    {what}: the disk is taken as it is\n")), "{told}");
    assert!(!succeeds(&bench, &accept).contains("accepted"), "there is nothing any more");
    for (name, bytes) in ["cache", "disk"].iter().zip(copies) {
        fs::write(bench.path(name), bytes).unwrap();
    }
    for accepted in [what.into(), serde_json::Value::Null] {
        let report = bench.json(&[&accept[..], &["--json"]].concat());
        assert_eq!((&report["accepted"], &report["restored"]), (&accepted, &false.into()), "{report}");
    }
    assert!(bench.halo(&["detach", "CACHE", "DISK"]).status.success());
}
