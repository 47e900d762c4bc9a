//! Each contract by itself, with the worst power loss: all that was not synced is gone.

use super::client::Client;
use super::power::Machine;
use crate::harness::{content, wait_for};
use halo_lossy::Loss;
use halo_planted::Mistake;
use std::thread::{scope, sleep};
use std::time::Duration;

const DISK_BYTES: u64 = 16 << 20;
const MIB: usize = 1 << 20;
const BLOCK: u64 = 4096;

/// The first version of `count` blocks from `first`, on the disk and not in the cache.
fn fill_disk(machine: &Machine, first: u64, count: u64) {
    let bytes: Vec<u8> = (first..first + count).flat_map(|block| content(block + 1)).collect();
    let mut client = machine.client();
    (0..).zip(bytes.chunks(MIB / 4)).for_each(|(number, part)| {
        client.write(first * BLOCK + number * (MIB as u64 / 4), part, false).unwrap();
    });
    client.flush().unwrap();
    machine.drain();
}

fn holds(machine: &Machine, offset_bytes: u64, expected: &[u8]) -> bool {
    machine.client().read(offset_bytes, expected.len()).unwrap() == expected
}

pub(crate) fn a_change_with_fua_is_durable_when_it_returns(mistake: Option<Mistake>) {
    let mut machine = Machine::new("3M", DISK_BYTES, &[], mistake);
    fill_disk(&machine, 512, 512);
    let mut client = machine.client();
    client.write(0, &content(7), true).unwrap();
    machine.cut(Loss::All);
    assert!(holds(&machine, 0, &content(7)), "a write with FUA is lost");
    // Zeros of a cached block, and of a long range that is not cached.
    let mut client = machine.client();
    client.zero(0, 4096, true).unwrap();
    machine.cut(Loss::All);
    assert!(holds(&machine, 0, &[0; 4096]), "zeros of a cached block with FUA are lost");
    let mut client = machine.client();
    client.zero(512 * BLOCK, MIB, true).unwrap();
    machine.cut(Loss::All);
    assert!(holds(&machine, 512 * BLOCK, &vec![0; MIB]), "zeros of the disk with FUA are lost");
    // Data that a trim once turned into zeros never comes back.
    let mut client = machine.client();
    client.write(BLOCK, &content(8), true).unwrap();
    client.trim(BLOCK, 4096, true).unwrap();
    client.trim(768 * BLOCK, MIB, true).unwrap();
    let trimmed = (client.read(BLOCK, 4096).unwrap(), client.read(768 * BLOCK, MIB).unwrap());
    assert!(trimmed.0 == [0; 4096], "a trim left a cached block");
    machine.cut(Loss::All);
    assert!(holds(&machine, BLOCK, &trimmed.0), "a trim of a cached block with FUA is lost");
    assert!(holds(&machine, 768 * BLOCK, &trimmed.1), "a trim of the disk with FUA is lost");
}

pub(crate) fn in_mode_strict_every_change_is_durable_when_it_returns(mistake: Option<Mistake>) {
    let mut machine = Machine::new("3M", DISK_BYTES, &["--mode", "strict"], mistake);
    fill_disk(&machine, 512, 512);
    machine.client().write(0, &content(7), false).unwrap();
    machine.cut(Loss::All);
    assert!(holds(&machine, 0, &content(7)), "a write is lost");
    let mut client = machine.client();
    client.zero(512, 1024, false).unwrap();
    client.zero(512 * BLOCK, MIB, false).unwrap();
    machine.cut(Loss::All);
    let expected = [&content(7)[..512], &[0; 1024], &content(7)[1536..]].concat();
    assert!(holds(&machine, 0, &expected), "zeros of a part of a block are lost");
    assert!(holds(&machine, 512 * BLOCK, &vec![0; MIB]), "zeros of the disk are lost");
    let mut client = machine.client();
    client.trim(0, 4096, false).unwrap();
    let trimmed = client.read(0, 4096).unwrap();
    machine.cut(Loss::All);
    assert!(holds(&machine, 0, &trimmed), "a trim is lost");
}

pub(crate) fn a_flush_covers_what_other_connections_wrote(mistake: Option<Mistake>) {
    let mut machine = Machine::new("3M", DISK_BYTES, &[], mistake);
    let mut clients: Vec<_> = (0..3).map(|_| machine.client()).collect();
    for (version, client) in (1..).zip(&mut clients[..2]) {
        client.write(version * BLOCK, &content(version), false).unwrap();
    }
    clients[2].flush().unwrap();
    machine.cut(Loss::All);
    (1..3).for_each(|version| assert!(holds(&machine, version * BLOCK, &content(version)), "{version}"));
}

pub(crate) fn a_flush_during_another_covers_what_returned_between_them(mistake: Option<Mistake>) {
    let mut machine = Machine::new("3M", DISK_BYTES, &[], mistake);
    let (mut first, mut second) = (machine.client(), machine.client());
    first.write(BLOCK, &content(1), false).unwrap();
    let before = machine.syncs_begun("cache");
    machine.ill("cache", ".hold");
    scope(|scope| {
        let flush = scope.spawn(|| first.flush().unwrap());
        machine.wait_for_sync("cache", before);
        second.write(2 * BLOCK, &content(2), false).unwrap();
        let other = scope.spawn(|| second.flush().unwrap());
        // Time to get as far as waiting for the first.
        sleep(Duration::from_millis(200));
        machine.well("cache", ".hold");
        flush.join().unwrap();
        other.join().unwrap();
    });
    machine.cut(Loss::All);
    (1..3).for_each(|version| assert!(holds(&machine, version * BLOCK, &content(version)), "{version}"));
}

pub(crate) fn a_flush_covers_what_was_zeroed_on_the_disk_itself(mistake: Option<Mistake>) {
    let mut machine = Machine::new("3M", DISK_BYTES, &[], mistake);
    fill_disk(&machine, 512, 512);
    let mut client = machine.client();
    client.zero(512 * BLOCK, MIB, false).unwrap();
    client.trim(768 * BLOCK, MIB, false).unwrap();
    let trimmed = client.read(768 * BLOCK, MIB).unwrap();
    client.flush().unwrap();
    machine.cut(Loss::All);
    assert!(holds(&machine, 512 * BLOCK, &vec![0; MIB]), "zeros are lost");
    assert!(holds(&machine, 768 * BLOCK, &trimmed), "a trim is lost");
}

/// No flush of the disk is that of a note, nor waits for one.
const NO_NOTES: [&str; 2] = ["--note-every", "off"];

pub(crate) fn a_flush_covers_what_was_zeroed_during_another(mistake: Option<Mistake>) {
    let mut machine = Machine::new("3M", DISK_BYTES, &NO_NOTES, mistake);
    fill_disk(&machine, 512, 512);
    let mut second = flush_while_more_is_zeroed(&machine);
    second.flush().unwrap();
    machine.cut(Loss::All);
    assert!(holds(&machine, 512 * BLOCK, &vec![0; MIB]), "what the first flush covers is lost");
    assert!(holds(&machine, 768 * BLOCK, &vec![0; MIB]), "what the second flush covers is lost");
}

/// One connection zeroes the third MiB of the device and flushes; while the disk is flushed for that, another zeroes the fourth. Gives the other.
fn flush_while_more_is_zeroed(machine: &Machine) -> Client {
    let (mut first, mut second) = (machine.client(), machine.client());
    first.zero(512 * BLOCK, MIB, false).unwrap();
    let before = machine.syncs_begun("disk");
    machine.ill("disk", ".hold");
    scope(|scope| {
        let flush = scope.spawn(|| first.flush().unwrap());
        machine.wait_for_sync("disk", before);
        second.zero(768 * BLOCK, MIB, false).unwrap();
        machine.well("disk", ".hold");
        flush.join().unwrap();
    });
    second
}

pub(crate) fn a_server_that_is_asked_to_end_loses_nothing(mistake: Option<Mistake>) {
    let mut machine = Machine::new("3M", DISK_BYTES, &[], mistake);
    machine.client().write(BLOCK, &content(9), false).unwrap();
    machine.stop();
    machine.power_on();
    assert!(holds(&machine, BLOCK, &content(9)), "what was written before the end is lost");
}

pub(crate) fn what_a_client_is_refused_it_is_told(mistake: Option<Mistake>) {
    let mut machine = Machine::new("3M", DISK_BYTES, &[], mistake);
    let mut client = machine.client();
    client.write(0, &content(1), true).unwrap();
    client.write(BLOCK, &content(2), false).unwrap();
    machine.ill("cache", ".fail-sync");
    assert!(client.flush().is_err(), "a flush that failed counts as done");
    assert!(client.flush().is_err(), "the next one, too");
    machine.well("cache", ".fail-sync");
    assert!(client.flush().is_err(), "nothing is known of what was written before a failed sync");
    assert!(client.write(2 * BLOCK, &content(3), false).is_err(), "a write to a cache that failed counts as done");
    machine.cut(Loss::All);
    assert!(holds(&machine, 0, &content(1)));
    machine.ill("cache", ".fail-write");
    let mut client = machine.client();
    assert!(client.write(0, &content(4), true).is_err(), "a write that failed counts as done");
    machine.well("cache", ".fail-write");
    machine.cut(Loss::All);
    assert!(holds(&machine, 0, &content(1)));
}

pub(crate) fn ranges_are_kept_to_the_byte(mistake: Option<Mistake>) {
    for cached in [true, false] {
        let mut machine = Machine::new("3M", DISK_BYTES, &[], mistake);
        if cached {
            let bytes: Vec<u8> = (0..8).flat_map(|block| content(block + 1)).collect();
            machine.client().write(0, &bytes, true).unwrap();
        } else {
            fill_disk(&machine, 0, 8);
        }
        let mut client = machine.client();
        let mut expected = client.read(0, 8 * 4096).unwrap();
        client.zero(512, 1536, false).unwrap();
        expected[512..2048].fill(0);
        client.zero(3584, 4096, false).unwrap();
        expected[3584..7680].fill(0);
        // A trim may leave what it likes of its own range, and must leave all else.
        let trims = [(8704, 1024), (12_800, 8192)];
        for (offset_bytes, count) in trims {
            client.trim(offset_bytes, count, false).unwrap();
            let start = offset_bytes as usize;
            let left = client.read(offset_bytes, count).unwrap();
            let kept = |(at, &byte): (usize, &u8)| byte == 0 || byte == expected[start + at];
            assert!(left.iter().enumerate().all(kept), "a trim left what was never there");
            expected[start..start + count].copy_from_slice(&left);
        }
        client.flush().unwrap();
        assert!(client.read(0, 8 * 4096).unwrap() == expected, "cached: {cached}");
        machine.cut(Loss::All);
        assert!(holds(&machine, 0, &expected), "after the power loss; cached: {cached}");
    }
}

pub(crate) fn the_end_of_the_device_is_where_it_says(mistake: Option<Mistake>) {
    // Neither whole blocks nor whole sectors.
    for disk_bytes in [DISK_BYTES, DISK_BYTES + 1536, DISK_BYTES + 4095] {
        let mut machine = Machine::new("3M", disk_bytes, &[], mistake);
        let mut client = machine.client();
        let len_bytes = client.len_bytes;
        assert_eq!(len_bytes, (disk_bytes - 4096) / 4096 * 4096);
        client.write(len_bytes - BLOCK, &content(5), true).unwrap();
        assert!(client.write(len_bytes, &content(6), false).is_err());
        assert!(client.zero(len_bytes - BLOCK, 8192, false).is_err());
        machine.drain();
        machine.cut(Loss::All);
        assert!(holds(&machine, len_bytes - BLOCK, &content(5)));
        let mut client = machine.client();
        client.zero(len_bytes - BLOCK, 4096, true).unwrap();
        machine.cut(Loss::All);
        assert!(holds(&machine, len_bytes - BLOCK, &[0; 4096]));
    }
}

pub(crate) fn a_drain_that_the_disk_refuses_loses_nothing(mistake: Option<Mistake>) {
    let mut machine = Machine::new("3M", DISK_BYTES, &[], mistake);
    let mut client = machine.client();
    (0..50).for_each(|block| client.write(block * 8 * BLOCK, &content(block + 1), false).unwrap());
    client.flush().unwrap();
    for illness in [".fail-write", ".fail-sync"] {
        machine.ill("disk", illness);
        let output = machine.bench.halo(&["drain", "--socket", "SOCKET"]);
        assert!(!output.status.success(), "{illness}: {output:?}");
        // In this order: a disk that is well takes the blocks a second later, and the next round is to find them.
        machine.power_off(Loss::All);
        machine.well("disk", illness);
        machine.power_on();
        (0..50)
            .for_each(|block| assert!(holds(&machine, block * 8 * BLOCK, &content(block + 1)), "{illness}, {block}"));
    }
}

pub(crate) fn what_was_drained_is_on_the_disk_and_needs_no_cache(mistake: Option<Mistake>) {
    for over_nbd in [false, true] {
        let start = if over_nbd { Machine::over_nbd } else { Machine::new };
        let mut machine = start("3M", DISK_BYTES, &[], mistake);
        let mut client = machine.client();
        (0..50).for_each(|block| client.write(block * 8 * BLOCK, &content(block + 1), false).unwrap());
        // A run that the disk takes in more than one piece.
        let run: Vec<u8> = (0..75).flat_map(|block| content(block + 1)).collect();
        client.write(1024 * BLOCK, &run, false).unwrap();
        client.flush().unwrap();
        machine.drain();
        machine.cut(Loss::All);
        let dirty = machine.bench.status()["dirty_blocks"].as_u64();
        assert_eq!(dirty, Some(0), "drained blocks came back");
        assert!(holds(&machine, 1024 * BLOCK, &run), "a run of 75 blocks");
        (0..50).for_each(|block| assert!(holds(&machine, block * 8 * BLOCK, &content(block + 1)), "{block}"));
    }
}

pub(crate) fn a_batch_that_ends_early_leaves_no_block_half_written(mistake: Option<Mistake>) {
    const BLOCKS: u64 = 500;
    let mut machine = Machine::new("3M", DISK_BYTES, &[], mistake);
    let mut client = machine.client();
    // A block is up to four pieces, and no two batches begin alike.
    let sectors = |block: u64| (0..8).step_by(2).filter(move |sector| sector / 2 <= block % 4);
    let offset_bytes = |block: u64, sector: u64| block * 2 * BLOCK + sector * 512;
    for block in 0..BLOCKS {
        sectors(block)
            .for_each(|sector| client.write(offset_bytes(block, sector), &content(block + 1)[..512], false).unwrap());
    }
    client.flush().unwrap();
    machine.ill("disk", ".slow");
    scope(|scope| {
        let drain = scope.spawn(|| machine.drain());
        // Each of these waits for the batch under way, which ends early for it.
        let mut hurried = machine.client();
        wait_for("the drain", || {
            hurried.zero(DISK_BYTES - 2 * MIB as u64, MIB, false).unwrap();
            drain.is_finished().then_some(())
        });
        drain.join().unwrap();
    });
    machine.well("disk", ".slow");
    let verify = |machine: &Machine, when: &str| {
        let mut client = machine.client();
        for block in 0..BLOCKS {
            for sector in sectors(block) {
                let found = client.read(offset_bytes(block, sector), 512).unwrap();
                assert!(found == content(block + 1)[..512], "{when}: sector {sector} of block {block}");
            }
        }
    };
    verify(&machine, "after the drain");
    machine.cut(Loss::All);
    verify(&machine, "after the power loss");
}

pub(crate) fn a_flush_of_an_nbd_disk_does_not_forget_what_returned_during_it(mistake: Option<Mistake>) {
    let mut machine = Machine::over_nbd("3M", DISK_BYTES, &NO_NOTES, mistake);
    fill_disk(&machine, 512, 512);
    let mut second = flush_while_more_is_zeroed(&machine);
    machine.cut_disk();
    second.flush().unwrap();
    let verify = |machine: &Machine| {
        assert!(holds(machine, 512 * BLOCK, &vec![0; MIB]), "what the flush covers is lost");
        assert!(holds(machine, 768 * BLOCK, &vec![0; MIB]), "what returned during the flush is lost");
    };
    verify(&machine);
    machine.cut(Loss::All);
    verify(&machine);
}

pub(crate) fn what_an_nbd_disk_has_lost_is_made_again_in_its_order(mistake: Option<Mistake>) {
    let mut machine = Machine::over_nbd("3M", DISK_BYTES, &["--bypass-sequential", "64K"], mistake);
    let mut client = machine.client();
    let stream: Vec<u8> = (0..256).flat_map(|block| content(block + 1)).collect();
    client.zero(512 * BLOCK, MIB, false).unwrap();
    client.write(512 * BLOCK, &stream, false).unwrap();
    assert_eq!(machine.bench.status()["bypassed_bytes"].as_u64(), Some(MIB as u64));
    machine.cut_disk();
    assert!(client.read(512 * BLOCK, MIB).unwrap() == stream, "zeros from before a write replaced it");
    client.flush().unwrap();
    machine.cut(Loss::All);
    assert!(holds(&machine, 512 * BLOCK, &stream), "what was flushed is lost");
}

pub(crate) fn an_nbd_disk_that_refuses_a_flush_is_not_believed(mistake: Option<Mistake>) {
    let mut machine = Machine::over_nbd("3M", DISK_BYTES, &[], mistake);
    fill_disk(&machine, 512, 512);
    let mut client = machine.client();
    client.zero(512 * BLOCK, MIB, false).unwrap();
    machine.ill("disk", ".fail-sync");
    assert!(client.flush().is_err(), "a flush counts as done that the disk refused");
    machine.well("disk", ".fail-sync");
    client.flush().unwrap();
    machine.cut(Loss::All);
    assert!(holds(&machine, 512 * BLOCK, &vec![0; MIB]));
}
