//! `halo doctor`.

use crate::outcome::{Failure, Outcome, print};
use crate::serve::plugin;
use std::path::Path;
use std::process::{Command, Stdio};

pub(crate) fn run() -> Outcome {
    let nbdkit = version("nbdkit");
    let plugin = plugin(None).ok();
    let node = |path: &str| if Path::new(path).exists() { "yes" } else { "no" };
    print(&format!(
        "nbdkit      {}\nplugin      {}\nkernel nbd  {}\nkernel ublk {}\nfuse        {}\nnbdfuse     {}\nloop        {}\n",
        nbdkit.as_deref().unwrap_or("missing: install nbdkit (Debian: apt-get install nbdkit)"),
        plugin.as_ref().map_or("missing: make halo".into(), |path| path.display().to_string()),
        if Path::new("/sys/module/nbd").exists() { "yes" } else { node("/dev/nbd0") },
        node("/dev/ublk-control"),
        node("/dev/fuse"),
        version("nbdfuse").as_deref().unwrap_or("missing (Debian: apt-get install libnbd-bin)"),
        node("/dev/loop-control"),
    ))?;
    match (nbdkit, plugin) {
        (Some(_), Some(_)) => Ok(()),
        _ => Err(Failure::state("a cache cannot be served on this machine yet")),
    }
}

fn version(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").stderr(Stdio::null()).output().ok()?;
    String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
}
