//! Caches that are mapped: what goes wrong there is a signal to whoever reads it.

use crate::devices::{Loop, no_loop_device};
use crate::harness::{Bench, content, programs, skipped, version_of};
use halo_lossy::{VARIABLE, journal};
use halo_media::Medium;
use halo_nbd::{Address, NbdMedium};
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;

const DISK_BYTES: u64 = 16 << 20;
const SIGBUS: i32 = 7;
/// The end of the line.
const SAID: &str = "halo check tells what is left of the cache, and halo drain saves it\n";

/// As on memory of which a part, or all, cannot be read any more: below the device, the file ends there.
#[test]
fn a_mapped_cache_that_died_is_told_from_one_that_is_there() {
    if let Some(hindrance) = no_loop_device() {
        return skipped(hindrance);
    }
    let bench = Bench::bound("1M", DISK_BYTES);
    let device = Loop::of(&bench.path("cache"));
    let cache = format!("pmem-without-dax:{}", device.0);
    let mut server = bench.serve_named(&cache, "DISK", &[]);
    let client = bench.client();
    (0..30).for_each(|block| client.write_at(block * 4096, &content(block + 1)).unwrap());
    client.barrier().unwrap();
    server.kill();
    let cut = |bytes| File::options().write(true).open(bench.path("cache")).unwrap().set_len(bytes).unwrap();
    let whole = fs::read(bench.path("cache")).unwrap();
    let data = whole.windows(4096).position(|bytes| bytes == content(1)).unwrap();
    let release = ["release", "DISK", "--cache-lost", "--yes"];
    cut(data as u64);
    // The signal ends a command that maps it, after a line that says so.
    let ended = bench.halo(&["check", &cache, "DISK"]);
    assert_eq!(ended.status.signal(), Some(SIGBUS), "{ended:?}");
    assert!(String::from_utf8_lossy(&ended.stderr).ends_with(SAID), "{ended:?}");
    let output = bench.halo(&release);
    let text = String::from_utf8_lossy(&output.stderr);
    // By its plain name, as what is left cannot be mapped.
    let told = format!("halo detach {} {} --accept-damaged saves its 30 blocks first", device.0, bench.disk);
    assert!(output.status.code() == Some(3) && text.contains(&told), "{output:?}");
    cut(0);
    let output = bench.halo(&release);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("cannot be read"), "{output:?}");
    (0..30).for_each(|block| assert_eq!(version_of(&bench.plain_disk(), block), 0));
}

/// Whoever finds the server gone reads in its log why.
#[test]
fn a_server_whose_mapped_cache_cannot_be_read_any_more_says_so_once_before_it_ends() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let mut server = bench.serve_as("PMEM", &[]);
    let client = bench.client();
    (0..30).for_each(|block| client.write_at(block * 4096, &content(block + 1)).unwrap());
    client.barrier().unwrap();
    let whole = fs::read(bench.path("cache")).unwrap();
    let data = whole.windows(4096).position(|bytes| bytes == content(1)).unwrap();
    File::options().write(true).open(bench.path("cache")).unwrap().set_len(data as u64).unwrap();
    // Several at once.
    std::thread::scope(|scope| {
        for first in 0..3 {
            let bench = &bench;
            scope.spawn(move || {
                let read = NbdMedium::connect(&Address::unix(bench.socket()));
                // One that comes too late finds no server.
                let _ = read.and_then(|client| client.read_at(first * 8 * 4096, &mut vec![0; 8 * 4096]));
            });
        }
    });
    assert_eq!(server.ended().signal(), Some(SIGBUS), "{}", bench.log());
    assert_eq!(bench.log().matches(SAID).count(), 1, "{}", bench.log());
    // Its file is what it was under the plain name.
    fs::write(bench.path("cache"), whole).unwrap();
    let _again = bench.serve(&[]);
    (0..30).for_each(|block| assert_eq!(version_of(&bench.client(), block), block + 1));
}

/// A mapped file that is not on persistent memory is in the page cache: lines that are flushed are not durable there.
#[test]
fn a_flush_syncs_a_mapped_file_that_is_not_on_persistent_memory() {
    let mut bench = Bench::bound("1M", DISK_BYTES);
    let (cache, journal) = (bench.path("cache"), bench.path("cache.journal"));
    let lossy = programs().join("examples/liblossy.so").display().to_string();
    bench.environment = vec![("LD_PRELOAD", lossy), (VARIABLE, format!("{}={}", cache.display(), journal.display()))];
    let _server = bench.serve_as("PMEM", &["--note-every", "off"]);
    let client = bench.client();
    client.write_at(0, &content(1)).unwrap();
    let before = journal::syncs_begun(&journal).unwrap();
    client.barrier().unwrap();
    let syncs = journal::syncs_begun(&journal).unwrap() - before;
    // One for the data, one for its item.
    assert_eq!(syncs, 2);
}
