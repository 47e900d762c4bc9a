//! A flush covers all that returned before it, whatever other flushes came to.
#![allow(missing_docs, clippy::unwrap_used)]

#[allow(dead_code, reason = "the tests of the link use the rest of it")]
mod volatile;

use halo_media::Medium;
use halo_nbd::{Address, NbdMedium};
use std::path::Path;
use std::thread::scope;
use volatile::{DISK_BYTES, Server};

struct Bench {
    _folder: tempfile::TempDir,
    server: Server,
    disk: NbdMedium,
}

fn bench(remembers: bool) -> Bench {
    bench_of(Server::start, remembers)
}

fn bench_of(start: impl Fn(&Path) -> Server, remembers: bool) -> Bench {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("disk");
    let server = start(&socket);
    let disk = NbdMedium::connect(&Address::unix(&socket)).unwrap();
    if remembers {
        disk.remember_identity(DISK_BYTES - 512, 512, |one, other| one == other, |_| ()).unwrap();
    }
    Bench { _folder: folder, server, disk }
}

#[test]
fn a_flush_after_one_that_was_refused_covers_what_the_server_lost_with_it() {
    let Bench { server, disk, .. } = &bench(true);
    disk.write_at(0, &[1; 512]).unwrap();
    server.script(&[false, false]);
    assert!(disk.barrier().is_err() && disk.barrier().is_err());
    assert_eq!(server.durable(0), 0);
    disk.barrier().unwrap();
    assert_eq!(server.durable(0), 1, "what the refused flush lost was forgotten");
    assert_eq!(disk.reconnections(), 2);
}

/// The old connection has ended before a new one is asked for.
#[test]
fn a_server_of_one_connection_is_reached_anew_after_a_refused_flush() {
    let Bench { server, disk, .. } = &bench_of(Server::of_one_connection, true);
    disk.write_at(0, &[1; 512]).unwrap();
    server.script(&[false]);
    assert!(disk.barrier().is_err());
    disk.barrier().unwrap();
    assert_eq!((server.durable(0), disk.reconnections()), (1, 1));
}

#[test]
fn a_flush_beside_one_that_is_refused_does_not_succeed_with_what_that_one_lost() {
    let Bench { server, disk, .. } = &bench(true);
    disk.write_at(0, &[1; 512]).unwrap();
    server.script(&[false]);
    server.hold(true);
    scope(|scope| {
        let refused = scope.spawn(|| disk.barrier());
        server.wait_for_flush(1);
        // Returns while the first is under way, on whichever connection.
        let other = scope.spawn(|| disk.barrier());
        server.hold(false);
        assert!(refused.join().unwrap().is_err());
        other.join().unwrap().unwrap();
    });
    assert_eq!(server.durable(0), 1, "acknowledged, and lost");
}

/// A server that ends in order is away as one that was killed is, whatever it is asked for meanwhile.
#[test]
fn a_server_that_says_it_is_shutting_down_is_reached_anew_and_no_request_sees_an_error() {
    let Bench { server, disk, .. } = &bench(true);
    disk.write_at(0, &[1; 512]).unwrap();
    server.shut_down();
    let mut read = [0; 512];
    disk.read_at(0, &mut read).unwrap();
    assert_eq!((read, server.durable(0)), ([1; 512], 0), "taken, not flushed, and sent again");
    server.shut_down();
    disk.write_at(512, &[2; 512]).unwrap();
    server.shut_down();
    disk.barrier().unwrap();
    assert_eq!([0, 512].map(|at| server.durable(at)), [1, 2]);
    let (mut one, mut other) = ([0; 512], [0; 512]);
    server.shut_down();
    let mut pieces =
        [(0, &mut one), (512, &mut other)].map(|(offset_bytes, buffer)| halo_media::ReadPiece { offset_bytes, buffer });
    disk.read_pieces(&mut pieces).unwrap();
    assert_eq!((one, other, disk.reconnections()), ([1; 512], [2; 512], 4));
}

/// Nobody would know whether it is the same disk.
#[test]
fn a_server_that_is_shutting_down_is_an_error_where_nothing_tells_the_disk() {
    let Bench { server, disk, .. } = &bench(false);
    server.shut_down();
    assert!(disk.read_at(0, &mut [0; 512]).is_err());
    assert_eq!(disk.reconnections(), 0);
}

#[test]
fn what_is_read_after_a_refused_flush_is_what_was_written() {
    let Bench { server, disk, .. } = &bench(true);
    disk.write_at(512, &[2; 512]).unwrap();
    server.script(&[false]);
    assert!(disk.barrier().is_err());
    let mut read = [0; 512];
    disk.read_at(512, &mut read).unwrap();
    assert_eq!(read, [2; 512]);
}

#[test]
fn a_disk_that_cannot_be_reached_anew_succeeds_with_no_flush_after_a_refused_one() {
    let Bench { server, disk, .. } = &bench(false);
    disk.write_at(0, &[1; 512]).unwrap();
    server.script(&[false]);
    assert!(disk.barrier().is_err());
    let error = disk.barrier().unwrap_err().to_string();
    assert!(error.contains("refused a flush before"), "{error}");
}

#[test]
fn only_what_no_flush_covers_is_sent_again() {
    let Bench { server, disk, .. } = &bench(true);
    disk.write_at(0, &[1; 512]).unwrap();
    disk.barrier().unwrap();
    disk.write_at(512, &[2; 512]).unwrap();
    disk.write_at(1024, &[3; 512]).unwrap();
    let before = server.writes();
    server.lose_power();
    disk.barrier().unwrap();
    assert_eq!(server.writes() - before, 2);
    assert_eq!([0, 512, 1024].map(|at| server.durable(at)), [1, 2, 3]);
}

#[test]
fn writers_and_flushes_side_by_side_lose_nothing_over_refusals_power_losses_and_ends() {
    const WRITERS: usize = 4;
    let Bench { server, disk, .. } = &bench(true);
    scope(|scope| {
        for writer in 0..WRITERS {
            scope.spawn(move || {
                for round in 1..=60_u8 {
                    let at = writer * 4096;
                    disk.write_at(at as u64, &[round; 512]).unwrap();
                    // One that is refused says nothing; the next one must cover all the same.
                    while disk.barrier().is_err() {}
                    assert!(server.durable(at) == round, "writer {writer}, round {round}");
                    if writer == 0 {
                        server.script(&[true, round % 3 == 0, false]);
                        match round % 16 {
                            0 => server.lose_power(),
                            8 => server.shut_down(),
                            _ => {}
                        }
                    }
                }
            });
        }
    });
}

#[test]
fn scattered_reads_arrive_in_their_places() {
    let Bench { disk, .. } = &bench(false);
    let sectors = DISK_BYTES / 512;
    (0..sectors).for_each(|sector| disk.write_at(sector * 512, &[(sector * 7) as u8; 512]).unwrap());
    let mut buffer = vec![0; 300 * 512];
    let places = |number: usize| number as u64 * 1237 % sectors;
    let mut pieces: Vec<_> = buffer
        .chunks_mut(512)
        .enumerate()
        .map(|(number, buffer)| halo_media::ReadPiece { offset_bytes: places(number) * 512, buffer })
        .collect();
    disk.read_pieces(&mut pieces).unwrap();
    let right = |(number, bytes): (usize, &[u8])| bytes.iter().all(|&byte| byte == (places(number) * 7) as u8);
    assert!(buffer.chunks(512).enumerate().all(right));
    assert!(disk.read_pieces(&mut [halo_media::ReadPiece { offset_bytes: 0, buffer: &mut [] }]).is_ok());
}
