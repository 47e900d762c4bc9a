//! What becomes of options.

use crate::harness::Bench;
use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt, symlink};

const DISK_BYTES: u64 = 16 << 20;

/// Each with a value that it does not have by itself: what is mixed up or forgotten is seen.
#[test]
fn each_option_of_a_server_reaches_the_plugin() {
    let bench = Bench::loose(DISK_BYTES);
    let options = [
        ["--mode", "strict", "mode=strict"],
        ["--direct-io", "cache", "direct-io=cache"],
        ["--p99-millis", "25", "p99-millis=25"],
        ["--idle-after", "7s", "idle-after=7s"],
        ["--max-dirty-age", "8m", "max-dirty-age=8m"],
        ["--note-every", "9s", "note-every=9s"],
        ["--low-watermark", "10", "low-watermark=10"],
        ["--high-watermark", "20", "high-watermark=20"],
        ["--bypass-sequential", "8M", "bypass-sequential=8388608"],
        ["--control", "/somewhere/control", "control=/somewhere/control"],
        ["--metrics", "127.0.0.1:9464", "metrics=127.0.0.1:9464"],
    ];
    let flags = [["--accept-damaged", "accept-damaged=on"], ["--clean-blocks", "clean-blocks=on"]];
    let mut arguments = vec!["serve", "CACHE", "DISK", "--socket", "SOCKET", "--threads", "99", "--dry-run"];
    arguments.extend(options.iter().flat_map(|[option, value, _]| [option, value]));
    arguments.extend(flags.iter().map(|[flag, _]| flag));
    let output = bench.halo(&arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    let words: Vec<_> = text.split_whitespace().collect();
    let (cache, socket) = (format!("cache={}", bench.path("cache").display()), bench.socket().display().to_string());
    let disk = format!("disk={}", bench.disk);
    assert_eq!(words[..6], ["nbdkit", "--foreground", "--threads", "99", "--unix", &socket], "{text}");
    let mut expected = vec![&*cache, &*disk];
    expected.extend(options.iter().map(|[_, _, word]| *word).chain(flags.iter().map(|[_, word]| *word)));
    let mut given = words[7..].to_vec();
    expected.sort_unstable();
    given.sort_unstable();
    assert_eq!(given, expected);
    let help = String::from_utf8(bench.halo(&["serve", "--help"]).stdout).unwrap();
    // These are of the command itself: how it is reached, and what it does.
    let others = ["--socket", "--port", "--threads", "--plugin", "--dry-run", "--help"];
    for word in help.split_whitespace().filter(|word| word.starts_with("--")) {
        let name = word.trim_end_matches([',', '.', ':', ')']);
        assert!(arguments.contains(&name) || others.contains(&name), "{name} is not tried");
    }
}

/// A collector that reads meanwhile has the old ones, or the new ones, and never a part.
#[test]
fn a_file_of_metrics_is_replaced_as_a_whole() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let _server = bench.serve(&[]);
    let file = bench.path("halo.prom");
    fs::write(&file, "halo_dirty_blocks 7\n").unwrap();
    let mut collector = File::open(&file).unwrap();
    let metrics = ["metrics", "--socket", "SOCKET", "--textfile"];
    let output = bench.halo(&[&metrics[..], &[file.to_str().unwrap()]].concat());
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    let mut read = String::new();
    collector.read_to_string(&mut read).unwrap();
    assert_eq!(read, "halo_dirty_blocks 7\n");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("\nhalo_dirty_blocks 0\n") && text.ends_with('\n'), "{text}");
    let left: Vec<_> = fs::read_dir(bench.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with("halo.prom.")), "{left:?}");
    let output = bench.halo(&[&metrics[..], &["/nonexistent/halo.prom"]].concat());
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(3) && text.contains("/nonexistent/halo.prom: "), "{text}");
}

/// Programs that write to a link, or read from a pipe, would lose it.
#[test]
fn a_file_of_metrics_that_is_a_link_or_a_pipe_stays_one() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let _server = bench.serve(&[]);
    let metrics = ["metrics", "--socket", "SOCKET", "--textfile"];
    let write = |path: &std::path::Path| bench.halo(&[&metrics[..], &[path.to_str().unwrap()]].concat());

    fs::create_dir(bench.path("elsewhere")).unwrap();
    let (link, target) = (bench.path("link.prom"), bench.path("elsewhere/halo.prom"));
    fs::write(&target, "halo_dirty_blocks 7\n").unwrap();
    symlink(&target, &link).unwrap();
    assert!(write(&link).status.success());
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&target).unwrap().contains("\nhalo_dirty_blocks 0\n"));

    let pipe = bench.path("pipe");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    let nonblocking = OFlags::NONBLOCK.bits().cast_signed();
    let mut reader = File::options().read(true).write(true).custom_flags(nonblocking).open(&pipe).unwrap();
    assert!(write(&pipe).status.success());
    assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
    let mut read = vec![0; 1 << 16];
    let bytes = reader.read(&mut read).unwrap();
    assert!(String::from_utf8_lossy(&read[..bytes]).contains("\nhalo_dirty_blocks 0\n"));

    let directory = bench.path("elsewhere");
    assert_eq!(write(&directory).status.code(), Some(3));
    assert!(!bench.path("elsewhere.new").exists());
}
