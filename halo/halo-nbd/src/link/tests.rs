//! What is kept for a server that comes back, and when another connection may be used, with a server that is held where it matters.

use super::{Change, Connection, LONGEST_PAUSE, Outage, PATIENCE};
use crate::unflushed::writes;
use crate::{Address, NbdMedium, run};
use halo_media::Medium;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread::scope;
use std::time::Duration;
use volatile::{DISK_BYTES, Server};

#[allow(dead_code, reason = "the other tests use the rest of it")]
#[path = "../../tests/volatile/mod.rs"]
mod volatile;

fn bench() -> (tempfile::TempDir, Server, NbdMedium) {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("disk");
    let server = Server::start(&socket);
    let disk = NbdMedium::connect(&Address::unix(&socket)).unwrap();
    disk.remember_identity(DISK_BYTES - 512, 512, |one, other| one == other, |_| ()).unwrap();
    (folder, server, disk)
}

#[test]
fn a_stream_without_flushes_is_flushed_before_too_much_is_kept() {
    let (_folder, server, disk) = bench();
    // All but the bytes that tell the disk: 64 of them are less than 64 MiB, and 65 more.
    let bytes = vec![7; DISK_BYTES as usize - 512];
    (0..64).for_each(|_| disk.write_at(0, &bytes).unwrap());
    assert_eq!(server.flushes(), 0);
    disk.write_at(0, &bytes).unwrap();
    assert_eq!(server.flushes(), 1);
}

#[test]
fn a_write_that_returned_just_before_another_thread_reconnected_is_made_again() {
    let (_folder, server, disk) = bench();
    let is_over = AtomicBool::new(false);
    let changes = || {
        // Between the reply and the moment in which the change is kept.
        if !is_over.swap(true, SeqCst) {
            server.lose_power();
            disk.read_at(1024, &mut [0; 512]).unwrap();
        }
        vec![Change::Write { offset_bytes: 0, bytes: vec![1; 512] }]
    };
    let command = |connection: &Connection| run(connection, writes(0, &[1; 512])).map(|()| true);
    disk.link.change(512, changes, command).unwrap();
    disk.barrier().unwrap();
    assert_eq!((server.durable(0), disk.reconnections()), (1, 1), "acknowledged, flushed, and lost");
}

/// The old server would carry out the command late, and replace what the new one was told meanwhile.
#[test]
fn no_connection_is_left_while_a_command_is_under_way_on_it() {
    let (_folder, server, disk) = bench();
    server.hold_next_write();
    scope(|scope| {
        scope.spawn(|| disk.write_at(0, &[1; 512]).unwrap());
        server.wait_for_held_write();
        server.script(&[false]);
        assert!(disk.barrier().is_err());
        scope.spawn(|| disk.reconnect_if_due());
        // Time to get as far as waiting for the write: a machine that is slower sees less, and complains of nothing.
        let is_left = server.is_reached(2, Duration::from_millis(300));
        server.let_write_go();
        assert!(!is_left, "another connection is there, and the write not over");
    });
    disk.barrier().unwrap();
    assert_eq!((server.durable(0), disk.reconnections()), (1, 1));
}

/// One that comes back while requests wait for it costs none of them, whenever that is.
#[test]
fn a_server_is_tried_often_while_requests_wait_for_it_and_seldom_after_that() {
    let mut outage = Outage::new(&std::io::Error::other("gone"));
    let since = outage.since;
    let mut pauses = Vec::new();
    while outage.next_attempt < since + 20 * PATIENCE {
        outage.attempt_failed(outage.next_attempt);
        pauses.push((outage.next_attempt - since, outage.pause));
    }
    let longest = |is_waited_for: bool| {
        let meant = pauses.iter().filter(|(at, _)| (*at < PATIENCE) == is_waited_for);
        meant.map(|(_, pause)| *pause).max().unwrap()
    };
    assert!(longest(true) <= PATIENCE / 10, "{pauses:?}");
    assert_eq!(longest(false), LONGEST_PAUSE, "{pauses:?}");
    let before_the_end = pauses.iter().rfind(|(at, _)| *at <= PATIENCE).unwrap().0;
    assert!(before_the_end > PATIENCE * 9 / 10, "{pauses:?}");
}

/// A suite that never fails proves nothing: each lapse must fail its test, in a process of its own.
#[cfg(feature = "planted-bugs")]
#[test]
fn every_planted_lapse_is_noticed() {
    use halo_planted::{Lapse, VARIABLE};
    use std::process::Command;

    for &lapse in Lapse::ALL {
        let test = match lapse {
            Lapse::KeptWithoutEnd => "a_stream_without_flushes_is_flushed_before_too_much_is_kept",
            Lapse::LeftConnectionBelieved => {
                "a_write_that_returned_just_before_another_thread_reconnected_is_made_again"
            }
            Lapse::LeftWithCommands => "no_connection_is_left_while_a_command_is_under_way_on_it",
        };
        let passes = |made: &str| {
            let mut command = Command::new(std::env::current_exe().unwrap());
            let output =
                command.args(["--exact", &format!("link::tests::{test}")]).env(VARIABLE, made).output().unwrap();
            let said = String::from_utf8(output.stdout).unwrap();
            assert!(said.contains("running 1 test\n"), "{said}");
            output.status.success()
        };
        assert!(passes("none") && !passes(&format!("{lapse:?}")), "{lapse:?} is not noticed by {test}");
    }
}
