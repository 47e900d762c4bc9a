//! Devices that are used past the page cache.

use crate::devices::{Loop, no_loop_device};
use crate::harness::{Bench, content, has_direct_io, skipped, version_of};
use halo_media::Medium;
use std::fs::File;
use std::path::Path;

const DISK_BYTES: u64 = 16 << 20;
const BOTH: [&str; 2] = ["--direct-io", "both"];

/// Parts of blocks, blocks and a long write, as the version `first + block` of each.
fn write(bench: &Bench, first: u64, blocks: u64) {
    let client = bench.client();
    for block in (0..blocks).step_by(3) {
        let bytes = content(first + block);
        client.write_at(block * 4096, &bytes[..512]).unwrap();
        client.write_at(block * 4096 + 512, &bytes[512..]).unwrap();
    }
    for block in (0..blocks).filter(|block| block % 3 != 0) {
        client.write_at(block * 4096, &content(first + block)).unwrap();
    }
    client.barrier().unwrap();
}

#[test]
fn what_is_written_past_the_page_cache_is_there_with_and_without_it() {
    if !has_direct_io() {
        return;
    }
    let bench = Bench::bound("1M", DISK_BYTES);
    let holds = |first: u64| (0..300).all(|block| version_of(&bench.client(), block) == first + block);
    // More than the cache has room for, so that blocks go to the disk and are read there.
    let mut server = bench.serve(&BOTH);
    write(&bench, 1, 300);
    assert!(holds(1));
    server.kill();
    let mut server = bench.serve(&[]);
    assert!(holds(1));
    write(&bench, 1001, 300);
    server.kill();
    let mut server = bench.serve(&["--direct-io", "cache"]);
    assert!(holds(1001));
    server.terminate();
    for command in ["check", "drain", "detach"] {
        let output = bench.halo(&[&[command, "CACHE", "DISK"], &BOTH[..]].concat());
        assert!(output.status.success(), "{command}: {output:?}");
    }
    let disk = bench.plain_disk();
    assert!((0..300).all(|block| version_of(&disk, block) == 1001 + block));
}

/// Disks that only take sectors of 4096 bytes, with parts of blocks, items of 32 bytes and zeros on them.
#[test]
fn devices_with_sectors_of_4096_bytes_keep_parts_of_them() {
    if let Some(hindrance) = no_loop_device() {
        return skipped(hindrance);
    }
    let bench = Bench::loose(DISK_BYTES);
    File::create(bench.path("cache")).unwrap().set_len(1 << 20).unwrap();
    let [cache, disk] = ["cache", "disk"].map(|name| Loop::with(&["--sector-size", "4096"], &bench.path(name)));
    assert!(bench.halo(&["create", &cache.0, &disk.0]).status.success());
    for (first, options) in [(1, &[][..]), (1001, &BOTH[..])] {
        let mut server = bench.serve_named(&cache.0, &disk.0, options);
        write(&bench, first, 300);
        bench.client().write_zeros(8 << 20, 2 << 20).unwrap();
        bench.client().barrier().unwrap();
        server.kill();
        let mut server = bench.serve_named(&cache.0, &disk.0, options);
        bench.json(&["drain", "--socket", "SOCKET", "--json"]);
        let client = bench.client();
        assert!((0..300).all(|block| version_of(&client, block) == first + block), "{options:?}");
        assert!((2048..2560).all(|block| version_of(&client, block) == 0), "{options:?}");
        drop(client);
        server.terminate();
    }
    let output = bench.halo(&[&["check", &cache.0, &disk.0], &BOTH[..]].concat());
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn what_has_no_direct_io_is_refused_in_one_line() {
    let mut bench = Bench::bound("1M", DISK_BYTES);
    let refused = |bench: &Bench, arguments: &[&str], reason: &str| {
        let output = bench.halo(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && text.lines().count() == 1 && text.contains(reason),
            "{arguments:?}: {text}"
        );
    };
    let serve = |cache, devices| ["serve", cache, "DISK", "--socket", "SOCKET", "--direct-io", devices];
    refused(&bench, &serve("PMEM", "cache"), "persistent memory is mapped");
    let _disk = bench.disk_over_nbd(&[], &[]);
    refused(&bench, &serve("CACHE", "both"), "how an NBD server reads and writes is its own");
    let Ok(in_memory) = tempfile::tempdir_in("/dev/shm") else { return skipped("no /dev/shm") };
    let path = in_memory.path().join("disk");
    File::create(&path).unwrap().set_len(DISK_BYTES).unwrap();
    if halo_media::FileMedium::open_direct(Path::new(&path)).is_ok() {
        return skipped("/dev/shm has direct I/O");
    }
    bench.disk = path.display().to_string();
    refused(&bench, &serve("CACHE", "disk"), "disk: its file system has no direct I/O");
}
