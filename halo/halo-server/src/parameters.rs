//! The parameters of a server, as `key=value`.

use crate::media::{CacheName, DirectIo};
use crate::session::session;
use halo_cache::{Mode, Settings};
use halo_core::Period;
use std::ffi::CStr;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// The disk to serve, and how.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Parameters {
    /// The fast medium.
    pub cache: CacheName,
    /// The disk: a path or an NBD address.
    pub disk: String,
    /// Those of both that go past the page cache.
    pub direct_io: DirectIo,
    /// When a write is acknowledged; nothing: [`Mode::Flush`].
    pub mode: Option<Mode>,
    /// Destaging tries to keep the 99th percentile of reads of the disk below this, in milliseconds; nothing: 40.
    pub p99_millis: Option<u64>,
    /// Without a write for so long, everything is destaged if the disk has time; nothing: 5 s.
    pub idle_after: Option<Period>,
    /// Blocks are destaged before they have been dirty for so long; nothing: 10 minutes.
    pub max_dirty_age: Option<Period>,
    /// The disk's label says at most so often what the disk lacks; nothing: every minute.
    pub note_every: Option<Period>,
    /// Percent of the cache from which an idle disk is used; nothing: 80.
    pub low_watermark: Option<u8>,
    /// Percent of the cache from which destaging does not wait for an idle disk; nothing: 95.
    pub high_watermark: Option<u8>,
    /// Opens a cache with damaged items and drops them.
    pub accept_damaged_items: bool,
    /// Also keeps blocks that were read twice.
    pub clean_blocks: bool,
    /// Writes of sequential streams of at least so many bytes go to the disk directly; nothing: none do.
    pub bypass_sequential_bytes: Option<u64>,
    /// Unix socket for status and drain.
    pub control: Option<PathBuf>,
    /// Address for metrics.
    pub metrics: Option<SocketAddr>,
}

/// The parameters, a line each.
pub const KEYS: &CStr =
    c"cache=NAME             (required) file or block device of the cache; pmem:PATH on persistent memory (DAX)
disk=NAME              (required) file, block device or NBD address of the disk
direct-io=DEVICES      past the page cache (O_DIRECT): cache, disk or both, if they are files or block devices (default: off)
mode=NAME              flush: durable after a flush (default); strict: once acknowledged; ordered: as flush, and the
                       disk stays consistent even if the cache device is lost
p99-millis=N           destaging yields so that the 99th percentile of reads of the disk stays at this (default: 40)
idle-after=TIME        without a write for so long, everything goes to the disk if it has time; or off (default: 5s)
max-dirty-age=TIME     blocks go to the disk before they have been dirty for so long; or off (default: 10m)
note-every=TIME        the disk's label says what the disk lacks at most so often, for the day on which the cache is lost; or off
                       (default: 1m)
low-watermark=N        percent of the cache from which blocks go to an idle disk (default: 80)
high-watermark=N       percent of the cache from which blocks go to the disk even if it is busy (default: 95)
accept-damaged=on|off  drop damaged items when opening: acknowledged writes may be lost (default: off)
clean-blocks=on|off    also keep blocks that were read twice, in a part of the cache that grows and shrinks with what it
                       saves; pays where most requests are reads that come again (default: off)
bypass-sequential=N    writes of sequential streams that are at least so many bytes long go to the disk directly, where that
                       is safe (default: none do)
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
            ("direct-io", devices) => {
                self.direct_io = devices.parse().map_err(|reason| format!("direct-io={devices}: {reason}"))?;
            }
            ("mode", name) => self.mode = Some(mode_named(name)?),
            ("p99-millis", number) => {
                let millis = number.parse().ok().filter(|&millis| millis > 0);
                self.p99_millis =
                    Some(millis.ok_or_else(|| format!("p99-millis={number}: use a number of 1 or more"))?);
            }
            ("idle-after", text) => self.idle_after = Some(period(key, text)?),
            ("max-dirty-age", text) => self.max_dirty_age = Some(period(key, text)?),
            ("note-every", text) => self.note_every = Some(period(key, text)?),
            ("low-watermark", number) => self.low_watermark = Some(percent(key, number)?),
            ("high-watermark", number) => self.high_watermark = Some(percent(key, number)?),
            ("accept-damaged", "on" | "off") => self.accept_damaged_items = value == "on",
            ("clean-blocks", "on" | "off") => self.clean_blocks = value == "on",
            ("accept-damaged" | "clean-blocks", _) => return Err(format!("{key}={value}: use on or off")),
            ("bypass-sequential", number) => {
                let bytes = number.parse().ok().filter(|&bytes| bytes > 0);
                self.bypass_sequential_bytes =
                    Some(bytes.ok_or_else(|| format!("bypass-sequential={number}: use a number of bytes, 1 or more"))?);
            }
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
        if self.direct_io != DirectIo::Off {
            arguments.push(format!("direct-io={}", self.direct_io));
        }
        arguments.extend(self.mode.map(|mode| format!("mode={}", mode_name(mode))));
        arguments.extend(self.p99_millis.map(|millis| format!("p99-millis={millis}")));
        arguments.extend(self.idle_after.map(|period| format!("idle-after={period}")));
        arguments.extend(self.max_dirty_age.map(|period| format!("max-dirty-age={period}")));
        arguments.extend(self.note_every.map(|period| format!("note-every={period}")));
        arguments.extend(self.low_watermark.map(|percent| format!("low-watermark={percent}")));
        arguments.extend(self.high_watermark.map(|percent| format!("high-watermark={percent}")));
        if self.accept_damaged_items {
            arguments.push("accept-damaged=on".into());
        }
        if self.clean_blocks {
            arguments.push("clean-blocks=on".into());
        }
        arguments.extend(self.bypass_sequential_bytes.map(|bytes| format!("bypass-sequential={bytes}")));
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
            _ => self.check_watermarks(),
        }
    }

    /// Refuses marks in the wrong order.
    ///
    /// # Errors
    /// One line.
    pub fn check_watermarks(&self) -> Result<(), String> {
        let (low, high) = (self.low_watermark.unwrap_or(80), self.high_watermark.unwrap_or(95));
        if low <= high {
            return Ok(());
        }
        Err(format!("low-watermark={low}: above the high watermark, {high}: lower it, or raise the other"))
    }

    /// How the cache is to work.
    pub(crate) fn settings(&self) -> Settings {
        let settings = session(self.mode.unwrap_or(Mode::Flush), &self.cache);
        let share = |percent: u8| f64::from(percent) / 100.0;
        Settings {
            accept_damaged_items: self.accept_damaged_items,
            clean_blocks: self.clean_blocks,
            bypass_sequential: self.bypass_sequential_bytes,
            idle_after: self.idle_after.map_or(settings.idle_after, |period| period.0),
            max_dirty_age: self.max_dirty_age.map_or(settings.max_dirty_age, |period| period.0),
            note_every: self.note_every.map_or(settings.note_every, |period| period.0),
            background_utilisation: self.low_watermark.map(share),
            on_demand_utilisation: self.high_watermark.map(share),
            ..settings
        }
    }
}

fn period(key: &str, text: &str) -> Result<Period, String> {
    text.parse().map_err(|reason| format!("{key}={text}: {reason}"))
}

fn percent(key: &str, number: &str) -> Result<u8, String> {
    let percent = number.parse().ok().filter(|percent| (1..=100).contains(percent));
    percent.ok_or_else(|| format!("{key}={number}: use a percentage from 1 to 100"))
}

const MODES: [(&str, Mode); 3] = [("flush", Mode::Flush), ("strict", Mode::Strict), ("ordered", Mode::Ordered)];

fn mode_named(name: &str) -> Result<Mode, String> {
    let found = MODES.iter().find(|(known, _)| *known == name);
    found
        .map(|&(_, mode)| mode)
        .ok_or_else(|| format!("mode={name}: use {}", MODES.map(|(known, _)| known).join(" or ")))
}

/// The name of a mode.
pub fn mode_name(mode: Mode) -> &'static str {
    MODES.iter().find(|(_, known)| *known == mode).map_or("unknown", |(name, _)| name)
}

/// Reads an address for metrics, which are for this machine: nothing protects them from others.
///
/// # Errors
/// The advice what to use instead.
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
            given.idle_after = mode.map(|_| Period(None));
            given.max_dirty_age = mode.map(|_| Period(Some(Duration::from_secs(90))));
            given.note_every = mode.map(|_| Period(Some(Duration::from_secs(30))));
            (given.low_watermark, given.high_watermark) = (mode.map(|_| 1), mode.map(|_| 100));
            given.direct_io = mode.map_or(DirectIo::Off, |_| DirectIo::Disk);
            given.clean_blocks = mode == Some(Mode::Flush);
            given.bypass_sequential_bytes = mode.map(|_| 8 << 20);
            let mut read = Parameters::default();
            for argument in given.to_arguments() {
                let (key, value) = argument.split_once('=').unwrap();
                read.set(key, value).unwrap();
            }
            assert_eq!(read, given);
        }
    }

    #[test]
    fn a_cache_works_as_the_parameters_say() {
        let mut parameters = Parameters::default();
        let given = [
            ("mode", "ordered"),
            ("idle-after", "7s"),
            ("max-dirty-age", "off"),
            ("note-every", "9s"),
            ("low-watermark", "10"),
            ("high-watermark", "20"),
            ("accept-damaged", "on"),
            ("clean-blocks", "on"),
            ("bypass-sequential", "4096"),
            ("p99-millis", "25"),
        ];
        for (key, value) in given {
            parameters.set(key, value).unwrap();
        }
        let Settings { mode, idle_after, max_dirty_age, note_every, .. } = parameters.settings();
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!((mode, idle_after, max_dirty_age, note_every), (Mode::Ordered, seconds(7), None, seconds(9)));
        let settings = parameters.settings();
        assert_eq!((settings.background_utilisation, settings.on_demand_utilisation), (Some(0.1), Some(0.2)));
        assert!(settings.accept_damaged_items && settings.clean_blocks);
        assert_eq!((settings.bypass_sequential, parameters.p99_target()), (Some(4096), Duration::from_millis(25)));
        let defaults = Parameters::default().settings();
        assert_eq!((defaults.background_utilisation, defaults.on_demand_utilisation), (None, None));
        assert_eq!((defaults.mode, defaults.note_every), (Mode::Flush, seconds(60)));
    }

    #[test]
    fn a_bad_value_is_named() {
        let mut parameters = Parameters::default();
        let bad = [
            ("mode", "quick"),
            ("direct-io", "on"),
            ("metrics", "0.0.0.0:1"),
            ("metrics", "9464"),
            ("accept-damaged", "yes"),
            ("clean-blocks", "1"),
            ("bypass-sequential", "0"),
            ("bypass-sequential", "8M"),
            ("p99-millis", "0"),
            ("idle-after", "5"),
            ("max-dirty-age", "0s"),
            ("note-every", "never"),
            ("low-watermark", "0"),
            ("high-watermark", "101"),
        ];
        for (key, value) in bad {
            let error = parameters.set(key, value).unwrap_err();
            assert!(error.starts_with(&format!("{key}={value}: ")), "{error}");
        }
        assert_eq!(parameters.set("modes", "x").unwrap_err(), "unknown parameter 'modes'");
        assert_eq!(parameters.check().unwrap_err(), "cache=NAME is missing");
        let mixed_up = Parameters { low_watermark: Some(96), ..parameters };
        assert!(mixed_up.check_watermarks().unwrap_err().starts_with("low-watermark=96: above the high watermark, 95"));
    }
}
