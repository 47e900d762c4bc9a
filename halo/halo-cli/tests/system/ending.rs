//! A server that is asked to end while its disk does not answer, or while clients stay connected.

use crate::devices::{Fuse, no_fuse};
use crate::harness::{Bench, Process, Watch, content, skipped, version_of, wait_for};
use halo_media::Medium;
use halo_nbd::NbdMedium;
use std::ops::Range;
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::Duration;

const DISK_BYTES: u64 = 16 << 20;
/// The promised time; the server itself plans with 8 seconds.
const BOUND: Duration = Duration::from_secs(10);

/// A server whose disk is another server's, with a client.
struct Served {
    bench: Bench,
    disk: Process,
    server: Process,
    client: NbdMedium,
}

impl Served {
    fn new() -> Self {
        let mut bench = Bench::loose(DISK_BYTES);
        let disk = bench.disk_over_nbd(&[], &[]);
        bench.create("1M");
        let server = bench.serve(&[]);
        let client = bench.client();
        Self { bench, disk, server, client }
    }

    fn write_31_blocks(&self) {
        self.write_blocks(0..30);
        self.client.barrier().unwrap();
        // Acknowledged, and durable only if the end sees to it.
        self.write_blocks(30..31);
    }

    fn write_blocks(&self, blocks: Range<u64>) {
        for block in blocks {
            self.client.write_at(block * 4096, &content(block + 1)).unwrap();
        }
    }

    /// The message names the unsaved blocks, and they are there after the next start.
    fn assert_complete(self) {
        let log = self.bench.log();
        let unsaved = "s: 31 blocks are unsaved on it and stay in the cache file until the next start";
        assert!(log.contains(" has not answered for ") && log.contains(unsaved), "{log}");
        self.disk.signal("CONT");
        drop(self.client);
        let _again = self.bench.serve(&[]);
        (0..31).for_each(|block| assert_eq!(version_of(&self.bench.client(), block), block + 1));
    }
}

fn end_in_time(bench: &Bench, server: &mut Process) {
    let watch = Watch::start();
    server.terminate();
    watch.assert_within(BOUND);
    assert!(!bench.path("socket.control").exists());
}

/// The disk's server hangs, without closing its connection, while `busy` makes this cache's server wait for it.
fn ends_in_time(busy: &(dyn Fn(&Bench) + Sync), is_waiting: &dyn Fn(&Bench) -> bool) {
    let mut served = Served::new();
    served.disk.stop();
    served.write_31_blocks();
    thread::scope(|scope| {
        let Served { bench, server, .. } = &mut served;
        let bench = &*bench;
        scope.spawn(|| busy(bench));
        wait_for("a request that hangs", || is_waiting(bench).then_some(()));
        end_in_time(bench, server);
    });
    served.assert_complete();
}

#[test]
fn a_server_whose_client_waits_for_a_disk_that_hangs_ends_and_names_what_is_unsaved() {
    let read = |bench: &Bench| drop(bench.client().read_at(8 << 20, &mut [0; 4096]));
    ends_in_time(&read, &|bench| bench.status()["disk_read_utilisation"].as_f64() > Some(0.9));
}

#[test]
fn a_server_that_drains_to_a_disk_that_hangs_ends_and_names_what_is_unsaved() {
    let drain = |bench: &Bench| drop(bench.halo(&["drain", "--socket", "SOCKET"]));
    ends_in_time(&drain, &|bench| {
        let status = bench.status();
        status["draining"] == true && status["disk_waits_seconds"].as_f64() > Some(0.0)
    });
}

/// A server whose disk hangs says so to those who look at it, while it hangs.
#[test]
fn a_disk_that_hangs_is_named_by_status_metrics_and_drain() {
    let served = Served::new();
    let waits = |bench: &Bench| bench.status()["disk_waits_seconds"].as_f64().unwrap();
    served.write_31_blocks();
    assert!(waits(&served.bench) < 3.0);
    served.disk.stop();
    let log = std::fs::File::create(served.bench.path("drain.log")).unwrap();
    let _drain = Process::spawn(served.bench.command(&["drain", "--socket", "SOCKET"]).stderr(log));
    wait_for("the silence", || (waits(&served.bench) > 4.0).then_some(()));
    let printed =
        |command: &str| String::from_utf8(served.bench.halo(&[command, "--socket", "SOCKET"]).stdout).unwrap();
    let (status, metrics) = (printed("status"), printed("metrics"));
    assert!(status.contains(" (has not answered for "), "{status}");
    let seconds = metrics.lines().find_map(|line| line.strip_prefix("halo_disk_waits_seconds ")).unwrap();
    assert!(seconds.parse::<f64>().unwrap() > 4.0, "{seconds}");
    let told = || std::fs::read_to_string(served.bench.path("drain.log")).unwrap();
    wait_for("the drain's word", || told().contains("31 of 31 blocks left on ").then_some(()));
    wait_for("the drain's word", || told().contains(" (has not answered for ").then_some(()));
    served.disk.signal("CONT");
    wait_for("the drain", || (served.bench.status()["dirty_blocks"] == 0).then_some(()));
    assert!(waits(&served.bench) < 3.0);
}

#[test]
fn a_last_flush_that_waits_for_a_disk_that_hangs_is_given_up_and_says_what_may_be_lost() {
    let mut served = Served::new();
    // Zeros that went to the disk itself are durable after a flush of the disk only.
    served.client.write_zeros(8 << 20, 4 << 20).unwrap();
    served.disk.stop();
    served.write_blocks(0..31);
    end_in_time(&served.bench, &mut served.server);
    let log = served.bench.log();
    assert!(log.contains("writes since the last flush of a client may be lost: it waits for the disk"), "{log}");
    served.assert_complete();
}

/// A process that does nothing until this is dropped.
struct Stopped<'a>(&'a Process);

impl<'a> Stopped<'a> {
    fn new(process: &'a Process) -> Self {
        process.stop();
        Self(process)
    }
}

impl Drop for Stopped<'_> {
    fn drop(&mut self) {
        self.0.signal("CONT");
    }
}

/// A disk file in a file system whose daemon took a request and does not answer: no signal ends a thread that waits for that. (Seldom the daemon
/// did not come to take it, and the process ends; what is promised is the same.)
#[test]
fn a_server_that_the_kernel_keeps_says_what_is_unsaved_and_lets_clients_go() {
    if let Some(hindrance) = no_fuse() {
        return skipped(hindrance);
    }
    let mut bench = Bench::loose(DISK_BYTES);
    let below = bench.serve_file("disk", &[], &[]);
    let fuse = Fuse::mount(&bench, "disk.socket", "fuse");
    bench.disk = fuse.file.display().to_string();
    bench.create("1M");
    let mut server = bench.serve(&[]);
    let client = bench.client();
    (0..31).for_each(|block| client.write_at(block * 4096, &content(block + 1)).unwrap());
    thread::scope(|scope| {
        let _goes_on = Stopped::new(&below);
        scope
            .spawn(|| assert!(bench.client().read_at(8 << 20, &mut [0; 4096]).is_err(), "read from a disk that hangs"));
        wait_for("a request that hangs", || {
            (bench.status()["disk_read_utilisation"].as_f64() > Some(0.9)).then_some(())
        });
        let watch = Watch::start();
        server.signal("TERM");
        wait_for("the end of the connection", || client.read_at(0, &mut [0; 4096]).is_err().then_some(()));
        let unsaved = "s: 31 blocks are unsaved on it and stay in the cache file until the next start";
        wait_for("the message", || bench.log().contains(unsaved).then_some(()));
        wait_for("a socket that takes no clients", || UnixStream::connect(bench.socket()).is_err().then_some(()));
        watch.assert_within(BOUND);
    });
    wait_for("the end of the process", || (!server.is_running()).then_some(()));
    let _again = bench.serve(&[]);
    let client = bench.client();
    (0..31).for_each(|block| assert_eq!(version_of(&client, block), block + 1));
}

#[test]
fn a_client_that_stays_connected_is_no_reason_to_wait_or_to_blame_the_disk() {
    let mut served = Served::new();
    served.write_31_blocks();
    end_in_time(&served.bench, &mut served.server);
    let log = served.bench.log();
    assert!(!log.contains("the disk file"), "{log}");
    // The next server drains, so that this end finds nothing unsaved, and the disk is one by itself again.
    served.server = served.bench.serve(&[]);
    let _connected = served.bench.client();
    served.bench.json(&["drain", "--socket", "SOCKET", "--json"]);
    end_in_time(&served.bench, &mut served.server);
    assert!(!served.bench.plain_disk().is_masked());
}
