//! The rules one by one; how they come out together is in `tests/yielding.rs`.

use super::*;

const MILLISECOND_NANOS: u64 = 1_000_000;
const TARGET_NANOS: u64 = 40 * MILLISECOND_NANOS;

fn admitted(throttle: &mut Throttle, now_nanos: u64) -> usize {
    (0..100).take_while(|_| throttle.admit(now_nanos) == Admission::Go).count()
}

fn end_all(throttle: &mut Throttle, writes: usize, now_nanos: u64) {
    (0..writes).for_each(|_| throttle.end_write(now_nanos));
}

#[test]
fn a_disk_that_nobody_reads_gets_as_many_writes_as_it_can_order() {
    let mut throttle = Throttle::new(Some(TARGET_NANOS));
    assert_eq!(admitted(&mut throttle, 0), 32);
    assert_eq!(throttle.batch_blocks(0), 2048);
}

#[test]
fn nothing_is_sent_while_a_read_waits_for_what_was_under_way() {
    let mut throttle = Throttle::new(Some(TARGET_NANOS));
    admitted(&mut throttle, 0);
    let reading = throttle.begin_read(1);
    end_all(&mut throttle, 31, 2);
    assert_eq!(throttle.admit(3), Admission::Wait(None));
    end_all(&mut throttle, 1, 4);
    // The last write has ended, and the read goes before the next.
    assert_eq!(throttle.admit(5 * MILLISECOND_NANOS), Admission::Wait(None));
    throttle.end_read(6 * MILLISECOND_NANOS, reading);
    assert_eq!(throttle.admit(12 * MILLISECOND_NANOS), Admission::Go);
}

#[test]
fn no_read_waits_for_two_turns_however_many_there_are() {
    let mut throttle = Throttle::new(Some(TARGET_NANOS));
    let mut now_nanos = 0;
    // Two queues of reads that overlap, so that some are always under way: number of turns that each has met.
    let mut under_way = std::collections::VecDeque::new();
    for _ in 0..1000 {
        under_way.push_back((throttle.begin_read(now_nanos), throttle.status().turns));
        now_nanos += 3 * MILLISECOND_NANOS;
        let writes = admitted(&mut throttle, now_nanos);
        now_nanos += 3 * MILLISECOND_NANOS;
        end_all(&mut throttle, writes, now_nanos);
        if under_way.len() > 8
            && let Some((reading, turns_before)) = under_way.pop_front()
        {
            assert!(throttle.status().turns - turns_before <= 1);
            throttle.end_read(now_nanos, reading);
        }
    }
    assert!(throttle.status().turns > 50, "destaging stopped: {:?}", throttle.status());
}

/// Reads one after the other, each of which meets a turn: (budget, writes in the next turn).
fn after_reads(throttle: &mut Throttle, now_nanos: &mut u64, reads: u64, latency_nanos: u64) -> u64 {
    for _ in 0..reads {
        *now_nanos += 1000 * MILLISECOND_NANOS;
        assert_eq!(throttle.admit(*now_nanos), Admission::Go);
        let reading = throttle.begin_read(*now_nanos);
        *now_nanos += latency_nanos / 2;
        throttle.end_write(*now_nanos);
        *now_nanos += latency_nanos - latency_nanos / 2;
        throttle.end_read(*now_nanos, reading);
    }
    throttle.status().budget_nanos
}

#[test]
fn one_late_read_in_a_hundred_leaves_the_budget_as_it_is() {
    let (mut throttle, mut now_nanos) = (Throttle::new(Some(TARGET_NANOS)), 0);
    let first = after_reads(&mut throttle, &mut now_nanos, 1, TARGET_NANOS + 1);
    assert!(first < throttle.target_nanos.unwrap() / 2, "a single late read counts");
    after_reads(&mut throttle, &mut now_nanos, 99, TARGET_NANOS);
    let later = after_reads(&mut throttle, &mut now_nanos, 1, TARGET_NANOS + 1);
    assert!(later.abs_diff(first) <= 2, "{first}, then {later}");
    assert_eq!(throttle.status().late_reads, 2);
}

#[test]
fn late_reads_shrink_turns_and_batches_down_to_a_bound() {
    let (mut throttle, mut now_nanos) = (Throttle::new(Some(TARGET_NANOS)), 0);
    let budget = after_reads(&mut throttle, &mut now_nanos, 100, 5 * TARGET_NANOS);
    assert_eq!(budget, TARGET_NANOS / 128);
    assert_eq!(throttle.batch_blocks(now_nanos), 2);
}

#[test]
fn reads_that_are_slow_without_destaging_are_not_blamed_on_it() {
    let (mut throttle, mut now_nanos) = (Throttle::new(Some(TARGET_NANOS)), 0);
    for _ in 0..20 {
        let reading = throttle.begin_read(now_nanos);
        now_nanos += 5 * TARGET_NANOS;
        throttle.end_read(now_nanos, reading);
    }
    let budget = after_reads(&mut throttle, &mut now_nanos, 50, 5 * TARGET_NANOS);
    assert_eq!((budget, throttle.status().late_reads), (TARGET_NANOS / 2, 0));
}

#[test]
fn without_a_target_nothing_is_held_back() {
    let mut throttle = Throttle::new(None);
    let _reading = throttle.begin_read(0);
    assert_eq!(admitted(&mut throttle, 0), 32);
    end_all(&mut throttle, 32, 1);
    assert_eq!((admitted(&mut throttle, 1), throttle.batch_blocks(1)), (32, 2048));
}

#[test]
fn a_zeroing_that_waits_makes_batches_short_and_reads_wait_no_longer() {
    let mut throttle = Throttle::new(Some(TARGET_NANOS));
    throttle.begin_waiting_for_disk();
    assert_eq!(throttle.batch_blocks(0), 32);
    let reading = throttle.begin_read(0);
    // The first turn of any throttle; were a write waiting for room, it would have 32.
    assert_eq!((admitted(&mut throttle, 1), throttle.batch_blocks(1)), (8, 32));
    end_all(&mut throttle, 8, 2);
    throttle.end_read(2, reading);
    throttle.end_waiting_for_disk();
    assert_eq!(throttle.batch_blocks(1000 * MILLISECOND_NANOS), 2048);
}
