//! Published figures of 7200 rpm disks, and properties of every disk.
#![allow(missing_docs, clippy::unwrap_used)]

use halo_core::SplitMix64;
use halo_disk::{Completion, Disk, Operation, Profile, Request};

const BLOCK_SECTORS: u64 = 8;

/// Keeps `depth` commands of 4 KiB in flight until `count` are done; gives the time that took, and the mean latency.
fn run(
    profile: Profile,
    depth: usize,
    operation: Operation,
    count: u64,
    mut place: impl FnMut(u64) -> u64,
) -> (f64, f64) {
    let mut disk = Disk::new(profile);
    let mut begun = vec![0; count as usize];
    let (mut submitted, mut done, mut now, mut latency) = (0, 0, 0, 0);
    let mut completed = Vec::new();
    while done < count {
        while submitted < count && (submitted - done) < depth as u64 {
            begun[submitted as usize] = now;
            disk.submit(
                now,
                Request { id: submitted, operation, first_sector: place(submitted), sectors: BLOCK_SECTORS },
            );
            submitted += 1;
        }
        now = disk.next_event_nanos().unwrap();
        disk.advance(now, &mut completed);
        for completion in completed.drain(..) {
            latency += completion.at_nanos - begun[completion.id as usize];
            done += 1;
        }
    }
    (now as f64 / 1e9, latency as f64 / count as f64 / 1e6)
}

fn random_place(profile: &Profile) -> impl FnMut(u64) -> u64 {
    let mut random = SplitMix64::new(7);
    let blocks = profile.capacity_bytes / 4096;
    move |_| random.below(blocks) * BLOCK_SECTORS
}

#[test]
fn one_random_read_takes_12_to_13_ms_and_32_at_a_time_give_about_200_per_second() {
    let profile = Profile::ENTERPRISE;
    let (_, latency_millis) = run(profile, 1, Operation::Read, 2000, random_place(&profile));
    assert!((12.0..13.5).contains(&latency_millis), "{latency_millis} ms");
    let (seconds, _) = run(profile, 32, Operation::Read, 4000, random_place(&profile));
    assert!((180.0..220.0).contains(&(4000.0 / seconds)), "{} per second", 4000.0 / seconds);
}

#[test]
fn a_flush_of_the_consumer_disk_takes_28_ms_and_9_4_ms_per_scattered_block() {
    for blocks in [10, 30, 100] {
        let mut disk = Disk::new(Profile::CONSUMER);
        let mut place = random_place(&Profile::CONSUMER);
        let mut completed = Vec::new();
        for id in 0..blocks {
            disk.submit(0, Request { id, operation: Operation::Write, first_sector: place(id), sectors: 8 });
        }
        disk.submit(0, Request { id: blocks, operation: Operation::Flush, first_sector: 0, sectors: 0 });
        while completed.len() <= blocks as usize {
            disk.advance(disk.next_event_nanos().unwrap(), &mut completed);
        }
        let flushed = completed.iter().find(|completion| completion.id == blocks).unwrap();
        let millis = flushed.at_nanos as f64 / 1e6;
        let published = 28.0 + 9.4 * blocks as f64;
        assert!((0.75..1.25).contains(&(millis / published)), "{blocks}: {millis}, published {published}");
    }
}

/// HGST 7K8: 12.2 ms, about 200 per second, 205 MB/s, a write that is on the platter in 12 to 14.5 ms.
#[test]
fn the_enterprise_disk_of_8_tb_does_what_is_published_about_it() {
    let profile = Profile::ENTERPRISE_8T;
    let (_, latency_millis) = run(profile, 1, Operation::Read, 2000, random_place(&profile));
    assert!((12.2 * 0.95..12.2 * 1.05).contains(&latency_millis), "{latency_millis} ms");
    let (seconds, _) = run(profile, 32, Operation::Read, 4000, random_place(&profile));
    assert!((180.0..220.0).contains(&(4000.0 / seconds)), "{} per second", 4000.0 / seconds);
    let (_, write_millis) = run(profile, 1, Operation::Write, 2000, random_place(&profile));
    assert!((12.0..14.5).contains(&write_millis), "{write_millis} ms");
    let megabytes_per_second = sequential_reads(profile);
    assert!((205.0 * 0.9..205.0 * 1.1).contains(&megabytes_per_second), "{megabytes_per_second} MB/s");
}

/// ST2000DM006: 17.5 ms, 94 per second, 132 to 143 MB/s, 124 random writes per second.
#[test]
fn the_consumer_disk_does_what_was_measured_on_one() {
    let profile = Profile::CONSUMER;
    let (_, latency_millis) = run(profile, 1, Operation::Read, 2000, random_place(&profile));
    assert!((17.5 * 0.9..17.5 * 1.1).contains(&latency_millis), "{latency_millis} ms");
    let (seconds, _) = run(profile, 32, Operation::Read, 4000, random_place(&profile));
    assert!((94.0 * 0.9..94.0 * 1.1).contains(&(4000.0 / seconds)), "{} per second", 4000.0 / seconds);
    let (seconds, _) = run(profile, 1, Operation::Write, 30_000, random_place(&profile));
    assert!((124.0 * 0.9..124.0 * 1.1).contains(&(30_000.0 / seconds)), "{} per second", 30_000.0 / seconds);
    let megabytes_per_second = sequential_reads(profile);
    assert!((125.0..143.0).contains(&megabytes_per_second), "{megabytes_per_second} MB/s");
}

/// Auburn §3.3: "as high as 100 MB/sec for sequential workloads and only 0.5 MB/sec for small random requests".
#[test]
fn the_desktop_disk_is_as_fast_as_the_standard_disk_of_the_paper() {
    let profile = Profile::DESKTOP;
    let (seconds, _) = run(profile, 1, Operation::Write, 30_000, random_place(&profile));
    let megabytes_per_second = 30_000.0 * 4096.0 / 1e6 / seconds;
    assert!((0.45..0.55).contains(&megabytes_per_second), "{megabytes_per_second} MB/s");
    assert!((85.0..105.0).contains(&sequential_reads(profile)), "{} MB/s", sequential_reads(profile));
}

/// Megabytes per second of reads of 512 KiB, one at a time, from the outer rim on.
fn sequential_reads(profile: Profile) -> f64 {
    let mut disk = Disk::new(profile);
    let mut completed = Vec::new();
    let mut now = 0;
    for id in 0..1000 {
        disk.submit(now, Request { id, operation: Operation::Read, first_sector: id * 1024, sectors: 1024 });
        while completed.is_empty() {
            now = disk.next_event_nanos().unwrap();
            disk.advance(now, &mut completed);
        }
        completed.clear();
    }
    1000.0 * 1024.0 * 512.0 / 1e6 / (now as f64 / 1e9)
}

#[test]
fn sectors_that_were_just_read_or_written_come_from_the_buffer() {
    let mut disk = Disk::new(Profile::ENTERPRISE);
    let mut completed = Vec::new();
    for (id, operation) in [(0, Operation::Read), (1, Operation::Write)] {
        let place = 50_000_000 * (id + 1);
        for id in [id, id + 10] {
            let operation = if id < 10 { operation } else { Operation::Read };
            let begun = completed.last().map_or(0, |completion: &Completion| completion.at_nanos);
            disk.submit(begun, Request { id, operation, first_sector: place, sectors: 8 });
            disk.advance(begun + 100_000_000, &mut completed);
        }
    }
    let took: Vec<u64> = completed.windows(2).map(|pair| pair[1].at_nanos - pair[0].at_nanos).collect();
    // Read again; write elsewhere; read what was written.
    assert!(took[0] < 200_000 && took[1] > 1_000_000 && took[2] < 200_000, "{took:?}");
}

#[test]
fn neighbouring_blocks_written_one_by_one_miss_a_revolution_each_and_queued_ones_do_not() {
    let (one_by_one, _) = run(Profile::ENTERPRISE, 1, Operation::Write, 256, |number| number * BLOCK_SECTORS);
    let (queued, _) = run(Profile::ENTERPRISE, 32, Operation::Write, 256, |number| number * BLOCK_SECTORS);
    let per_second = (256.0 / one_by_one, 256.0 / queued);
    assert!((110.0..150.0).contains(&per_second.0) && per_second.1 > 1000.0, "{per_second:?}");
}

#[test]
fn every_command_completes_once_and_time_never_runs_backwards() {
    for profile in Profile::ALL {
        let mut random = SplitMix64::new(3);
        let mut disk = Disk::new(profile);
        let mut completed: Vec<Completion> = Vec::new();
        let mut now = 0;
        for id in 0..3000 {
            now += random.below(8_000_000);
            disk.advance(now, &mut completed);
            let operation = [Operation::Read, Operation::Write, Operation::Flush][random.below(3) as usize];
            let (first_sector, sectors) = (random.below(900_000_000), 1 + random.below(2048));
            disk.submit(now, Request { id, operation, first_sector, sectors });
        }
        while let Some(at_nanos) = disk.next_event_nanos() {
            disk.advance(at_nanos, &mut completed);
        }
        assert!(completed.is_sorted_by_key(|completion| completion.at_nanos), "{}", profile.name);
        let mut ids: Vec<_> = completed.iter().map(|completion| completion.id).collect();
        ids.sort_unstable();
        assert!(ids.into_iter().eq(0..3000), "{}", profile.name);
    }
}

#[test]
fn a_flush_completes_after_all_writes_that_came_before_it_are_on_the_platter() {
    let mut disk = Disk::new(Profile::CONSUMER);
    let mut completed = Vec::new();
    for id in 0..50 {
        disk.submit(0, Request { id, operation: Operation::Write, first_sector: id * 10_000_000, sectors: 8 });
    }
    disk.submit(0, Request { id: 50, operation: Operation::Flush, first_sector: 0, sectors: 0 });
    let mut seen_at = 0;
    while seen_at == 0 {
        disk.advance(disk.next_event_nanos().unwrap(), &mut completed);
        seen_at = completed.iter().find(|completion| completion.id == 50).map_or(0, |completion| completion.at_nanos);
    }
    // Fifty scattered writes cannot be on the platter in less than fifty shortest seeks; nothing is left to be written.
    assert!(seen_at > 50 * Profile::CONSUMER.least_seek_nanos);
    assert_eq!(disk.next_event_nanos(), None);
}

/// Eight writes near the arm at any time are always sooner than one at the other end of the disk.
#[test]
fn a_command_that_has_waited_for_a_second_goes_first() {
    const FAR: u64 = 0;
    let mut random = SplitMix64::new(5);
    let mut disk = Disk::new(Profile::ENTERPRISE);
    let mut submit = |disk: &mut Disk, now, id| {
        let first_sector = if id == FAR { 900_000_000 } else { random.below(2048) * BLOCK_SECTORS };
        disk.submit(now, Request { id, operation: Operation::Write, first_sector, sectors: BLOCK_SECTORS });
    };
    let (mut now, mut next, mut completed) = (0, 1, Vec::new());
    // The arm is where it is near.
    (1..9).for_each(|id| submit(&mut disk, 0, id));
    submit(&mut disk, 0, FAR);
    let far_nanos = loop {
        completed.drain(..).for_each(|_: Completion| {
            submit(&mut disk, now, next + 8);
            next += 1;
        });
        now = disk.next_event_nanos().unwrap();
        disk.advance(now, &mut completed);
        if let Some(far) = completed.iter().find(|completion| completion.id == FAR) {
            break far.at_nanos;
        }
        assert!(now < 10_000_000_000, "it waits still, after {next} others");
    };
    let patience_nanos = Profile::ENTERPRISE.patience_nanos;
    // Whatever was at the platter then, and its own way there.
    assert!((patience_nanos..patience_nanos + 100_000_000).contains(&far_nanos), "{far_nanos} ns");
}
