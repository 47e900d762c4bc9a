//! Zeros and trims on their way to a disk that another server has, told by that server's log.

use crate::harness::{Bench, Process};
use halo_media::Medium;
use halo_nbd::NbdMedium;
use std::fs;

const DISK_BYTES: u64 = 64 << 20;
const MIB: u64 = 1 << 20;

/// A disk whose server logs each command that gets as far as its filter `log`.
fn logging_disk(bench: &mut Bench, filters: &[&str], settings: &[&str]) -> (Process, NbdMedium) {
    let logfile = format!("logfile={}", bench.path("commands").display());
    let server = bench.disk_over_nbd(filters, &[settings, &[&logfile]].concat());
    let medium = NbdMedium::connect(&bench.disk.parse().unwrap()).unwrap();
    (server, medium)
}

/// Commands of a kind that the disk was given, with what is in their lines.
fn commands(bench: &Bench, kind: &str, with: &str) -> usize {
    let log = fs::read_to_string(bench.path("commands")).unwrap();
    log.lines().filter(|line| line.contains(&format!(" {kind} id=")) && line.contains(with)).count()
}

fn is_zero(medium: &impl Medium, offset_bytes: u64, count_bytes: u64) -> bool {
    let mut bytes = vec![1; count_bytes as usize];
    medium.read_at(offset_bytes, &mut bytes).unwrap();
    bytes.iter().all(|&byte| byte == 0)
}

#[test]
fn a_server_that_can_zero_and_trim_is_asked_to_instead_of_being_sent_zeros() {
    let mut bench = Bench::loose(DISK_BYTES);
    let (_server, disk) = logging_disk(
        &mut bench,
        &["--filter=log", "--filter=nozero"],
        // The file system decides which requests are fast: here all count as fast.
        &["zeromode=plugin", "fastzeromode=ignore"],
    );
    disk.write_at(0, &vec![7; 4 << 20]).unwrap();
    let cheap = disk.zero_cheaply(0, MIB).unwrap();
    assert!(cheap && is_zero(&disk, 0, MIB), "{}", fs::read_to_string(bench.path("commands")).unwrap());
    disk.write_zeros(MIB, MIB).unwrap();
    assert!(is_zero(&disk, MIB, MIB) && !is_zero(&disk, 2 * MIB, MIB));
    disk.discard(2 * MIB, MIB).unwrap();
    assert_eq!((commands(&bench, "Write", ""), commands(&bench, "Trim", "count=0x100000")), (1, 1));
    assert_eq!((commands(&bench, "Zero", "fast=1"), commands(&bench, "Zero", "fast=0")), (1, 1));
}

#[test]
fn a_server_that_cannot_zero_is_sent_zeros() {
    let mut bench = Bench::loose(DISK_BYTES);
    let (_server, disk) = logging_disk(&mut bench, &["--filter=nozero", "--filter=log"], &["zeromode=none"]);
    disk.write_at(0, &vec![7; 3 << 20]).unwrap();
    assert!(!disk.zero_cheaply(0, MIB).unwrap() && !is_zero(&disk, 0, MIB));
    disk.write_zeros(0, 2 * MIB).unwrap();
    assert!(is_zero(&disk, 0, 2 * MIB) && !is_zero(&disk, 2 * MIB, MIB));
    assert_eq!((commands(&bench, "Write", ""), commands(&bench, "Zero", "")), (3, 0));
}

#[test]
fn trims_and_zeros_of_long_ranges_that_are_not_cached_reach_the_disk_as_such() {
    let mut bench = Bench::loose(DISK_BYTES);
    // A disk that zeros no faster than it writes is trimmed instead.
    let slow = (&["--filter=nozero", "--filter=log"][..], &["zeromode=plugin", "fastzeromode=slow"][..]);
    let (_server, disk) = logging_disk(&mut bench, slow.0, slow.1);
    disk.write_at(0, &vec![7; 32 << 20]).unwrap();
    drop(disk);
    bench.create("3M");
    let _halo = bench.serve(&[]);
    let client = bench.client();
    client.discard(8 * MIB, 4 * MIB).unwrap();
    assert_eq!(commands(&bench, "Trim", "offset=0x800000 count=0x400000"), 1);
    client.write_zeros(17 * MIB, 4 * MIB).unwrap();
    client.barrier().unwrap();
    assert!(is_zero(&client, 17 * MIB, 4 * MIB) && !is_zero(&client, 21 * MIB, MIB));
    assert_eq!(commands(&bench, "Zero", "offset=0x1100000 count=0x400000"), 1);
    assert_eq!(commands(&bench, "Write", "offset=0x1100000"), 0);
}
