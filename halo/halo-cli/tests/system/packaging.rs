//! The files that are packaged for systemd.

use crate::harness::skipped;
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
