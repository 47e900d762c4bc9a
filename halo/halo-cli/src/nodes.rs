//! The ways to a /dev node on this machine.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// Whether the kernel has a driver, and whether it is loaded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Driver {
    Loaded,
    /// The kernel has it as a module, which modprobe loads.
    Module,
    None,
}

impl Driver {
    pub(crate) fn nbd() -> Self {
        Self::of("nbd", &["/sys/module/nbd", "/dev/nbd0"])
    }

    pub(crate) fn ublk() -> Self {
        Self::of("ublk_drv", &["/dev/ublk-control"])
    }

    fn of(module: &str, loaded: &[&str]) -> Self {
        if loaded.iter().any(|path| Path::new(path).exists()) {
            return Self::Loaded;
        }
        let release = read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        let modules = read_to_string(format!("/lib/modules/{}/modules.dep", release.trim())).unwrap_or_default();
        if lists(&modules, module) { Self::Module } else { Self::None }
    }

    pub(crate) fn is_there(self) -> bool {
        self != Self::None
    }

    /// For people.
    pub(crate) fn shown(self) -> &'static str {
        match self {
            Self::Loaded => "yes",
            Self::Module => "yes, as a module that modprobe loads",
            Self::None => "no",
        }
    }
}

/// A program that makes a node with a driver.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Maker {
    Found,
    /// The driver is there, and nobody uses it without this.
    Missing {
        advice: &'static str,
    },
    /// Nor would it be of use without its driver.
    NotNeeded,
}

impl Maker {
    pub(crate) fn nbd_client(driver: Driver) -> Self {
        Self::of("nbd-client", driver, "missing (Debian: apt-get install nbd-client)")
    }

    pub(crate) fn nbdublk(driver: Driver) -> Self {
        Self::of("nbdublk", driver, "missing: install libnbd 1.16 or newer with it")
    }

    fn of(program: &str, driver: Driver, advice: &'static str) -> Self {
        match (is_installed(program), driver.is_there()) {
            (true, _) => Self::Found,
            (false, true) => Self::Missing { advice },
            (false, false) => Self::NotNeeded,
        }
    }

    pub(crate) fn is_there(self) -> bool {
        self == Self::Found
    }

    /// For people.
    pub(crate) fn shown(self) -> &'static str {
        match self {
            Self::Found => "yes",
            Self::Missing { advice } => advice,
            Self::NotNeeded => "no",
        }
    }
}

/// Root's programs are found, too: users may not have their folders in `PATH`, and units of systemd do.
fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let roots = ["/usr/local/sbin", "/usr/sbin", "/sbin"].map(PathBuf::from);
    std::env::split_paths(&path).chain(roots).any(|folder| folder.join(program).is_file())
}

/// Whether a `modules.dep` has a line for a module, packed or not.
fn lists(modules: &str, module: &str) -> bool {
    let files = modules.lines().filter_map(|line| line.split_once(':')?.0.rsplit('/').next());
    files.into_iter().any(|file| file.split_once(".ko").is_some_and(|(name, _)| name == module))
}

/// The command for a /dev node of the server behind a socket.
pub(crate) fn command_for_a_node(socket: &Path) -> String {
    let socket = socket.display();
    let uri = format!("nbd+unix:///?socket={socket}");
    let loading =
        |driver, module| if driver == Driver::Module { format!("modprobe {module} && ") } else { String::new() };
    match (Driver::nbd(), Driver::ublk()) {
        (nbd @ (Driver::Loaded | Driver::Module), _) => {
            format!("{}nbd-client -unix {socket} /dev/nbd0", loading(nbd, "nbd"))
        }
        (Driver::None, ublk @ (Driver::Loaded | Driver::Module)) => {
            format!("{}nbdublk /dev/ublkb0 '{uri}'", loading(ublk, "ublk_drv"))
        }
        (Driver::None, Driver::None) => {
            format!(
                "touch disk; nbdfuse disk '{uri}' & losetup --find --show --direct-io=on disk (no nbd in this kernel)"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_a_driver_waits_for_is_told_to_be_missing() {
        let [there, driverless] =
            [Driver::Module, Driver::None].map(|driver| Maker::of("no-such-client", driver, "get it"));
        assert_eq!((there.shown(), there.is_there()), ("get it", false));
        assert_eq!((driverless.shown(), driverless.is_there()), ("no", false));
        assert!(Maker::of("sh", Driver::None, "").is_there());
    }

    #[test]
    fn a_module_is_found_by_its_own_name_packed_or_not() {
        let modules = "kernel/drivers/block/nbd.ko: kernel/lib/other.ko\nkernel/drivers/block/ublk_drv.ko.xz:\n\
                       kernel/net/xnbd.ko:\nkernel/fs/user.ko: kernel/drivers/block/loop.ko\n";
        for (module, is_there) in [("nbd", true), ("ublk_drv", true), ("loop", false), ("bd", false), ("other", false)]
        {
            assert_eq!(lists(modules, module), is_there, "{module}");
        }
    }
}
