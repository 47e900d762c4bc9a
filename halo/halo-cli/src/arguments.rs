//! The command line.

#![allow(clippy::doc_markdown, reason = "these comments are printed as they stand")]

use crate::bytes::parse_bytes;
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use halo_server::{CacheName, DirectIo, Period, loopback};
use std::net::SocketAddr;
use std::path::PathBuf;

/// A crash-safe write cache in front of a slow disk
///
/// CACHE is a file or block device; pmem:PATH maps a file on persistent memory (DAX), and pmem-without-dax:PATH does so with any
/// file, which is slower and for tests.
/// DISK is a file, a block device or an NBD export (nbd+unix:///NAME?socket=PATH, nbd://HOST:PORT/NAME).
/// Exit codes: 0 done, 2 bad input, 3 the state of a device or server, or a missing permission, does not allow it.
#[derive(Parser)]
#[command(name = "halo", version, max_term_width = 110)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Bind a fast file or device to a disk; what is on the disk stays, but for its last 4 KiB
    Create(Create),
    /// Serve a cache with its disk over NBD, in the foreground
    Serve(Serve),
    /// Show the state of a cache, served or not
    Status(Status),
    /// Print a running server's metrics for Prometheus, or write them to a file
    Metrics(Metrics),
    /// Write everything that is cached to the disk
    Drain(Drain),
    /// Drain a cache that is not being served and give the disk free
    Detach(Detach),
    /// Give a disk free whose cache is lost, or a cache whose disk is; what only the lost one held is given up
    Release(Release),
    /// Take a larger cache or disk into use
    Grow(Grow),
    /// Verify every item, every cached block and both copies of superblock and label; changes nothing
    Check(Check),
    /// Restore damaged copies of superblock and label
    Repair(Repair),
    /// Say what this machine has for serving a cache and for making it a /dev node
    Doctor(Doctor),
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// A cache and its disk.
#[derive(Args, Clone)]
pub(crate) struct Devices {
    /// File or block device of the cache; pmem:PATH for a file on persistent memory
    pub(crate) cache: CacheName,
    /// Disk behind it
    pub(crate) disk: String,
}

#[derive(Args)]
pub(crate) struct Create {
    #[command(flatten)]
    pub(crate) devices: Devices,
    /// Make the cache a new file of this size, such as 2G or 512M
    #[arg(long, allow_hyphen_values = true, value_parser = parse_bytes)]
    pub(crate) size: Option<u64>,
    /// Overwrite data that is not HALO's where its records go; a bound cache or disk is never overwritten
    #[arg(long)]
    pub(crate) force: bool,
    /// Check everything and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// Durable after the next flush, as on any disk with a volatile cache
    Flush,
    /// Durable once acknowledged
    Strict,
    /// As flush, and the disk stays consistent even if the cache device is lost; destaging is slower
    Ordered,
}

#[derive(Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) devices: Devices,
    /// Unix socket for clients
    #[arg(long, required_unless_present = "port")]
    pub(crate) socket: Option<PathBuf>,
    /// Port on 127.0.0.1 for clients, instead of a socket: every user of this machine can then read and write the device
    #[arg(long, allow_negative_numbers = true, conflicts_with = "socket", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) port: Option<u16>,
    /// Read and write these past the page cache (O_DIRECT): cache, disk or both, if they are files or block devices
    #[arg(long, default_value = "off", value_name = "DEVICES")]
    pub(crate) direct_io: DirectIo,
    /// When a write is durable
    #[arg(long, value_enum, default_value = "flush")]
    pub(crate) mode: Mode,
    /// Unix socket for status and drain [default: that of the clients with .control behind it]
    #[arg(long)]
    pub(crate) control: Option<PathBuf>,
    /// Loopback address for metrics, such as 127.0.0.1:9464
    #[arg(long, value_parser = loopback)]
    pub(crate) metrics: Option<SocketAddr>,
    /// Destaging yields so that the 99th percentile of reads of the disk stays at this many milliseconds
    #[arg(long, allow_negative_numbers = true, default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) p99_millis: u64,
    /// Write everything to the disk when nothing was written for this long, such as 30s, and the disk has time; or off
    #[arg(long, allow_hyphen_values = true, default_value = "5s", value_name = "TIME")]
    pub(crate) idle_after: Period,
    /// Write blocks to the disk before they have been dirty for this long, such as 90s or 2h; or off
    #[arg(long, allow_hyphen_values = true, default_value = "10m", value_name = "TIME")]
    pub(crate) max_dirty_age: Period,
    /// Note on the disk what it lacks at most this often, such as 5m, for the day on which the cache is lost; or off
    #[arg(long, allow_hyphen_values = true, default_value = "1m", value_name = "TIME")]
    pub(crate) note_every: Period,
    /// Percent of the cache from which blocks go to an idle disk
    #[arg(long, allow_negative_numbers = true, default_value_t = 80, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(crate) low_watermark: u8,
    /// Percent of the cache from which blocks go to the disk even if it is busy
    #[arg(long, allow_negative_numbers = true, default_value_t = 95, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(crate) high_watermark: u8,
    /// Requests that are handled at once: where reads of the disk take all of these, writes wait for them, too
    #[arg(long, allow_negative_numbers = true, default_value_t = 128, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
    /// Also keep blocks that were read twice, in a part of the cache that grows and shrinks with what it saves; pays where most
    /// requests are reads that come again
    #[arg(long)]
    pub(crate) clean_blocks: bool,
    /// Write sequential streams that are at least this long, such as 8M, to the disk directly, past the cache, where that is safe:
    /// the cache is left to other writes, and a flush waits for the disk
    #[arg(long, allow_hyphen_values = true, value_name = "BYTES", value_parser = parse_bytes)]
    pub(crate) bypass_sequential: Option<u64>,
    /// Drop damaged items: acknowledged writes may be lost
    #[arg(long)]
    pub(crate) accept_damaged: bool,
    /// The plugin for nbdkit [default: beside this program]
    #[arg(long, env = "HALO_PLUGIN")]
    pub(crate) plugin: Option<PathBuf>,
    /// Print the command that would be run
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// A server, or devices that none is serving.
#[derive(Args)]
pub(crate) struct Target {
    /// File or block device of a cache that is not being served
    #[arg(requires = "disk", required_unless_present_any = ["socket", "control"])]
    pub(crate) cache: Option<CacheName>,
    /// Disk behind it
    pub(crate) disk: Option<String>,
    /// Socket that a server has for its clients
    #[arg(long, conflicts_with_all = ["cache", "control"])]
    pub(crate) socket: Option<PathBuf>,
    /// Control socket of a server
    #[arg(long, conflicts_with = "cache")]
    pub(crate) control: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct Status {
    #[command(flatten)]
    pub(crate) target: Target,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct Metrics {
    /// Socket that the server has for its clients
    #[arg(long, required_unless_present = "control")]
    pub(crate) socket: Option<PathBuf>,
    /// Control socket of the server
    #[arg(long, conflicts_with = "socket")]
    pub(crate) control: Option<PathBuf>,
    /// Replace this file as a whole, for node_exporter's textfile collector; a device or a pipe is written to
    #[arg(long)]
    pub(crate) textfile: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct Drain {
    #[command(flatten)]
    pub(crate) target: Target,
    /// Drop damaged items and blocks, which the disk then lacks; not for a server, which takes the option when it starts
    #[arg(long, conflicts_with_all = ["socket", "control"])]
    pub(crate) accept_damaged: bool,
    /// Read and write these past the page cache (O_DIRECT): cache, disk or both, if they are files or block devices; not for
    /// a server, which takes the option when it starts
    #[arg(long, default_value = "off", conflicts_with_all = ["socket", "control"], value_name = "DEVICES")]
    pub(crate) direct_io: DirectIo,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
#[command(group = ArgGroup::new("lost").args(["cache_lost", "disk_lost"]).required(true))]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct Release {
    /// The device that is left: the disk behind the lost cache, or the cache in front of the lost disk
    #[arg(value_name = "DEVICE")]
    pub(crate) device: String,
    /// Say that the cache is lost; if it is there, detach it instead
    #[arg(long)]
    pub(crate) cache_lost: bool,
    /// Say that the disk is lost; if it is there, or a whole copy of it, detach the cache instead
    #[arg(long, conflicts_with = "cache")]
    pub(crate) disk_lost: bool,
    /// Say that nothing is left of the disk's label either: whether the disk is masked is told by its content
    #[arg(long, requires = "cache_lost", conflicts_with = "disk_lost")]
    pub(crate) label_lost: bool,
    /// Where the cache was, if the disk does not know or it was moved since
    #[arg(long, value_name = "NAME")]
    pub(crate) cache: Option<CacheName>,
    /// Ask no question
    #[arg(long)]
    pub(crate) yes: bool,
    /// Say what is lost, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct Repair {
    #[command(flatten)]
    pub(crate) devices: Devices,
    /// Make a label of which no copy is left anew: DISK is the disk of this cache, and its last 4 KiB may be overwritten
    #[arg(long)]
    pub(crate) label_lost: bool,
    /// Go on with a disk of which the masked part is not what the cache left there: DISK is damaged, and nobody has written to it
    #[arg(long)]
    pub(crate) accept_outside_writes: bool,
    /// Say what is damaged, and change nothing
    #[arg(long, conflicts_with_all = ["label_lost", "accept_outside_writes"])]
    pub(crate) dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct Detach {
    #[command(flatten)]
    pub(crate) devices: Devices,
    /// Drop damaged items and blocks, which the disk then lacks
    #[arg(long)]
    pub(crate) accept_damaged: bool,
    /// Read and write these past the page cache (O_DIRECT): cache, disk or both, if they are files or block devices
    #[arg(long, default_value = "off", value_name = "DEVICES")]
    pub(crate) direct_io: DirectIo,
    /// Say how many blocks would be written, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) devices: Devices,
    /// Read and write these past the page cache (O_DIRECT): cache, disk or both, if they are files or block devices
    #[arg(long, default_value = "off", value_name = "DEVICES")]
    pub(crate) direct_io: DirectIo,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct Grow {
    #[command(flatten)]
    pub(crate) devices: Devices,
    /// Make the cache file this large first; without it, devices that are larger already are taken into use
    #[arg(long, allow_hyphen_values = true, value_parser = parse_bytes)]
    pub(crate) size: Option<u64>,
    /// Drop damaged items and blocks, which the disk then lacks, where the cache must be emptied
    #[arg(long)]
    pub(crate) accept_damaged: bool,
    /// Check everything, say what there would be, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct Doctor {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value with a sign is told as the value that it is, not as an option that nobody knows.
    #[test]
    fn negative_numbers_are_told_as_values() {
        let create = &["create", "CACHE", "DISK"][..];
        let grow = &["grow", "CACHE", "DISK"][..];
        let serve = &["serve", "CACHE", "DISK"][..];
        for (command, option, value) in [
            (create, "--size", "-5"),
            (create, "--size", "-5G"),
            (grow, "--size", "-1.5G"),
            (serve, "--bypass-sequential", "-8M"),
            (serve, "--idle-after", "-5s"),
            (serve, "--max-dirty-age", "-1h"),
            (serve, "--note-every", "-1m"),
            (serve, "--port", "-1"),
            (serve, "--p99-millis", "-1"),
            (serve, "--low-watermark", "-1"),
            (serve, "--high-watermark", "-1"),
            (serve, "--threads", "-1"),
        ] {
            let words = [&["halo"], command, &[option, value]].concat();
            let error = Arguments::try_parse_from(words).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains(&format!("invalid value '{value}' for '{option}")), "{error}");
        }
    }
}
