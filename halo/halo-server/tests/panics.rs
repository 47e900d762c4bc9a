//! A panic on any thread of a plugin ends nbdkit, after the message.
#![allow(missing_docs, clippy::unwrap_used)]

use std::env;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// No machine that works takes this long.
const BOUND: Duration = Duration::from_secs(60);

#[test]
fn a_panic_on_a_thread_of_its_own_ends_the_server() {
    // Cargo builds examples beside the folder of the tests.
    let plugin = env::current_exe().unwrap().ancestors().nth(2).unwrap().join("examples/libpanics.so");
    let folder = tempfile::tempdir().unwrap();
    let mut server = Command::new("nbdkit")
        .args(["--foreground", "--unix"])
        .arg(folder.path().join("socket"))
        .arg(&plugin)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let since = Instant::now();
    while server.try_wait().unwrap().is_none() && since.elapsed() < BOUND {
        sleep(Duration::from_millis(5));
    }
    let goes_on = server.try_wait().unwrap().is_none();
    if goes_on {
        server.kill().unwrap();
    }
    let output = server.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!goes_on, "it goes on: {text}");
    assert_eq!(output.status.signal(), Some(libc::SIGABRT), "{text}");
    assert!(text.contains("a planted mistake") && text.contains("start it anew"), "{text}");
}
