//! A disk whose NBD server goes away under the cache, and comes back: with the same disk, or with another.

use crate::harness::{Bench, Process, content, version_of, wait_for};
use halo_core::SplitMix64;
use halo_media::{FileMedium, Medium};
use halo_nbd::NbdMedium;
use std::fs::{self, File};
use std::net::TcpStream;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Command, Stdio};

const DISK_BYTES: u64 = 64 << 20;
const UNCACHED: u64 = 9000;

fn lines(bench: &Bench, text: &str) -> usize {
    bench.log().lines().filter(|line| line.contains(text)).count()
}

fn drain(bench: &Bench) {
    bench.halo(&["drain", "--socket", "SOCKET"]);
    wait_for("the drain", || (bench.status()["dirty_blocks"] == 0).then_some(()));
}

#[test]
fn a_disks_server_that_comes_back_is_reached_again_and_until_then_the_cache_goes_on() {
    let mut bench = Bench::loose(DISK_BYTES);
    let mut disk = bench.disk_over_nbd(&[], &[]);
    bench.create("3M");
    let _server = bench.serve(&["--metrics", "127.0.0.1:0"]);
    let client = bench.client();
    (0..100).for_each(|block| client.write_at(block * 4096, &content(block + 1)).unwrap());
    client.barrier().unwrap();

    disk.kill();
    // The first read waits for the server for as long as is stated, and then fails; what is cached is there.
    assert!(client.read_at(UNCACHED * 4096, &mut [0; 4096]).is_err());
    (0..100).for_each(|block| assert_eq!(version_of(&client, block), block + 1));
    client.write_at(100 * 4096, &content(101)).unwrap();
    client.barrier().unwrap();
    let status = bench.status();
    assert!(status["disk_connected"] == false && status["dirty_blocks"] == 101, "{status}");
    let text = || String::from_utf8(bench.halo(&["status", "--socket", "SOCKET"]).stdout).unwrap();
    assert!(text().contains(" (AWAY: trying to reach its server again)\n"), "{}", text());

    let _disk = bench.serve_file("disk", &[], &[]);
    wait_for("the disk", || (bench.status()["disk_connected"] == true).then_some(()));
    assert!(!text().contains("AWAY"), "{}", text());
    assert_eq!(version_of(&client, UNCACHED), 0);
    drain(&bench);
    let metrics = String::from_utf8(bench.halo(&["metrics", "--socket", "SOCKET"]).stdout).unwrap();
    let back = metrics.contains("\nhalo_disk_connected 1\n") && metrics.contains("\nhalo_disk_reconnections_total 1\n");
    assert!(back, "{metrics}");
    assert_eq!((lines(&bench, "went away"), lines(&bench, "is back")), (1, 1), "{}", bench.log());
    let on_disk = bench.plain_disk();
    (0..=100).for_each(|block| assert_eq!(version_of(&on_disk, block), block + 1));
}

/// nbdkit answers what clients ask for until they have gone, and answers "shutting down".
#[test]
fn a_disks_server_that_is_restarted_in_order_costs_no_request() {
    let mut bench = Bench::loose(DISK_BYTES);
    let disk = bench.disk_over_nbd(&[], &[]);
    bench.create("3M");
    let _server = bench.serve(&[]);
    let client = bench.client();
    client.write_at(0, &content(1)).unwrap();
    client.barrier().unwrap();

    // It is there already, and only its name is not: requests wait for it for five seconds, whatever the machine does.
    let socket = bench.path("disk.socket");
    let _next = bench.serve_file_at("next.socket", "disk", &[], &[]);
    disk.signal("TERM");
    std::thread::scope(|scope| {
        let read = scope.spawn(|| version_of(&client, UNCACHED));
        let zeroed = scope.spawn(|| bench.client().write_zeros(UNCACHED * 4096, 16 << 20));
        wait_for("the loss", || (bench.status()["disk_connected"] == false).then_some(()));
        let mut disk = disk;
        wait_for("the end", || (!disk.is_running()).then_some(()));
        fs::rename(bench.path("next.socket"), socket).unwrap();
        assert_eq!(read.join().unwrap(), 0);
        zeroed.join().unwrap().unwrap();
        drain(&bench);
    });
    let log = bench.log();
    assert!(lines(&bench, "went away") == 1 && lines(&bench, "is back") == 1 && !log.contains("os error 108"), "{log}");
    assert_eq!(version_of(&bench.plain_disk(), 0), 1);
}

/// A machine of its own, as far as the network goes: a namespace and the cable to it.
struct Host {
    name: String,
    address: String,
}

impl Host {
    /// Nothing where none can be made.
    fn new(number: u8) -> Option<Self> {
        let name = format!("halo{}{number}", std::process::id() % 100_000);
        // Of 198.18.0.0/15, which is for tests: another run on this machine has other networks.
        let (half, net) = (18 + u32::from(number), std::process::id() % 256);
        let host = Self { address: format!("198.{half}.{net}.2"), name };
        let near = format!("198.{half}.{net}.1/24");
        let made = host.ip("netns add NAME")
            && host.ip("link add NAMEa type veth peer name NAMEb netns NAME")
            && host.ip(&format!("addr add {near} dev NAMEa"))
            && host.ip("link set NAMEa up")
            && host.ip(&format!("-n NAME addr add {}/24 dev NAMEb", host.address))
            && host.ip("-n NAME link set NAMEb up");
        if !made {
            crate::harness::skipped("no network namespace can be made here");
        }
        made.then_some(host)
    }

    fn ip(&self, arguments: &str) -> bool {
        let arguments = arguments.replace("NAME", &self.name);
        let outcome = Command::new("ip").args(arguments.split(' ')).stderr(Stdio::null()).status();
        outcome.is_ok_and(|status| status.success())
    }

    fn serve(&self, disk: &Path) -> Process {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.name, "nbdkit", "--foreground", "--ipaddr", &self.address, "file"]);
        let server = Process::spawn(command.arg(disk));
        wait_for("the disk's server", || TcpStream::connect((self.address.as_str(), 10809)).ok());
        server
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // Its end of the cable goes with it, and so does the other.
        self.ip("netns del NAME");
    }
}

/// No packet says so: neither what it has received and not answered, nor what never reached it, is waited for for ever.
#[test]
fn a_disks_host_that_dies_without_a_word_is_noticed_whatever_it_was_asked_for() {
    for had_received in [true, false] {
        let Some(host) = Host::new(u8::from(had_received)) else { return };
        let mut bench = Bench::loose(DISK_BYTES);
        let disk = host.serve(&bench.path("disk"));
        bench.disk = format!("nbd://{}:10809/", host.address);
        bench.create("3M");
        let _server = bench.serve(&["--note-every", "off"]);
        let client = bench.client();
        client.write_at(0, &content(1)).unwrap();
        client.barrier().unwrap();
        if had_received {
            disk.stop();
        } else {
            assert!(host.ip("-n NAME link set NAMEb down"));
        }
        // A thread that a test which fails does not wait for.
        let read = std::thread::spawn(move || (client.read_at(UNCACHED * 4096, &mut [0; 4096]).is_err(), client));
        wait_for("the request", || (bench.status()["disk_waits_seconds"].as_f64() > Some(0.5)).then_some(()));
        if had_received {
            assert!(host.ip("-n NAME link set NAMEb down"));
        }
        wait_for("the loss", || (bench.status()["disk_connected"] == false).then_some(()));
        let (failed, client) = read.join().unwrap();
        assert!(failed);
        assert!(host.ip("-n NAME link set NAMEb up"));
        disk.signal("CONT");
        wait_for("the disk", || (bench.status()["disk_connected"] == true).then_some(()));
        assert_eq!(version_of(&client, UNCACHED), 0);
        drain(&bench);
    }
}

#[test]
fn another_disk_and_an_older_copy_of_the_disk_are_refused_when_they_come_back_in_its_place() {
    let mut bench = Bench::loose(DISK_BYTES);
    fs::copy(bench.path("disk"), bench.path("blank")).unwrap();
    let mut disk = bench.disk_over_nbd(&[], &[]);
    bench.create("3M");
    fs::copy(bench.path("disk"), bench.path("older")).unwrap();
    let _server = bench.serve(&[]);
    let client = bench.client();
    (0..100).for_each(|block| client.write_at(block * 4096, &content(block + 1)).unwrap());
    client.barrier().unwrap();
    disk.kill();

    for other in ["blank", "older"] {
        let before = fs::read(bench.path(other)).unwrap();
        let mut wrong = bench.serve_file(other, &[], &[]);
        let refusals = lines(&bench, "another disk, or another copy of it");
        assert!(client.read_at(UNCACHED * 4096, &mut [0; 4096]).is_err(), "{other}");
        bench.halo(&["drain", "--socket", "SOCKET"]);
        wait_for("the refusal", || {
            (lines(&bench, "another disk, or another copy of it") >= refusals.max(1)).then_some(())
        });
        wrong.kill();
        assert!(fs::read(bench.path(other)).unwrap() == before, "{other} was changed");
        assert_eq!(bench.status()["dirty_blocks"], 100);
    }
    let _disk = bench.serve_file("disk", &[], &[]);
    drain(&bench);
    let on_disk = bench.plain_disk();
    (0..100).for_each(|block| assert_eq!(version_of(&on_disk, block), block + 1));
}

/// Servers with a volatile cache (nbdkit's filter): what was written to one and not flushed dies with it.
const VOLATILE: ([&str; 1], [&str; 1]) = (["--filter=cache"], ["cache-min-block-size=4K"]);

#[test]
fn a_write_that_had_returned_and_a_zeroing_are_made_again_and_a_flushed_one_is_not() {
    let mut bench = Bench::loose(DISK_BYTES);
    fs::write(bench.path("disk"), content(1).repeat(16)).unwrap();
    let mut server = bench.disk_over_nbd(&VOLATILE.0, &VOLATILE.1);
    let disk = NbdMedium::connect(&bench.disk.parse().unwrap()).unwrap();
    disk.remember_identity(15 * 4096, 4096, |one, other| one == other, |_| ()).unwrap();
    disk.write_at(0, &content(2)).unwrap();
    disk.barrier().unwrap();
    disk.write_at(4096, &content(3)).unwrap();
    disk.write_zeros(2 * 4096, 4096).unwrap();
    server.kill();
    // Somebody else's write to what was flushed shows whether it is made again.
    File::options().write(true).open(bench.path("disk")).unwrap().write_all_at(&content(4), 0).unwrap();
    server = bench.serve_file("disk", &VOLATILE.0, &VOLATILE.1);
    disk.barrier().unwrap();
    server.kill();
    let on_disk = FileMedium::open(&bench.path("disk")).unwrap();
    assert_eq!([0, 1, 2, 3].map(|block| version_of(&on_disk, block)), [4, 3, 0, 1]);
}

#[test]
fn what_a_disks_server_had_taken_and_not_flushed_is_not_lost_with_it() {
    let mut bench = Bench::loose(DISK_BYTES);
    let mut disk = bench.disk_over_nbd(&VOLATILE.0, &VOLATILE.1);
    // Smaller than what is written, so that destaging is under way.
    bench.create("1M");
    let _server = bench.serve(&[]);
    let client = bench.client();
    let mut random = SplitMix64::new(7);
    let mut versions = vec![0; 2000];
    for version in 1..=4000_u64 {
        let block = random.below(2000);
        client.write_at(block * 4096, &content(version)).unwrap();
        versions[block as usize] = version;
        if version % 700 == 0 {
            disk.kill();
            disk = bench.serve_file("disk", &VOLATILE.0, &VOLATILE.1);
            // After five seconds without it, requests fail.
            wait_for("the disk", || (bench.status()["disk_connected"] == true).then_some(()));
        }
    }
    drain(&bench);
    disk.kill();
    let on_disk = bench.plain_disk();
    (0..2000).for_each(|block| assert_eq!(version_of(&on_disk, block), versions[block as usize], "block {block}"));
}
