//! The promises to an NBD client, over power losses: the real plugin in the real nbdkit, with unsynced writes undone in both of its files.

mod client;
mod dying;
mod failures;
mod history;
mod power;
mod refused;
mod scenarios;
mod storms;

#[cfg(feature = "planted-bugs")]
mod planted;

/// One test per contract; with planted mistakes, `planted` runs them.
macro_rules! contracts {
    ($($module:ident :: $name:ident,)+) => {
        $(#[test]
        #[cfg_attr(feature = "planted-bugs", ignore = "run with mistakes instead")]
        fn $name() {
            $module::$name(None);
        })+
    };
}

contracts! {
    scenarios::a_change_with_fua_is_durable_when_it_returns,
    scenarios::in_mode_strict_every_change_is_durable_when_it_returns,
    scenarios::a_flush_covers_what_other_connections_wrote,
    scenarios::a_flush_during_another_covers_what_returned_between_them,
    scenarios::a_flush_covers_what_was_zeroed_on_the_disk_itself,
    scenarios::a_flush_covers_what_was_zeroed_during_another,
    scenarios::a_server_that_is_asked_to_end_loses_nothing,
    scenarios::what_a_client_is_refused_it_is_told,
    scenarios::ranges_are_kept_to_the_byte,
    scenarios::the_end_of_the_device_is_where_it_says,
    scenarios::a_drain_that_the_disk_refuses_loses_nothing,
    scenarios::what_was_drained_is_on_the_disk_and_needs_no_cache,
    scenarios::a_batch_that_ends_early_leaves_no_block_half_written,
    scenarios::a_flush_of_an_nbd_disk_does_not_forget_what_returned_during_it,
    scenarios::what_an_nbd_disk_has_lost_is_made_again_in_its_order,
    scenarios::an_nbd_disk_that_refuses_a_flush_is_not_believed,
    failures::another_disk_in_its_place_is_not_used,
    failures::a_damaged_block_is_an_error_and_no_data,
    failures::what_is_masked_on_the_disk_is_plain_for_clients,
    failures::what_is_zeroed_where_the_disk_is_masked_reads_as_zeros,
    failures::a_disk_whose_label_noted_a_gap_is_reached_again,
    failures::after_a_failed_sync_of_the_disk_a_drain_says_that_only_a_restart_helps,
    failures::when_both_devices_fail_at_once_a_drain_says_so_and_nothing_durable_is_lost,
    failures::a_cache_device_that_dies_during_a_drain_leaves_the_disk_as_its_mode_says,
    failures::an_end_that_loses_something_says_so,
    refused::a_disk_that_takes_no_blocks_is_left_alone_for_a_second,
    refused::a_full_cache_says_that_there_is_no_room,
    refused::a_durable_write_of_the_emulated_disk_takes_as_long_as_its_flush,
    storms::histories_over_power_losses,
    storms::histories_past_the_cache,
    storms::histories_past_the_page_cache,
    storms::histories_in_mode_strict,
    storms::histories_in_mode_ordered,
    storms::histories_with_an_nbd_disk,
    dying::histories_over_a_disk_that_dies,
    dying::zeroing_that_the_disk_refuses_is_an_error,
    dying::what_was_trimmed_stays_so_when_the_disks_server_comes_back,
}
