//! The messages to a client, and to an operator, when something fails.

use super::power::Machine;
use crate::harness::{content, said_at_the_end, wait_for};
use halo_lossy::Loss;
use halo_media::Medium;
use halo_planted::Mistake;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::process::Stdio;

const DISK_BYTES: u64 = 16 << 20;
const BLOCK: u64 = 4096;

pub(crate) fn another_disk_in_its_place_is_not_used(mistake: Option<Mistake>) {
    let mut machine = Machine::over_nbd("3M", DISK_BYTES, &[], mistake);
    // The disk as it was when a server had it before, and one that belongs to no cache.
    fs::copy(machine.bench.path("disk"), machine.bench.path("older")).unwrap();
    File::create(machine.bench.path("other")).unwrap().set_len(DISK_BYTES).unwrap();
    machine.end();
    machine.power_on();
    let mut client = machine.client();
    (0..50).for_each(|block| client.write(block * 8 * BLOCK, &content(block + 1), false).unwrap());
    client.flush().unwrap();
    for name in ["older", "other"] {
        let before = fs::read(machine.bench.path(name)).unwrap();
        machine.replace_disk(name);
        assert!(client.read(512 * BLOCK, 4096).is_err(), "another disk is read: {name}");
        let output = machine.bench.halo(&["drain", "--socket", "SOCKET"]);
        assert!(!output.status.success(), "drained to another disk: {name}: {output:?}");
        assert!(fs::read(machine.bench.path(name)).unwrap() == before, "another disk is written: {name}");
    }
    (0..50).for_each(|block| assert!(client.read(block * 8 * BLOCK, 4096).unwrap() == content(block + 1), "{block}"));
    // The first round on the right disk does not end before what is told of it was looked at.
    machine.ill("disk", ".hold");
    machine.replace_disk("disk");
    let status =
        wait_for("the disk", || Some(machine.bench.status()).filter(|status| status["disk_connected"] == true));
    assert!(status["disk_error"].is_null(), "an error of the disk before: {status}");
    machine.well("disk", ".hold");
    machine.drain();
}

pub(crate) fn a_damaged_block_is_an_error_and_no_data(mistake: Option<Mistake>) {
    let machine = Machine::new("3M", DISK_BYTES, &[], mistake);
    let mut client = machine.client();
    (0..3).for_each(|block| client.write(block * BLOCK, &content(block + 1), true).unwrap());
    let path = machine.bench.path("cache");
    let at = fs::read(&path).unwrap().windows(4096).position(|bytes| bytes == content(2)).unwrap() as u64;
    File::options().write(true).open(&path).unwrap().write_all_at(&[0xff], at + 1000).unwrap();
    assert!(client.read(BLOCK, 4096).is_err(), "a damaged block is returned");
    // Also among whole ones, which can be read without it.
    assert!(client.read(0, 3 * 4096).is_err(), "a damaged block is returned among others");
    assert!(client.read(0, 4096).unwrap() == content(1) && client.read(2 * BLOCK, 4096).unwrap() == content(3));
    client.write(BLOCK, &content(4), true).unwrap();
    assert!(client.read(BLOCK, 4096).unwrap() == content(4));
}

pub(crate) fn what_is_masked_on_the_disk_is_plain_for_clients(mistake: Option<Mistake>) {
    let mut machine = Machine::new("3M", DISK_BYTES, &[], mistake);
    let mut client = machine.client();
    (0..6).for_each(|block| client.write(block * BLOCK, &content(block + 1), false).unwrap());
    client.flush().unwrap();
    machine.drain();
    let on_disk = || fs::read(machine.bench.path("disk")).unwrap();
    assert!(on_disk()[..4096] != content(1), "the disk shows its first block while it has a cache");
    // Parts of the disk with blocks of the cache between them.
    for block in [1, 3] {
        client.write(block * BLOCK, &content(block + 11), false).unwrap();
    }
    let expected: Vec<u8> = [1, 12, 3, 14, 5, 6].into_iter().flat_map(content).collect();
    assert!(client.read(0, expected.len()).unwrap() == expected, "a client sees masked bytes");
    assert!(client.read(512, 4096 * 4).unwrap() == expected[512..][..4096 * 4], "a client sees masked bytes");
    machine.end();
    assert!(
        fs::read(machine.bench.path("disk")).unwrap()[..4096] != content(1),
        "the disk shows its first block while it lacks others"
    );
}

/// At both ends of the device, where the disk shows no file system.
pub(crate) fn what_is_zeroed_where_the_disk_is_masked_reads_as_zeros(mistake: Option<Mistake>) {
    const MIB: u64 = 1 << 20;
    let mut machine = Machine::new("3M", DISK_BYTES, &[], mistake);
    let mut client = machine.client();
    let end = client.len_bytes;
    let ends = [0, end - MIB];
    let run: Vec<u8> = (0..256).flat_map(|block| content(block + 1)).collect();
    for trims in [false, true] {
        for at in ends {
            client.write(at, &run, false).unwrap();
        }
        client.flush().unwrap();
        machine.drain();
        for at in ends {
            let done = if trims { client.trim(at, MIB as usize, true) } else { client.zero(at, MIB as usize, true) };
            done.unwrap();
        }
        let allowed = |bytes: &[u8], block: usize| {
            bytes.iter().all(|&byte| byte == 0) || (trims && bytes == content(block as u64 + 1))
        };
        for after_a_cut in [false, true] {
            for at in ends {
                let found = client.read(at, MIB as usize).unwrap();
                let right = found.chunks(4096).enumerate().all(|(block, bytes)| allowed(bytes, block));
                assert!(right, "trimmed: {trims}, at {at}, after a power loss: {after_a_cut}");
            }
            if !after_a_cut {
                machine.cut(Loss::All);
                client = machine.client();
            }
        }
    }
}

/// The label of a disk over NBD notes that the disk alone is not in order; that makes it no other disk.
pub(crate) fn a_disk_whose_label_noted_a_gap_is_reached_again(mistake: Option<Mistake>) {
    let mut machine = Machine::over_nbd("3M", DISK_BYTES, &["--mode", "ordered"], mistake);
    let mut client = machine.client();
    (0..3).for_each(|block| client.write(block * BLOCK, &content(block + 1), true).unwrap());
    let path = machine.bench.path("cache");
    let at = fs::read(&path).unwrap().windows(4096).position(|bytes| bytes == content(2)).unwrap() as u64;
    File::options().write(true).open(&path).unwrap().write_all_at(&[0xff], at + 1000).unwrap();
    let output = machine.bench.halo(&["drain", "--socket", "SOCKET"]);
    assert_eq!(output.status.code(), Some(3), "a damaged block was drained: {output:?}");
    machine.cut_disk();
    let read = client.read(512 * BLOCK, 4096);
    assert!(read.is_ok(), "the disk is not reached again: {}", machine.bench.log());
    client.write(BLOCK, &content(2), true).unwrap();
    machine.drain();
    machine.cut_disk();
    assert!((0..3).all(|block| client.read(block * BLOCK, 4096).unwrap() == content(block + 1)));
}

pub(crate) fn after_a_failed_sync_of_the_disk_a_drain_says_that_only_a_restart_helps(mistake: Option<Mistake>) {
    let mut machine = Machine::new("3M", DISK_BYTES, &[], mistake);
    let mut client = machine.client();
    // Of these no write needs a flush by itself, as one of a masked block does.
    let blocks = 50..100;
    blocks.clone().for_each(|block| client.write(block * 8 * BLOCK, &content(block + 1), false).unwrap());
    client.flush().unwrap();
    machine.ill("disk", ".fail-sync");
    let refused = || {
        let output = machine.bench.halo(&["drain", "--socket", "SOCKET"]);
        let text = said_at_the_end(&String::from_utf8(output.stderr).unwrap());
        let said = "halo: 50 blocks stay in the cache, until the server is started anew: disk file: flushing failed: ";
        assert!(output.status.code() == Some(3) && text.starts_with(said) && text.lines().count() == 1, "{text}");
    };
    refused();
    // The kernel would say that the next one succeeded.
    machine.well("disk", ".fail-sync");
    refused();
    assert_eq!(machine.bench.status()["disk_needs_restart"], true);
    assert!(machine.bench.log().contains(": start the server anew"), "{}", machine.bench.log());
    assert_eq!(machine.end(), Some(0), "the cache has everything");
    machine.power_on();
    machine.drain();
    machine.power_off(Loss::All);
    machine.power_on();
    let mut client = machine.client();
    for block in blocks {
        assert!(client.read(block * 8 * BLOCK, 4096).unwrap() == content(block + 1), "{block}");
    }
}

pub(crate) fn when_both_devices_fail_at_once_a_drain_says_so_and_nothing_durable_is_lost(mistake: Option<Mistake>) {
    let mut machine = Machine::new("3M", DISK_BYTES, &[], mistake);
    let mut client = machine.client();
    (0..50).for_each(|block| client.write(block * 8 * BLOCK, &content(block + 1), false).unwrap());
    client.flush().unwrap();
    let illnesses = ["cache", "disk"].map(|name| [".fail-write", ".fail-sync"].map(|how| (name, how))).concat();
    for (name, how) in &illnesses {
        machine.ill(name, how);
    }
    assert!(client.write(0, &content(99), true).is_err());
    let output = machine.bench.halo(&["drain", "--socket", "SOCKET"]);
    let text = said_at_the_end(&String::from_utf8(output.stderr).unwrap());
    let said = "halo: 50 blocks stay in the cache, until the server is started anew: the cache takes no writes since";
    assert!(output.status.code() == Some(3) && text.starts_with(said), "{text}");
    (0..50).for_each(|block| assert!(client.read(block * 8 * BLOCK, 4096).unwrap() == content(block + 1), "{block}"));
    assert_eq!(machine.end(), Some(1), "the last flush failed");
    for (name, how) in &illnesses {
        machine.well(name, how);
    }
    machine.power_off(Loss::All);
    machine.power_on();
    machine.drain();
    let mut client = machine.client();
    (0..50).for_each(|block| assert!(client.read(block * 8 * BLOCK, 4096).unwrap() == content(block + 1), "{block}"));
}

pub(crate) fn a_cache_device_that_dies_during_a_drain_leaves_the_disk_as_its_mode_says(mistake: Option<Mistake>) {
    const EPOCH_BLOCKS: u64 = 50;
    const BLOCKS: u64 = 1000;
    let at_bytes = |block: u64| block * 4 * BLOCK;
    for mode in ["flush", "ordered"] {
        let mut machine = Machine::new("8M", DISK_BYTES, &["--mode", mode], mistake);
        let mut client = machine.client();
        for block in 0..BLOCKS {
            // The latest epochs lie first on the disk.
            client.write(at_bytes(BLOCKS - 1 - block), &content(block + 1), false).unwrap();
            if (block + 1) % EPOCH_BLOCKS == 0 {
                client.flush().unwrap();
            }
        }
        // The disk takes a part of it, and the rest once the cache is dead.
        let written = || fs::metadata(machine.bench.path("disk.journal")).unwrap().len();
        let part = written() + 200 * BLOCK;
        machine.ill_with("disk", ".full-at", &part.to_string());
        let drain = machine.bench.command(&["drain", "--socket", "SOCKET"]).stderr(Stdio::piped()).spawn().unwrap();
        wait_for("a part of the drain", || (written() >= part).then_some(()));
        let illnesses = [".fail-read", ".fail-write", ".fail-sync"];
        for how in illnesses {
            machine.ill("cache", how);
        }
        machine.well("disk", ".full-at");
        let output = drain.wait_with_output().unwrap();
        let text = said_at_the_end(&String::from_utf8(output.stderr).unwrap());
        let said: Vec<_> = text.lines().collect();
        assert!(output.status.code() == Some(3) && said.len() == 1, "{mode}: {text}");
        assert!(said[0].starts_with("halo: ") && said[0].contains(" blocks stay in the cache, "), "{mode}: {text}");
        assert!(client.write(0, &content(9), true).is_err(), "{mode}: a write into a dead cache succeeded");
        drop(client);
        assert_eq!(machine.end(), Some(1), "{mode}: the last flush failed");
        machine.power_off(Loss::All);
        let disk = machine.bench.plain_disk();
        let has = |block: u64| {
            let mut bytes = vec![0; 4096];
            disk.read_at(at_bytes(BLOCKS - 1 - block), &mut bytes).unwrap();
            bytes == content(block + 1)
        };
        let taken = (0..BLOCKS).filter(|&block| has(block)).count() as u64;
        // Without an order, a batch was read before it is written.
        assert!(taken < BLOCKS || mode == "flush", "{mode}: the cache died behind the drain");
        // All of an epoch before any of the next.
        let last = (0..BLOCKS).rev().find(|&block| has(block)).unwrap_or(0);
        let in_order = (0..last / EPOCH_BLOCKS * EPOCH_BLOCKS).all(has);
        assert!(in_order || mode == "flush", "{mode}: {taken} blocks are on the disk, not in order");
        // It was only its cable.
        for how in illnesses {
            machine.well("cache", how);
        }
        machine.power_on();
        machine.drain();
        let mut client = machine.client();
        let whole = |block| client.read(at_bytes(BLOCKS - 1 - block), 4096).unwrap() == content(block + 1);
        assert!((0..BLOCKS).all(whole), "{mode}");
    }
}

pub(crate) fn an_end_that_loses_something_says_so(mistake: Option<Mistake>) {
    for stays_connected in [true, false] {
        let mut machine = Machine::new("3M", DISK_BYTES, &[], mistake);
        let mut client = machine.client();
        client.write(BLOCK, &content(1), false).unwrap();
        let client = stays_connected.then_some(client);
        machine.ill("cache", ".fail-sync");
        assert_eq!(machine.end(), Some(1), "stays connected: {stays_connected}");
        assert!(machine.bench.log().contains("the last flush failed"));
        machine.well("cache", ".fail-sync");
        machine.power_on();
        drop(client);
        assert_eq!(machine.end(), Some(0), "nothing was lost");
    }
}
