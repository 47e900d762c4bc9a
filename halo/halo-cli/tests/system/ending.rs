//! A server that is asked to end while its disk does not answer.

use crate::harness::{Bench, Process, content, version_of, wait_for};
use halo_media::Medium;
use std::thread;
use std::time::{Duration, Instant};

const DISK_BYTES: u64 = 16 << 20;
/// Ten seconds, and as much again for a machine that is busy with other tests: without a bound it would be forever.
const BOUND: Duration = Duration::from_secs(20);

/// The disk's server hangs, without closing its connection, while `busy` makes this cache's server wait for it.
fn ends_in_time(busy: &(dyn Fn(&Bench) + Sync), is_waiting: &dyn Fn(&Bench) -> bool) {
    let mut bench = Bench::loose(DISK_BYTES);
    let disk = bench.disk_over_nbd(&[], &[]);
    bench.create("1M");
    let mut server = bench.serve(&[]);
    let client = bench.client();
    disk.signal("STOP");
    (0..30).for_each(|block| client.write_at(block * 4096, &content(block + 1)).unwrap());
    client.barrier().unwrap();
    // Acknowledged, and durable only if the end sees to it.
    client.write_at(30 * 4096, &content(31)).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| busy(&bench));
        wait_for("a request that hangs", || is_waiting(&bench).then_some(()));
        let since = Instant::now();
        server.terminate();
        assert!(since.elapsed() < BOUND, "it took {:?}", since.elapsed());
    });
    let log = bench.log();
    assert!(log.contains("does not answer: 31 blocks are unsaved on it and stay in the cache file"), "{log}");
    assert!(!bench.path("socket.control").exists());
    disk.signal("CONT");
    drop(client);
    let _again: Process = bench.serve(&[]);
    (0..31).for_each(|block| assert_eq!(version_of(&bench.client(), block), block + 1));
}

#[test]
fn a_server_whose_client_waits_for_a_disk_that_hangs_ends_and_names_what_is_unsaved() {
    let read = |bench: &Bench| drop(bench.client().read_at(8 << 20, &mut [0; 4096]));
    ends_in_time(&read, &|bench| bench.status()["disk_read_utilisation"].as_f64() > Some(0.9));
}

#[test]
fn a_server_that_drains_to_a_disk_that_hangs_ends_and_names_what_is_unsaved() {
    let drain = |bench: &Bench| drop(bench.halo(&["drain", "--socket", "SOCKET"]));
    // A round begins with a commit, and goes on to the disk after that.
    ends_in_time(&drain, &|bench| bench.status()["draining"] == true && bench.status()["commits"].as_u64() >= Some(2));
}
