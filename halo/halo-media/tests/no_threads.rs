//! A process that the system gives no thread. In a program of its own, since whoever starts a process holds copies of its open files, and their
//! locks, for a moment: a test beside it that opens a file again would find that in use.
#![allow(missing_docs, clippy::unwrap_used)]

use halo_media::with_others;
use std::env;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread::Builder;

/// As in a container with a limit of processes. A stack that no machine has room for is refused like a thread too many.
#[test]
fn calls_are_made_where_the_system_gives_no_thread() {
    const NO_ROOM_FOR_A_STACK: (&str, &str) = ("RUST_MIN_STACK", "1125899906842624");
    if env::var(NO_ROOM_FOR_A_STACK.0).as_deref() != Ok(NO_ROOM_FOR_A_STACK.1) {
        let mut here = Command::new(env::current_exe().unwrap());
        here.args(["--exact", "calls_are_made_where_the_system_gives_no_thread", "--test-threads=1"]);
        let output = here.env(NO_ROOM_FOR_A_STACK.0, NO_ROOM_FOR_A_STACK.1).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{output:?}");
        return;
    }
    assert!(Builder::new().spawn(|| ()).is_err());
    let (next, made) = (AtomicUsize::new(0), AtomicUsize::new(0));
    with_others(15, || {
        while next.fetch_add(1, SeqCst) < 1000 {
            made.fetch_add(1, SeqCst);
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(made.into_inner(), 1000);
}
