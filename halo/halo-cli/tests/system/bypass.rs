//! Streams past the cache of a real server.

use crate::harness::{Bench, Process, wait_for};
use halo_media::Medium;
use std::fs;
use std::os::unix::fs::FileExt;
use std::thread;

const DISK_BYTES: u64 = 64 << 20;
const STREAM: [&str; 2] = ["--bypass-sequential", "1M"];
const REQUEST: usize = 256 << 10;

fn bytes(from: usize, count: usize) -> Vec<u8> {
    (from / 8..(from + count) / 8).flat_map(|word| (word as u64 * 0x9e37_79b9).to_le_bytes()).collect()
}

/// Writes `count` bytes from `from` on, in requests.
fn stream(bench: &Bench, from: usize, count: usize) {
    let client = bench.client();
    for at in (from..from + count).step_by(REQUEST) {
        client.write_at(at as u64, &bytes(at, REQUEST)).unwrap();
    }
    client.barrier().unwrap();
}

fn found(medium: &impl Medium, from: usize, count: usize) -> Vec<u8> {
    let mut found = vec![0; count];
    medium.read_at(from as u64, &mut found).unwrap();
    found
}

/// Ten times what the cache holds, over its dirty blocks and over the masked ones: what was flushed is there after a kill, and on the
/// disk alone after a drain.
#[test]
fn a_stream_goes_past_the_cache_and_is_there_after_a_kill() {
    const LENGTH: usize = 32 << 20;
    let bench = Bench::bound("3M", DISK_BYTES);
    for mode in ["flush", "strict"] {
        let mut server = bench.serve(&[&STREAM[..], &["--mode", mode]].concat());
        let client = bench.client();
        // Dirty blocks in the way, one of them masked on the disk, and one that is to stay.
        for at in [5 << 12, 20 << 20, 40 << 20] {
            client.write_at(at, &[7; 4096]).unwrap();
        }
        client.barrier().unwrap();
        stream(&bench, 0, LENGTH);
        let passed = bench.status()["bypassed_bytes"].as_u64().unwrap();
        assert!(passed as usize >= LENGTH - (2 << 20), "{passed} bytes");
        let text = String::from_utf8(bench.halo(&["status", "--socket", "SOCKET"]).stdout).unwrap();
        assert!(text.contains(" MiB past the cache\n"), "{text}");
        let metrics = String::from_utf8(bench.halo(&["metrics", "--socket", "SOCKET"]).stdout).unwrap();
        assert!(metrics.contains(&format!("\nhalo_bypassed_bytes_total {passed}\n")), "{metrics}");
        assert!(found(&client, 0, LENGTH) == bytes(0, LENGTH), "mode {mode}");
        drop(client);
        server.kill();
        // The disk's own beginning shows nothing, and behind the mask is what was written.
        let disk = fs::File::open(bench.path("disk")).unwrap();
        let mut raw = vec![0; 2 << 20];
        disk.read_exact_at(&mut raw, 0).unwrap();
        assert!(raw[1 << 20..] == bytes(1 << 20, 1 << 20), "mode {mode}: the stream is not on the disk");
        assert!(raw[..4096] != bytes(0, 4096) && raw[16 * 4096..17 * 4096] != bytes(16 * 4096, 4096), "no mask");
        let mut server = bench.serve(&STREAM);
        assert!(found(&bench.client(), 0, LENGTH) == bytes(0, LENGTH), "mode {mode}: after a kill");
        assert!(bench.halo(&["drain", "--socket", "SOCKET"]).status.success());
        wait_for("a drained cache", || (bench.status()["dirty_blocks"] == 0).then_some(()));
        server.terminate();
        let mut raw = vec![0; LENGTH];
        disk.read_exact_at(&mut raw, 0).unwrap();
        assert!(raw == bytes(0, LENGTH), "mode {mode}: the disk alone");
        // The next round writes the same again.
        fs::File::options().write(true).open(bench.path("disk")).unwrap().write_all_at(&vec![0; LENGTH], 0).unwrap();
    }
}

/// While the disk refuses writes, the cache takes them.
#[test]
fn a_stream_that_the_disk_refuses_is_in_the_cache() {
    let mut bench = Bench::loose(DISK_BYTES);
    let failing = bench.path("failing");
    let filter = ["error-pwrite-rate=100%".to_owned(), format!("error-file={}", failing.display())];
    let _disk = bench.disk_over_nbd(&["--filter=error"], &filter.each_ref().map(String::as_str));
    bench.create("8M");
    let mut server = bench.serve(&STREAM);
    fs::write(&failing, "").unwrap();
    stream(&bench, 0, 4 << 20);
    assert_eq!(bench.status()["bypassed_bytes"], 0);
    // More than the cache holds is an error, and no less than all of that is there.
    let refused =
        (4 << 20..32 << 20).step_by(REQUEST).find_map(|at| bench.client().write_at(at, &bytes(0, REQUEST)).err());
    assert!(refused.is_some(), "a cache of 8 MiB took 32");
    server.kill();
    fs::remove_file(&failing).unwrap();
    let _again: Process = bench.serve(&STREAM);
    assert!(found(&bench.client(), 0, 4 << 20) == bytes(0, 4 << 20));
}

/// A stream that waits for a disk that hangs keeps nobody from ending the server, which says that it may be lost.
#[test]
fn a_server_whose_stream_waits_for_a_disk_that_hangs_ends() {
    let mut bench = Bench::loose(DISK_BYTES);
    let disk = bench.disk_over_nbd(&[], &[]);
    bench.create("3M");
    let mut server = bench.serve(&STREAM);
    bench.client().write_at(0, &[3; 4096]).unwrap();
    bench.client().barrier().unwrap();
    disk.stop();
    thread::scope(|scope| {
        let client = bench.client();
        let written = scope.spawn(move || client.write_at(16 << 20, &vec![1; 4 << 20]));
        wait_for("a request of the disk", || (bench.status()["disk_waits_seconds"].as_f64() > Some(0.0)).then_some(()));
        server.terminate();
        assert!(written.join().unwrap().is_err(), "a write that never reached the disk was acknowledged");
    });
    disk.signal("CONT");
    let _again: Process = bench.serve(&STREAM);
    assert!(found(&bench.client(), 0, 4096) == [3; 4096]);
}
