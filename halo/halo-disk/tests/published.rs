//! What is known of 7200 rpm disks, and what must hold for any disk.
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
    for blocks in [30, 100] {
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
