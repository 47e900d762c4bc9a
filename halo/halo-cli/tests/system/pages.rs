//! The commands of how-to pages, run as they are printed.

use crate::harness::{Bench, Process, content, programs, version_of};
use halo_media::Medium;
use std::fs;
use std::process::Command;

const DISK_BYTES: u64 = 16 << 20;

/// The commands of a page: the lines of its shell blocks.
fn commands(page: &str) -> Vec<String> {
    let path = format!("{}/../../docs/how-to/{page}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let blocks = text.split("```").skip(1).step_by(2);
    let lines = blocks.flat_map(|block| block.strip_prefix("sh\n").unwrap_or_default().lines());
    lines
        .map(|line| line.split(" #").next().unwrap_or_default().trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect()
}

/// Runs a page: devices and sockets of this bench stand for those that it names, and the server for the service.
fn follow(bench: &Bench, page: &str, mut server: Option<Process>) -> Option<Process> {
    let place = |name: &str| bench.path(name).display().to_string();
    // The service is told of the new cache before it starts again.
    let mut cache = place("cache");
    for command in commands(page) {
        match &command[..] {
            "systemctl stop halo" => drop(server.take().unwrap().terminate()),
            "systemctl start halo" => {
                fs::rename(&cache, place("cache")).unwrap();
                server = Some(bench.serve(&[]));
            }
            _ => {
                if command.contains("/new/cache") {
                    cache = place("new");
                }
                let command = command.replace("/new/cache", &place("new")).replace("/ssd/cache", &place("cache"));
                let command = command.replace("/dev/sdb", &bench.disk).replace("16G", "2M");
                let command = command.replace("/run/halo.sock", &place("socket"));
                let arguments = command.strip_prefix("halo ").unwrap_or_else(|| panic!("{page}: {command}"));
                let output = Command::new(programs().join("halo")).args(arguments.split_whitespace()).output().unwrap();
                assert!(output.status.success(), "{page}: {command}: {output:?}");
            }
        }
    }
    server
}

fn write(bench: &Bench, blocks: std::ops::Range<u64>) {
    let client = bench.client();
    blocks.for_each(|block| client.write_at(block * 4096, &content(block + 1)).unwrap());
    client.barrier().unwrap();
}

#[test]
fn the_page_for_a_cache_device_that_died_leads_to_a_served_disk_again() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let server = bench.serve(&["--mode", "ordered"]);
    write(&bench, 0..20);
    assert!(bench.halo(&["drain", "--socket", "SOCKET"]).status.success());
    fs::remove_file(bench.path("cache")).unwrap();
    let _server = follow(&bench, "halo-ssd-died.md", Some(server)).unwrap();
    (0..20).for_each(|block| assert_eq!(version_of(&bench.client(), block), block + 1));
}

#[test]
fn the_page_for_a_disk_that_died_leads_to_a_new_one_behind_the_same_cache() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let server = bench.serve(&[]);
    write(&bench, 0..20);
    // The new disk has the old one's name.
    fs::remove_file(bench.path("disk")).unwrap();
    fs::write(bench.path("disk"), [&content(77)[..], &vec![0; DISK_BYTES as usize - 4096]].concat()).unwrap();
    let _server = follow(&bench, "halo-disk-died.md", Some(server)).unwrap();
    assert_eq!([0, 1].map(|block| version_of(&bench.client(), block)), [77, 0]);
    assert_eq!(bench.status()["dirty_blocks"], 0);
}

#[test]
fn the_page_for_another_cache_device_loses_nothing() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let server = bench.serve(&[]);
    write(&bench, 0..50);
    let _server = follow(&bench, "halo-replace-cache.md", Some(server)).unwrap();
    (0..50).for_each(|block| assert_eq!(version_of(&bench.client(), block), block + 1));
    assert!(bench.status()["slots"].as_u64().unwrap() > 400);
}
