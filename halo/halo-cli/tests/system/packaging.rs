//! The files that are packaged for systemd and udev.

use crate::harness::skipped;
use std::fs;
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
