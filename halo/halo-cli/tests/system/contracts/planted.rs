//! A suite that never fails proves nothing: each known mistake of a server must break the contract beside it.

use super::{dying, failures, refused, scenarios as one};
use halo_planted::Mistake;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::Instant;

/// Servers at once. Own: most of the time they wait.
const AT_ONCE: usize = 4;

type Contract = fn(Option<Mistake>);

fn broken_contract(mistake: Mistake) -> Contract {
    match mistake {
        Mistake::WriteFuaIgnored | Mistake::ZeroFuaIgnored | Mistake::TrimFuaIgnored => {
            one::a_change_with_fua_is_durable_when_it_returns
        }
        Mistake::StrictWriteNotDurable | Mistake::StrictZeroNotDurable => {
            one::in_mode_strict_every_change_is_durable_when_it_returns
        }
        Mistake::FlushOfOwnWrites => one::a_flush_covers_what_other_connections_wrote,
        Mistake::FlushJoinsRunningCommit => one::a_flush_during_another_covers_what_returned_between_them,
        Mistake::ZeroedDiskNotFlushed | Mistake::FlushSkippedWhenClean => {
            one::a_flush_covers_what_was_zeroed_on_the_disk_itself
        }
        Mistake::LastFlushSkipped => one::a_server_that_is_asked_to_end_loses_nothing,
        Mistake::WriteErrorSwallowed | Mistake::FlushErrorSwallowed => one::what_a_client_is_refused_it_is_told,
        Mistake::TrimRoundedOutwards | Mistake::ZeroAsTrim | Mistake::DiskOverCache => one::ranges_are_kept_to_the_byte,
        Mistake::LabelOffered => one::the_end_of_the_device_is_where_it_says,
        Mistake::DiskErrorSwallowed => one::a_drain_that_the_disk_refuses_loses_nothing,
        Mistake::DiskNotFlushed | Mistake::BarrierNotSent | Mistake::EndOfPieceDropped => {
            one::what_was_drained_is_on_the_disk_and_needs_no_cache
        }
        Mistake::HalfBlockTaken | Mistake::EndOfBatchOverwritten => {
            one::a_batch_that_ends_early_leaves_no_block_half_written
        }
        Mistake::BarrierForgetsLateChanges | Mistake::NothingSentAgain | Mistake::ZeroesNotSentAgain => {
            one::a_flush_of_an_nbd_disk_does_not_forget_what_returned_during_it
        }
        Mistake::BarrierErrorSwallowed | Mistake::RefusedFlushForgotten => {
            one::an_nbd_disk_that_refuses_a_flush_is_not_believed
        }
        Mistake::OtherDiskTaken | Mistake::AnyLabelTaken => failures::another_disk_in_its_place_is_not_used,
        Mistake::ReadErrorSwallowed => failures::a_damaged_block_is_an_error_and_no_data,
        Mistake::MaskedBytesShown | Mistake::LackingDiskShown => {
            failures::what_is_masked_on_the_disk_is_plain_for_clients
        }
        Mistake::MaskedPlacePunched => failures::what_is_zeroed_where_the_disk_is_masked_reads_as_zeros,
        Mistake::WholeLabelCompared => failures::a_disk_whose_label_noted_a_gap_is_reached_again,
        Mistake::TrimsNotSentAgain => dying::what_was_trimmed_stays_so_when_the_disks_server_comes_back,
        Mistake::FailingDiskPressed => refused::a_disk_that_takes_no_blocks_is_left_alone_for_a_second,
        Mistake::FullCacheCalledBroken => refused::a_full_cache_says_that_there_is_no_room,
        Mistake::EmulatedFuaIgnored => refused::a_durable_write_of_the_emulated_disk_takes_as_long_as_its_flush,
        Mistake::ZeroErrorSwallowed => dying::zeroing_that_the_disk_refuses_is_an_error,
        Mistake::SentAgainBackwards => one::what_an_nbd_disk_has_lost_is_made_again_in_its_order,
        Mistake::LastFlushErrorSwallowed => failures::an_end_that_loses_something_says_so,
        Mistake::LateZeroesForgotten => one::a_flush_covers_what_was_zeroed_during_another,
        Mistake::SyncBelievedAgain => failures::after_a_failed_sync_of_the_disk_a_drain_says_that_only_a_restart_helps,
    }
}

/// The contract's complaint about a server with the mistake, or about one without any; nothing if it has none.
fn complaint(contract: Contract, mistake: Option<Mistake>) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(|| contract(mistake))).err()?;
    let text = panic.downcast_ref::<String>().cloned();
    Some(text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default())
}

/// Why the mistake counts as not noticed; nothing if it is noticed.
fn objection(mistake: Mistake, said: Option<&str>) -> Option<String> {
    match said {
        None => Some(format!("{mistake:?}: not noticed")),
        // A machine that is too slow is no proof.
        Some(text) if text.contains("not within") => Some(format!("{mistake:?}: too slow to tell: {text}")),
        // Nor is a contract that complains about every server, as where nbdkit does not start.
        Some(_) => complaint(broken_contract(mistake), None)
            .map(|text| format!("{mistake:?}: the contract also fails without the mistake: {text}")),
    }
}

#[test]
fn every_planted_mistake_breaks_a_contract() {
    std::panic::set_hook(Box::new(|_| ()));
    // Some of them, for whoever works on these: names with commas between them.
    let only = std::env::var("HALO_MISTAKES").ok();
    let is_meant =
        |mistake: &Mistake| only.as_ref().is_none_or(|only| only.split(',').any(|name| name == format!("{mistake:?}")));
    let meant: Vec<_> = Mistake::ALL.iter().copied().filter(is_meant).collect();
    let (next, objections) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        let work = || {
            while let Some(&mistake) = meant.get(next.fetch_add(1, SeqCst)) {
                let since = Instant::now();
                let complaint = complaint(broken_contract(mistake), Some(mistake));
                let said = complaint.as_deref().unwrap_or("not noticed").lines().next().unwrap_or_default();
                let line = format!("{mistake:?} ({:.1} s): {said}\n", since.elapsed().as_secs_f64());
                io::stdout().write_all(line.as_bytes()).unwrap();
                if let Some(objection) = objection(mistake, complaint.as_deref()) {
                    objections.lock().unwrap().push(objection);
                }
            }
        };
        (0..AT_ONCE).for_each(|_| drop(scope.spawn(work)));
    });
    drop(std::panic::take_hook());
    let objections = objections.into_inner().unwrap();
    assert!(objections.is_empty(), "{}", objections.join("\n"));
}
