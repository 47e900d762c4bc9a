//! `halo doctor`.

use crate::arguments::Doctor;
use crate::nodes::{Driver, Maker};
use crate::outcome::{Failure, Outcome, print};
use crate::serve::plugin;
use serde_json::json;
use std::path::Path;
use std::process::{Command, Stdio};

pub(crate) fn run(options: &Doctor) -> Outcome {
    let (nbdkit, plugin, nbdfuse) = (version("nbdkit"), plugin(None).ok(), version("nbdfuse"));
    let there = |path: &str| Path::new(path).exists();
    let (nbd, ublk) = (Driver::nbd(), Driver::ublk());
    let (nbd_client, nbdublk) = (Maker::nbd_client(nbd), Maker::nbdublk(ublk));
    let [fuse, looped] = ["/dev/fuse", "/dev/loop-control"].map(there);
    if options.json {
        let report = json!({
            "nbdkit": nbdkit, "plugin": plugin, "kernel_nbd": nbd.is_there(), "nbd_client": nbd_client.is_there(),
            "kernel_ublk": ublk.is_there(), "nbdublk": nbdublk.is_there(), "fuse": fuse, "nbdfuse": nbdfuse,
            "loop": looped,
        });
        print(&format!("{report}\n"))?;
    } else {
        let yes = |is_there| if is_there { "yes" } else { "no" };
        print(&format!(
            "nbdkit      {}\nplugin      {}\nkernel nbd  {}\nnbd-client  {}\nkernel ublk {}\nnbdublk     {}\nfuse        {}\nnbdfuse     {}\nloop        {}\n",
            nbdkit.as_deref().unwrap_or("missing: install nbdkit (Debian: apt-get install nbdkit)"),
            plugin.as_ref().map_or("missing: make halo".into(), |path| path.display().to_string()),
            nbd.shown(),
            nbd_client.shown(),
            ublk.shown(),
            nbdublk.shown(),
            yes(fuse),
            nbdfuse.as_deref().unwrap_or("missing (Debian: apt-get install libnbd-bin)"),
            yes(looped),
        ))?;
    }
    match (nbdkit, plugin) {
        (Some(_), Some(_)) => Ok(()),
        _ => Err(Failure::state("a cache cannot be served on this machine yet")),
    }
}

fn version(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").stderr(Stdio::null()).output().ok()?;
    String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
}
