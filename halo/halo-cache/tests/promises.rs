//! Every promise of the cache, each as one test; and the test of these tests.
#![allow(missing_docs, clippy::expect_used, clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod suite;

use halo_cache::Planted;

/// One test per scenario.
macro_rules! scenarios {
    ($($module:ident :: $name:ident,)+) => {
        $(#[test]
        fn $name() {
            if let Err(broken) = suite::$module::$name(Planted::NONE) {
                panic!("{broken}");
            }
        })+
    };
}

scenarios! {
    faults::misaligned_requests_are_refused,
    faults::neighbouring_blocks_reach_the_disk_in_one_piece,
    faults::a_clean_cache_detaches_at_once,
    faults::a_block_that_is_written_again_takes_no_more_slots,
    faults::a_batch_that_ended_early_keeps_the_rest,
    age::a_block_is_as_old_as_what_the_disk_lacks_of_it,
    age::in_order_the_oldest_copy_counts,
    age::an_idle_disk_takes_everything,
    age::a_sweep_takes_all_that_is_older_than_half,
    age::a_search_for_old_blocks_rests_when_it_finds_none,
    age::what_was_given_up_has_no_age,
    age::beside_a_block_that_rotted_an_idle_disk_takes_the_others,
    age::in_order_a_copy_that_rotted_is_no_reason_to_write_young_ones,
    clean::a_clean_copy_is_gone_once_its_block_is_written,
    clean::a_clean_copy_is_gone_once_its_block_is_zeroed,
    clean::what_changed_while_a_copy_was_written_is_not_kept,
    clean::what_changed_during_a_read_is_not_kept,
    clean::a_zeroing_in_the_cache_leaves_one_of_the_disk_alone,
    clean::what_is_read_during_a_write_past_the_cache_is_not_kept,
    clean::writes_take_the_slots_of_clean_copies,
    clean::a_damaged_clean_copy_is_read_from_the_disk,
    clean::parts_of_blocks_and_long_reads_are_not_kept,
    clean::recovery_finds_no_clean_copies,
    bypass::only_long_runs_of_long_streams_pass,
    bypass::a_clean_copy_is_gone_once_the_disk_was_written,
    bypass::in_strict_what_the_disk_took_is_durable,
    bypass::in_order_only_an_empty_cache_is_passed,
    bypass::nothing_passes_while_the_disk_is_zeroed,
    bypass::what_the_disk_refuses_is_in_the_cache,
    bypass::a_flush_that_failed_for_a_destage_fails_for_the_client_too,
    flushes::a_flush_that_answers_for_another_ends_when_no_item_can_undo_it,
    bypass::what_a_zeroing_that_failed_has_zeroed_stays_zeros_after_a_flush,
    faults::blocks_that_the_disk_refuses_stay_dirty_and_readable,
    faults::a_failed_flush_of_the_disk_keeps_the_blocks,
    faults::a_full_cache_refuses_writes_only_while_the_disk_does,
    faults::after_a_failed_commit_nothing_is_acknowledged_until_reopened,
    identities::a_cache_works_only_with_its_own_disk,
    identities::an_older_copy_is_refused,
    identities::creation_takes_only_what_is_free,
    identities::a_device_in_the_other_role_is_not_taken,
    identities::creation_survives_a_crash_at_every_event,
    identities::a_detached_disk_has_everything_and_is_free,
    identities::detaching_survives_a_crash_at_every_event,
    growth::larger_devices_are_used_and_smaller_ones_refused,
    growth::a_label_of_an_earlier_growth_is_not_taken_for_the_present_one,
    growth::growth_survives_a_crash_at_every_event,
    corruption::the_offline_check_finds_what_is_damaged_and_writes_nothing,
    records::a_damaged_copy_is_reported_and_restored,
    records::an_older_copy_is_told_apart_and_written_anew,
    records::a_label_of_which_nothing_is_left_is_made_anew_when_asked,
    records::pairs_of_version_1_are_refused_and_their_free_disks_taken,
    records::a_disk_says_who_used_it,
    records::a_release_is_whole_or_repeated_and_touches_no_data,
    records::a_lost_cache_that_comes_back_harms_nothing,
    records::a_cache_whose_disk_is_lost_is_released_and_takes_another,
    notes::a_note_says_what_the_disk_lacks_and_before_when_it_lacks_nothing,
    notes::a_power_loss_at_any_event_of_a_note_leaves_a_label,
    notes::a_note_that_fails_stops_nothing_and_hides_no_lost_write,
    corruption::records_without_a_whole_copy_are_refused,
    corruption::damaged_data_is_reported_and_never_returned,
    corruption::sectors_beside_damaged_ones_are_read_from_the_disk,
    corruption::damaged_items_are_dropped_only_when_that_is_accepted,
    corruption::no_damaged_metadata_byte_changes_what_is_read,
    corruption::recovery_reads_all_items_of_a_cache_of_many,
    unreadable::a_block_that_cannot_be_read_does_not_stop_the_others,
    unreadable::a_write_that_cannot_keep_the_rest_of_its_block_keeps_no_slot,
    unreadable::a_medium_that_reads_nothing_gives_no_block_up,
    unreadable::the_offline_check_names_what_cannot_be_read,
    unreadable::items_that_cannot_be_read_are_not_taken_for_none,
    unreadable::after_a_gap_the_disk_is_not_said_to_be_in_order,
    unreadable::after_a_gap_a_label_that_is_made_anew_does_not_say_that_the_disk_is_in_order,
    unreadable::after_an_item_was_dropped_the_disk_is_not_said_to_be_in_order,
    unreadable::the_label_is_durable_before_what_lies_behind_a_gap,
    order::the_disk_alone_is_in_order_at_every_event,
    order::long_histories_leave_the_disk_in_order,
    order::a_cache_without_order_is_emptied_first,
    order::damaged_copies_do_not_stop_the_others,
    order::a_flush_that_the_disk_refuses_leaves_it_in_order,
    histories::recovery_survives_its_own_crash,
    histories::long_histories_survive_kills_and_power_losses,
    histories::short_histories_survive_power_loss_at_every_event,
    clean::histories_with_clean_copies_survive_power_loss_at_every_event,
    bypass::histories_past_the_cache_survive_power_loss_at_every_event,
}

/// The promise that a mistake breaks, of several the one that takes the least time to tell.
#[cfg(feature = "planted-bugs")]
fn broken_promise(bug: halo_cache::Bug) -> Option<fn(Planted) -> suite::machine::Verdict> {
    use halo_cache::Bug::*;
    let promise: fn(Planted) -> suite::machine::Verdict = match bug {
        NoDiskFlush => suite::faults::neighbouring_blocks_reach_the_disk_in_one_piece,
        ForgetSuperseded | UnstagedNotFreed => suite::faults::a_block_that_is_written_again_takes_no_more_slots,
        NoBarrierAfterItems | FlushWithoutCommit | EndedBatchDropsTheRest => {
            suite::faults::a_batch_that_ended_early_keeps_the_rest
        }
        OverwriteInPlace | DropRewrittenWhileDestaging | AgeOfLastWrite | AgeNotRenewed | CommitKeepsUntaken => {
            suite::age::a_block_is_as_old_as_what_the_disk_lacks_of_it
        }
        OrderedDropsOldCopies
        | OrderedMergesEpochs
        | OrderedNewestFirst
        | OrderedRoundsShareBlocks
        | ExhaustedForGood => suite::age::in_order_the_oldest_copy_counts,
        ClearBeforeDiskWrite | NoChecksumWhenDestaging => suite::age::what_was_given_up_has_no_age,
        DestageWholeBlocks | CleanSurvivesWrite => suite::clean::a_clean_copy_is_gone_once_its_block_is_written,
        ZeroingDropsCopies | DestageSkipsZeros | CleanSurvivesTrim => {
            suite::clean::a_clean_copy_is_gone_once_its_block_is_zeroed
        }
        CleanKeptAfterWrite | CleanKeptWhileZeroing => suite::clean::what_changed_during_a_read_is_not_kept,
        CleanKeptWhileWritten => suite::clean::what_is_read_during_a_write_past_the_cache_is_not_kept,
        ZeroingEndsAnother => suite::clean::a_zeroing_in_the_cache_leaves_one_of_the_disk_alone,
        ReuseWhileReading | CleanBeforeDirty => suite::clean::writes_take_the_slots_of_clean_copies,
        CleanNotVerified => suite::clean::a_damaged_clean_copy_is_read_from_the_disk,
        CleanKeepsParts => suite::clean::parts_of_blocks_and_long_reads_are_not_kept,
        BypassPassesDirty => suite::bypass::only_long_runs_of_long_streams_pass,
        BypassKeepsClean => suite::bypass::a_clean_copy_is_gone_once_the_disk_was_written,
        ZeroedDiskNotFlushed | BypassNotFlushed | BypassStrictNotFlushed | NoBarrierAfterRecords => {
            suite::bypass::in_strict_what_the_disk_took_is_durable
        }
        BypassOutOfOrder => suite::bypass::in_order_only_an_empty_cache_is_passed,
        BypassErrorSwallowed => suite::bypass::what_the_disk_refuses_is_in_the_cache,
        BypassForgetsFailedFlush => suite::bypass::a_flush_that_failed_for_a_destage_fails_for_the_client_too,
        FailedZeroingNotFlushed => suite::bypass::what_a_zeroing_that_failed_has_zeroed_stays_zeros_after_a_flush,
        IgnoreDiskFlushError => suite::faults::a_failed_flush_of_the_disk_keeps_the_blocks,
        AnyDisk => suite::identities::a_cache_works_only_with_its_own_disk,
        RecoveryWithoutBarrier | AnyCopy | LabelWrittenUnsaid => suite::identities::an_older_copy_is_refused,
        DetachWithoutDrain | DetachOneCopy => suite::identities::a_detached_disk_has_everything_and_is_free,
        RecoveryIgnoresMask => suite::identities::detaching_survives_a_crash_at_every_event,
        OldestCopyWins | GrowWithoutDrain | GrowKeepsOldBytes => {
            suite::growth::larger_devices_are_used_and_smaller_ones_refused
        }
        RecoveryKeepsSuperseded | SequenceStartsAnew | GrowLabelsLast => {
            suite::growth::growth_survives_a_crash_at_every_event
        }
        RepairCacheOnly => suite::records::a_damaged_copy_is_reported_and_restored,
        LabelOfAnySize => suite::records::a_label_of_which_nothing_is_left_is_made_anew_when_asked,
        ReleaseForgetsTheLost | ReleaseOneCopy => suite::records::a_release_is_whole_or_repeated_and_touches_no_data,
        NoteForgetsTheRecovered => suite::notes::a_note_says_what_the_disk_lacks_and_before_when_it_lacks_nothing,
        FailedNoteDoubtsNothing => suite::notes::a_note_that_fails_stops_nothing_and_hides_no_lost_write,
        PartialWriteForgetsSectors | NoDataChecksum => suite::corruption::damaged_data_is_reported_and_never_returned,
        NoItemChecksum | DropDamagedItems => suite::corruption::damaged_items_are_dropped_only_when_that_is_accepted,
        RecoveryStopsEarly => suite::corruption::recovery_reads_all_items_of_a_cache_of_many,
        UnreadableItemsAreNone => suite::unreadable::items_that_cannot_be_read_are_not_taken_for_none,
        DeadMediumGivenUp => suite::unreadable::a_medium_that_reads_nothing_gives_no_block_up,
        OrderedAfterDamage | OrderedGapForgotten | GapInOneCopy => {
            suite::unreadable::after_a_gap_the_disk_is_not_said_to_be_in_order
        }
        LostGapForgotten => {
            suite::unreadable::after_a_gap_a_label_that_is_made_anew_does_not_say_that_the_disk_is_in_order
        }
        OrderedSkipsEpoch => suite::unreadable::the_label_is_durable_before_what_lies_behind_a_gap,
        NoBarrierBeforeItems | LargeFlushCutShort | OrderedRoundsNotFlushed | OrderedBeforeClearing => {
            suite::order::the_disk_alone_is_in_order_at_every_event
        }
        ReuseBeforeClear | RecoveryIgnoresZeros | FillKeepsZeros => {
            suite::order::long_histories_leave_the_disk_in_order
        }
        OrderedWithoutDrain => suite::order::a_cache_without_order_is_emptied_first,
        ReuseWhileDestaging | ZeroedBlocksComeBack | ParkedForgotten => {
            suite::histories::long_histories_survive_kills_and_power_losses
        }
        ClearOldAndNewTogether => suite::histories::short_histories_survive_power_loss_at_every_event,
        _ => return None,
    };
    Some(promise)
}

/// A suite that never fails proves nothing: each known mistake must break a promise.
#[cfg(feature = "planted-bugs")]
#[test]
fn every_planted_bug_breaks_a_promise() {
    use halo_cache::Bug;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    let mut survivors = Vec::new();
    // One of them, for whoever works on it.
    let only = std::env::var("HALO_BUG").ok();
    for bug in Bug::ALL.into_iter().filter(|bug| only.as_ref().is_none_or(|only| format!("{bug:?}") == *only)) {
        // A broken cache may also run into one of its own assertions.
        let start = std::time::Instant::now();
        let broken = broken_promise(bug).and_then(|promise| {
            let verdict = catch_unwind(AssertUnwindSafe(|| promise(Planted::only(bug))));
            verdict.unwrap_or_else(|_| Err("an assertion of the cache failed".into())).err()
        });
        match broken {
            Some(broken) => {
                let seconds = start.elapsed().as_secs_f64();
                println!("{bug:?} ({seconds:.1} s): {}", broken.chars().take(160).collect::<String>());
            }
            None => survivors.push(bug),
        }
    }
    assert!(survivors.is_empty(), "no promise broken, or none named above: {survivors:?}");
}
