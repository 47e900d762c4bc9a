//! What a server is told, as `key=value`.

use crate::media::CacheName;
use halo_cache::Mode;
use std::ffi::CStr;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// What to serve, and how.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Parameters {
    /// The fast medium.
    pub cache: CacheName,
    /// The disk: a path or an NBD address.
    pub disk: String,
    /// When a write is acknowledged; nothing: [`Mode::Flush`].
    pub mode: Option<Mode>,
    /// What destaging tries to keep the 99th percentile of reads of the disk below, in milliseconds; nothing: 40.
    pub p99_millis: Option<u64>,
    /// Opens a cache with damaged items and drops them.
    pub accept_damaged_items: bool,
    /// Also keeps blocks that were read twice.
    pub clean_blocks: bool,
    /// Unix socket for status and drain.
    pub control: Option<PathBuf>,
    /// Address for metrics.
    pub metrics: Option<SocketAddr>,
}

/// The parameters, a line each.
pub const KEYS: &CStr =
    c"cache=NAME             (required) file or block device of the cache; pmem:PATH on persistent memory (DAX)
disk=NAME              (required) file, block device or NBD address of the disk
mode=NAME              flush: durable after a flush (default); strict: once acknowledged; ordered: as flush, and the
                       disk stays consistent even if the cache device is lost
p99-millis=N           destaging yields so that the 99th percentile of reads of the disk stays at this (default: 40)
accept-damaged=on|off  drop damaged items when opening: acknowledged writes may be lost (default: off)
clean-blocks=on|off    also keep blocks that were read twice, in a part of the cache that grows and shrinks with what it
                       saves; pays where most requests are reads that come again (default: off)
control=PATH           Unix socket for status and drain
metrics=ADDRESS:PORT   loopback address for metrics";

impl Parameters {
    /// Takes a parameter.
    ///
    /// # Errors
    /// One line that names the bad value.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match (key, value) {
            ("cache", name) => self.cache = name.parse()?,
            ("disk", name) => self.disk = name.into(),
            ("mode", name) => self.mode = Some(mode_named(name)?),
            ("p99-millis", number) => {
                let millis = number.parse().ok().filter(|&millis| millis > 0);
                self.p99_millis =
                    Some(millis.ok_or_else(|| format!("p99-millis={number}: use a number of 1 or more"))?);
            }
            ("accept-damaged", "on" | "off") => self.accept_damaged_items = value == "on",
            ("clean-blocks", "on" | "off") => self.clean_blocks = value == "on",
            ("accept-damaged" | "clean-blocks", _) => return Err(format!("{key}={value}: use on or off")),
            ("control", path) => self.control = Some(path.into()),
            ("metrics", address) => {
                self.metrics = Some(loopback(address).map_err(|reason| format!("metrics={address}: {reason}"))?);
            }
            _ => return Err(format!("unknown parameter '{key}'")),
        }
        Ok(())
    }

    /// The same as `key=value`, for [`Parameters::set`].
    pub fn to_arguments(&self) -> Vec<String> {
        let mut arguments = vec![format!("cache={}", self.cache), format!("disk={}", self.disk)];
        arguments.extend(self.mode.map(|mode| format!("mode={}", mode_name(mode))));
        arguments.extend(self.p99_millis.map(|millis| format!("p99-millis={millis}")));
        if self.accept_damaged_items {
            arguments.push("accept-damaged=on".into());
        }
        if self.clean_blocks {
            arguments.push("clean-blocks=on".into());
        }
        arguments.extend(self.control.as_ref().map(|path| format!("control={}", path.display())));
        arguments.extend(self.metrics.map(|address| format!("metrics={address}")));
        arguments
    }

    /// Own: twice the 99th percentile of an idle disk of 7200 rpm, which is about 20 milliseconds.
    pub(crate) fn p99_target(&self) -> Duration {
        Duration::from_millis(self.p99_millis.unwrap_or(40))
    }

    /// Refuses to go on without a cache and a disk.
    ///
    /// # Errors
    /// One line.
    pub fn check(&self) -> Result<(), String> {
        match (self.cache.path.as_os_str().is_empty(), self.disk.is_empty()) {
            (true, _) => Err("cache=NAME is missing".into()),
            (_, true) => Err("disk=NAME is missing".into()),
            _ => Ok(()),
        }
    }
}

const MODES: [(&str, Mode); 3] = [("flush", Mode::Flush), ("strict", Mode::Strict), ("ordered", Mode::Ordered)];

fn mode_named(name: &str) -> Result<Mode, String> {
    let found = MODES.iter().find(|(known, _)| *known == name);
    found
        .map(|&(_, mode)| mode)
        .ok_or_else(|| format!("mode={name}: use {}", MODES.map(|(known, _)| known).join(" or ")))
}

/// What a mode is called.
pub fn mode_name(mode: Mode) -> &'static str {
    MODES.iter().find(|(_, known)| *known == mode).map_or("unknown", |(name, _)| name)
}

/// Reads an address for metrics, which are for this machine: nothing protects them from others.
///
/// # Errors
/// What to use instead.
pub fn loopback(text: &str) -> Result<SocketAddr, String> {
    match text.parse::<SocketAddr>() {
        Ok(address) if address.ip().is_loopback() => Ok(address),
        Ok(_) => Err("use a loopback address such as 127.0.0.1:9464".into()),
        Err(_) => Err("not an address such as 127.0.0.1:9464".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_as_they_are_written() {
        let mut given = Parameters { cache: "pmem:/c".parse().unwrap(), disk: "/d".into(), ..Parameters::default() };
        let variants = [None, Some(Mode::Strict), Some(Mode::Flush)];
        for mode in variants {
            given.mode = mode;
            given.p99_millis = mode.map(|_| 25);
            given.control = mode.map(|_| "/s".into());
            given.metrics = mode.map(|_| SocketAddr::from(([127, 0, 0, 1], 9464)));
            given.accept_damaged_items = mode.is_some();
            given.clean_blocks = mode == Some(Mode::Flush);
            let mut read = Parameters::default();
            for argument in given.to_arguments() {
                let (key, value) = argument.split_once('=').unwrap();
                read.set(key, value).unwrap();
            }
            assert_eq!(read, given);
        }
    }

    #[test]
    fn a_bad_value_is_named() {
        let mut parameters = Parameters::default();
        let bad = [
            ("mode", "quick"),
            ("metrics", "0.0.0.0:1"),
            ("metrics", "9464"),
            ("accept-damaged", "yes"),
            ("clean-blocks", "1"),
            ("p99-millis", "0"),
        ];
        for (key, value) in bad {
            let error = parameters.set(key, value).unwrap_err();
            assert!(error.starts_with(&format!("{key}={value}: ")), "{error}");
        }
        assert_eq!(parameters.set("modes", "x").unwrap_err(), "unknown parameter 'modes'");
        assert_eq!(parameters.check().unwrap_err(), "cache=NAME is missing");
    }
}
