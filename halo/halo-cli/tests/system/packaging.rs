//! The files that are packaged for systemd and udev.

use crate::harness::{Process, skipped, wait_for};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

#[test]
fn systemd_finds_nothing_wrong_with_the_units() {
    let units = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/systemd");
    let mut command = Command::new("systemd-analyze");
    command.args(["verify", "--man=no"]).args(["halo@.service", "halo-nbd@.service"].map(|unit| units.join(unit)));
    let Ok(output) = command.output() else {
        skipped("no systemd-analyze");
        return;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains("halo"), "{said}");
}

/// A server that is killed for want of memory takes its device with it, and a disk behind a network is there once the network is.
#[test]
fn the_unit_keeps_the_server_from_being_killed_for_memory_and_waits_for_the_network() {
    let unit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/systemd/halo@.service");
    let unit = fs::read_to_string(unit).unwrap();
    let has = |wanted: &str| unit.lines().any(|line| line == wanted);
    assert!(has("OOMScoreAdjust=-1000"), "{unit}");
    let words_of = |key: &str| {
        let lines = unit.lines().filter_map(|line| line.strip_prefix(key));
        lines.flat_map(str::split_whitespace).map(str::to_owned).collect::<Vec<_>>()
    };
    for key in ["Wants=", "After="] {
        assert!(words_of(key).iter().any(|word| word == "network-online.target"), "{key}: {unit}");
    }
}

/// An opening may have to drain the cache first, for minutes: a change to mode ordered. The wait for the socket lasts as long as the server
/// does, and no longer.
#[test]
fn a_start_waits_for_as_long_as_the_server_lives() {
    let unit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/systemd/halo@.service");
    let unit = fs::read_to_string(unit).unwrap();
    let script = unit.lines().find_map(|line| line.strip_prefix("ExecStartPost=/bin/sh -c '")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    // As systemd does.
    let script =
        script.strip_suffix('\'').unwrap().replace("$$", "$").replace("/run/halo/%i/socket", socket.to_str().unwrap());
    let sleeps = folder.path().join("sleeps");
    // Time that passes at once, and is counted.
    let sleep = folder.path().join("sleep");
    fs::write(&sleep, format!("#!/bin/sh\nprintf . >> {}\n", sleeps.display())).unwrap();
    fs::set_permissions(&sleep, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let mut server = Process::spawn(Command::new("sleep").arg("1000"));
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &script]).env("PATH", &path).env("MAINPID", server.id().to_string());
    let mut wait = command.spawn().unwrap();
    wait_for("more than a minute of the unit's time", || {
        let slept = fs::metadata(&sleeps).map_or(0, |found| found.len());
        let ended = wait.try_wait().unwrap();
        assert!(ended.is_none(), "the start gave up after {slept} tenths of a second: {ended:?}");
        (slept > 700).then_some(())
    });
    let _listener = UnixListener::bind(&socket).unwrap();
    assert!(wait_for("the end of the wait", || wait.try_wait().unwrap()).success());
    fs::remove_file(&socket).unwrap();
    server.kill();
    assert!(!command.status().unwrap().success(), "a server that ended counts as started");
    assert!(unit.lines().any(|line| line == "TimeoutStartSec=infinity"), "systemd gives up by itself");
}

/// udev reads rules of all folders in the order of their names: before 60-persistent-storage.rules no rule knows a serial, and what is set
/// after 99-systemd.rules is too late.
#[test]
fn the_rule_for_udev_comes_when_the_serial_is_known_and_says_only_what_udev_understands() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/udev");
    let mut count = 0;
    for file in fs::read_dir(rules).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(("60-persistent-storage.rules".."99-systemd.rules").contains(&name), "{name} comes at the wrong time");
        let text = fs::read_to_string(&path).unwrap();
        for rule in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            for token in rule.split(", ") {
                let at = token.find(['=', '!', '+']).unwrap_or_else(|| panic!("{name}: no operator in {token}"));
                let (key, rest) = token.split_at(at);
                let (operator, value) = rest.split_at(rest.find('"').unwrap_or_else(|| panic!("{name}: {token}")));
                let is_key = matches!(key, "ACTION" | "SUBSYSTEM") || key.starts_with("ENV{") && key.ends_with('}');
                let is_quoted = value.len() > 2 && value.ends_with('"') && value.matches('"').count() == 2;
                assert!(is_key && ["==", "!=", "=", "+="].contains(&operator) && is_quoted, "{name}: {token}");
                count += 1;
            }
        }
    }
    assert!(count > 0, "no rule was found");
}

/// Asks udev what it makes of a block device with a serial number: `sh -c SCRIPT - RULES SERIAL`. In a mount namespace of its own, so that
/// neither this machine's udev nor its devices notice.
const ASK_UDEV: &str = r#"set -e
mount --make-rprivate /
node=$(basename "$(ls -d /sys/class/block/* | head -1)")
mount -t tmpfs tmpfs /run
cp -a "/dev/$node" /run/
mount -t tmpfs tmpfs /dev
cp -a "/run/$node" /dev/
mknod -m 666 /dev/null c 1 3
mkdir -p /run/udev/rules.d
cp "$1"/*.rules /run/udev/rules.d/
echo "ENV{ID_SERIAL}=\"$2\"" >/run/udev/rules.d/60-serial.rules
exec udevadm test --action=change "/sys/class/block/$node" 2>&1"#;

#[test]
fn udev_leaves_the_disk_alone_and_starts_the_server_for_no_other() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/udev");
    let udevadm = |arguments: &[&str]| Command::new("udevadm").args(arguments).output();
    let Ok(version) = udevadm(&["--version"]) else { return skipped("no udevadm (Debian: apt-get install udev)") };
    if !rustix::process::geteuid().is_root() {
        return skipped("only root may ask udev in a mount namespace");
    }
    let ask = |serial: &str| {
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-c", ASK_UDEV, "-"]).arg(&rules).arg(serial);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        said.into_owned()
    };
    let wanted = ["UDISKS_IGNORE=1", "SYSTEMD_WANTS=halo@NAME.service"];
    for (serial, is_ours) in [("SERIAL-OF-THE-DISK", true), ("SERIAL-OF-ANOTHER", false)] {
        let said = ask(serial);
        let has = wanted.map(|line| said.lines().any(|found| found == line));
        assert_eq!(has, [is_ours; 2], "{serial}: {said}");
        // udev names the file and the line that it objects to.
        assert!(!said.contains("90-halo.rules:"), "{said}");
    }
    // Newer ones have a check of their own.
    let version: u32 = String::from_utf8_lossy(&version.stdout).trim().parse().unwrap_or(0);
    if version >= 254 {
        let file = fs::read_dir(&rules).unwrap().next().unwrap().unwrap().path();
        let output = udevadm(&["verify", &file.display().to_string()]).unwrap();
        assert!(output.status.success(), "{output:?}");
    }
}
