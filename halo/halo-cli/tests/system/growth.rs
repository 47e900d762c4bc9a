//! What a growth leaves when it fails, and what a disk shows meanwhile.

use crate::harness::Bench;
use crate::masked::{DISK_BYTES, assert_hidden, assert_whole, succeeds, used};
use halo_media::FileMedium;
use halo_server::{AnyMedium, MaskedDisk};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// Whatever the disk has of a file system: what it had room for before is masked.
fn is_masked(bench: &Bench) -> bool {
    let disk: AnyMedium = Arc::new(FileMedium::open(&bench.path("disk")).unwrap());
    MaskedDisk::of_size(disk, DISK_BYTES).unwrap().is_masked()
}

#[test]
fn a_growth_that_fails_leaves_a_disk_that_shows_no_file_system() {
    for (size, more_bytes) in [(&["--size", "13M"][..], 0), (&["--size", "13M"], 4 << 20), (&[], 4 << 20)] {
        let bench = used();
        File::options().write(true).open(bench.path("disk")).unwrap().set_len(DISK_BYTES + more_bytes).unwrap();
        let cache = fs::read(bench.path("cache")).unwrap();
        let item = (4096..).step_by(32).find(|&at| cache[at..at + 32] != [0; 32]).unwrap();
        let change_item = || {
            let file = File::options().read(true).write(true).open(bench.path("cache")).unwrap();
            let mut byte = [0];
            file.read_exact_at(&mut byte, item as u64).unwrap();
            file.write_all_at(&[byte[0] ^ 1], item as u64).unwrap();
        };
        change_item();
        let grow = [&["grow", "CACHE", "DISK"], size].concat();
        let failed = bench.halo(&grow);
        let text = String::from_utf8(failed.stderr).unwrap();
        assert!(failed.status.code() == Some(3) && text.contains("damaged"), "{text}");
        assert!(is_masked(&bench), "{size:?}, {more_bytes} bytes more");
        assert_hidden(&bench);
        change_item();
        succeeds(&bench, &grow);
        succeeds(&bench, &["detach", "CACHE", "DISK"]);
        assert_whole(&bench);
    }
}
