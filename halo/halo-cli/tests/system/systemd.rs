//! The units of packaging under a real systemd: the first process of namespaces of its own, on a root that keeps nothing.

use crate::devices::run;
use crate::harness::{Bench, Process, content, programs, skipped, version_of, wait_for};
use halo_media::Medium;
use halo_nbd::{Address, NbdMedium};
use std::fs;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A mount unit that waits for the server. It needs no device, and takes the place of a mount on the server's device.
const FSTAB: &str = "tmpfs /mnt tmpfs _netdev,x-systemd.requires=halo@data.service 0 0";

/// A machine of namespaces, which ends with the test.
struct Booted {
    /// Ends all of it, as its first process goes with it.
    unshare: Process,
    first: u32,
}

impl Booted {
    /// None where this machine cannot have one.
    fn boot(bench: &Bench) -> Option<Self> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        if let Some(why) = hindrance() {
            skipped(&why);
            return None;
        }
        fs::create_dir(bench.path("root")).unwrap();
        let mut command = Command::new("unshare");
        command.args(["--mount", "--pid", "--fork", "--ipc", "--uts", "--cgroup", "--net", "--kill-child"]);
        command.arg(here.join("tests/fixtures/boot-systemd")).arg(bench.path("")).arg(programs());
        let log = fs::File::create(bench.path("boot.log")).unwrap();
        command.arg(here.join("../../packaging/systemd")).arg(FSTAB).stderr(log).stdout(Stdio::null());
        let mut unshare = Process::spawn(&mut command);
        let children = format!("/proc/{0}/task/{0}/children", unshare.id());
        let first = wait_for("a first process", || fs::read_to_string(&children).ok()?.trim().parse().ok());
        wait_for("systemd", || {
            let said = fs::read_to_string(bench.path("boot.log")).unwrap();
            assert!(unshare.is_running(), "{said}");
            let name = fs::read_to_string(format!("/proc/{first}/comm")).unwrap_or_default();
            // The script before it, or systemd that does not answer yet.
            let state = inside(first, "systemctl is-system-running").1;
            (name == "systemd\n" && ["running", "degraded"].contains(&state.as_str())).then_some(())
        });
        Some(Self { unshare, first })
    }

    /// Whether a command line of this machine succeeds, and what it says.
    fn run(&self, line: &str) -> (bool, String) {
        inside(self.first, line)
    }

    fn property(&self, unit: &str, name: &str) -> String {
        self.run(&format!("systemctl show --property {name} --value {unit}")).1
    }

    fn path(&self, path: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/root{path}", self.first))
    }

    fn client(&self) -> NbdMedium {
        NbdMedium::connect(&Address::unix(self.path("/run/halo/data/socket"))).unwrap()
    }
}

fn inside(first: u32, line: &str) -> (bool, String) {
    let mut command = Command::new("nsenter");
    command.args(["--target", &first.to_string(), "--all", "--root", "--wd", "/bin/sh", "-c", line]);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status.success(), said.trim().to_owned())
}

/// Why no systemd can be booted here; none if one can.
fn hindrance() -> Option<String> {
    if fs::metadata("/proc/self").unwrap().uid() != 0 {
        return Some("only root makes namespaces with a systemd".to_owned());
    }
    let missing = ["/lib/systemd/systemd", "/usr/bin/unshare", "/usr/bin/nsenter"];
    if let Some(missing) = missing.iter().find(|program| !Path::new(program).exists()) {
        return Some(format!("no {missing}"));
    }
    let mut tried = Command::new("unshare");
    tried.args(["--mount", "--cgroup", "/bin/sh", "-c"]);
    tried.arg("mount --make-rprivate / && mount -t cgroup -o none,name=systemd cgroup /mnt");
    let output = tried.output().unwrap();
    (!output.status.success())
        .then(|| format!("no systemd's group: {}", String::from_utf8_lossy(&output.stderr).trim()))
}

#[test]
fn a_killed_server_is_started_anew_below_what_is_mounted_and_stops_after_it() {
    let bench = Bench::bound("8M", 64 << 20);
    let Some(mut machine) = Booted::boot(&bench) else { return };
    assert_eq!(machine.property("mnt.mount halo@data", "ActiveState"), "active\n\nactive", "{}", bench.log());
    let client = machine.client();
    client.write_at(4096, &content(7)).unwrap();
    client.barrier().unwrap();
    let server = machine.property("halo@data", "MainPID");
    assert!(machine.run(&format!("kill -9 {server}")).0);
    let again = wait_for("another server", || {
        Some(machine.property("halo@data", "NRestarts")).filter(|count| count == "1")?;
        (machine.property("halo@data", "ActiveState") == "active").then(|| machine.client())
    });
    assert_eq!(version_of(&again, 1), 7);
    assert_eq!(machine.property("mnt.mount", "ActiveState"), "active");
    drop((client, again));

    fs::write(bench.path("log"), "").unwrap();
    assert!(machine.run("systemctl poweroff").0);
    wait_for("the machine's end", || (!machine.unshare.is_running()).then_some(()));
    let log = bench.log();
    assert!(log.contains("not mounted at the stop"), "{log}");
    let _server = bench.serve(&[]);
    assert_eq!(version_of(&bench.client(), 1), 7);
}

#[test]
fn a_server_that_may_not_start_is_left_alone_after_a_few_tries() {
    let bench = Bench::bound("8M", 64 << 20);
    let mut server = bench.serve(&[]);
    bench.client().write_at(0, &content(8)).unwrap();
    server.terminate();
    let disk = fs::File::options().write(true).open(bench.path("disk")).unwrap();
    disk.write_all_at(&content(9), 0).unwrap();
    let Some(machine) = Booted::boot(&bench) else { return };
    wait_for("the last try", || (machine.property("halo@data", "ActiveState") == "failed").then_some(()));
    let log = bench.log();
    let tries = log.matches("which was written without its cache").count();
    assert!(tries == 5, "{tries} tries: {log}");
    // The mount that needs the server is not there, either. A server without a configuration does not start.
    assert_eq!(machine.property("mnt.mount", "ActiveState"), "inactive");
    let (started, said) = machine.run("systemctl start halo@other");
    assert!(!started && said.contains("halo@other"), "{said}");
}

/// Stands for nbd-client where the kernel has no nbd: it returns once the device is there. With -persist, versions from 3.27 on stay.
const NBD_CLIENT: &str = r#"#!/bin/sh
echo "nbd-client $*" >>/srv/halo/log
case "$*" in
  "-d /dev/nbd0") exit 0 ;;
  *-persist*) exec sleep 1000 ;;
  *) [ -S /run/halo/data/socket ] && echo nbd0 is there >>/srv/halo/log ;;
esac
"#;

/// A device whose server has gone gives errors, and does so to whatever is mounted, until both are made anew.
#[test]
fn the_device_of_the_kernel_is_made_anew_with_the_server_and_goes_before_one_that_is_stopped() {
    let bench = Bench::bound("8M", 64 << 20);
    let Some(machine) = Booted::boot(&bench) else { return };
    let client = machine.path("/usr/local/sbin/nbd-client");
    fs::write(bench.path("nbd-client"), NBD_CLIENT).unwrap();
    // By a process of its own: one that another test is just starting would have what we write open, and what is open for that cannot be run.
    run("install", &["--mode", "755", bench.path("nbd-client").to_str().unwrap(), client.to_str().unwrap()]);
    let (started, said) = machine.run("timeout 60 systemctl start halo-nbd@data");
    assert!(started, "{said}");
    assert!(machine.run(&format!("kill -9 {}", machine.property("halo@data", "MainPID"))).0);
    let log = wait_for("another device", || Some(bench.log()).filter(|log| log.matches("nbd0 is there").count() == 2));
    let order = ["nbd0 is there", "nbd-client -d /dev/nbd0", "nbd-client -unix /run/halo/data/socket /dev/nbd0"];
    let last =
        order.iter().fold(0, |from, what| from + log[from..].find(what).unwrap_or_else(|| panic!("{what}: {log}")));
    assert!(log[last..].contains("nbd0 is there"), "{log}");
    wait_for("its unit", || (machine.property("halo-nbd@data", "ActiveState") == "active").then_some(()));
    assert_eq!(machine.property("mnt.mount", "ActiveState"), "active");

    fs::write(bench.path("log"), "").unwrap();
    assert!(machine.run("systemctl stop halo@data").0);
    assert_eq!(machine.property("halo-nbd@data halo@data", "ActiveState"), "inactive\n\ninactive");
    let log = bench.log();
    let at = |what: &str| log.find(what).unwrap_or_else(|| panic!("no {what}: {log}"));
    assert!(at("nbd-client -d /dev/nbd0") < at("mounted at the stop"), "{log}");
}
