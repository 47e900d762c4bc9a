//! The work of operators with a cache.

use crate::harness::{Bench, Process, content, version_of, wait_for};
use halo_media::Medium;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::process::Command;

const DISK_BYTES: u64 = 32 << 20;

fn write_blocks(bench: &Bench, count: u64) {
    let client = bench.client();
    (0..count).for_each(|block| client.write_at(block * 4096, &content(block + 1)).unwrap());
    client.barrier().unwrap();
}

fn assert_disk_holds(bench: &Bench, count: u64) {
    let disk = bench.plain_disk();
    (0..count).for_each(|block| assert_eq!(version_of(&disk, block), block + 1));
}

#[test]
fn a_cache_goes_from_creation_to_detaching_and_the_disk_then_holds_everything() {
    let bench = Bench::loose(DISK_BYTES);
    let planned = bench.json(&["create", "CACHE", "DISK", "--size", "2M", "--dry-run", "--json"]);
    assert!(planned["created"] == false && !bench.path("cache").exists());
    bench.create("2M");
    let mut server = bench.serve(&[]);
    write_blocks(&bench, 100);
    assert_eq!(bench.status()["dirty_blocks"], 100);
    server.terminate();
    assert_eq!(bench.json(&["status", "CACHE", "DISK", "--json"])["dirty_blocks"], 100);
    assert_eq!(bench.json(&["check", "CACHE", "DISK", "--json"])["items"], 100);
    let planned = bench.halo(&["detach", "CACHE", "DISK", "--dry-run"]);
    assert!(String::from_utf8(planned.stdout).unwrap().contains("would write 100 blocks"));
    assert!(bench.halo(&["detach", "CACHE", "DISK"]).status.success());
    assert_disk_holds(&bench, 100);
    let again = bench.halo(&["serve", "CACHE", "DISK", "--socket", "SOCKET"]);
    assert!(String::from_utf8(again.stderr).unwrap().contains("it was detached"));
}

#[test]
fn a_drained_cache_has_everything_on_the_disk_whether_it_is_served_or_not() {
    let bench = Bench::bound("2M", DISK_BYTES);
    let mut server = bench.serve(&[]);
    write_blocks(&bench, 50);
    assert_eq!(bench.json(&["drain", "--socket", "SOCKET", "--json"])["drained_blocks"], 50);
    assert_disk_holds(&bench, 50);
    write_blocks(&bench, 80);
    server.terminate();
    assert_eq!(bench.json(&["drain", "CACHE", "DISK", "--json"])["drained_blocks"], 80);
    assert_disk_holds(&bench, 80);
    assert_eq!(bench.json(&["status", "CACHE", "DISK", "--json"])["dirty_blocks"], 0);
}

#[test]
fn a_grown_cache_keeps_its_blocks_and_offers_more() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let mut server = bench.serve(&[]);
    write_blocks(&bench, 100);
    server.terminate();
    let slots = |bench: &Bench| bench.json(&["status", "CACHE", "DISK", "--json"])["slots"].as_u64().unwrap();
    let before = slots(&bench);
    let smaller = bench.halo(&["grow", "CACHE", "DISK", "--size", "64K"]);
    assert_eq!(smaller.status.code(), Some(2), "{smaller:?}");
    let output = bench.halo(&["grow", "CACHE", "DISK", "--size", "4M"]);
    assert!(output.status.success(), "{output:?}");
    assert!(slots(&bench) > 3 * before);
    // A later write must not be the first to find that the file system is full.
    let file = fs::metadata(bench.path("cache")).unwrap();
    assert!(file.len() == 4 << 20 && file.blocks() * 512 >= file.len(), "{} of 512 bytes are allocated", file.blocks());
    let _again = bench.serve(&[]);
    (0..100).for_each(|block| assert_eq!(version_of(&bench.client(), block), block + 1));
}

/// What users of a disk's files may not read, they may not read in its cache or its image either.
#[test]
fn a_cache_file_and_an_image_of_a_rescue_are_for_their_owner_alone() {
    let bench = Bench::loose(DISK_BYTES);
    let create = bench.command(&["create", "CACHE", "DISK", "--size", "2M"]);
    let mut open_to_all = Command::new("/bin/sh");
    open_to_all.args(["-c", "umask 0; exec \"$@\"", "sh"]).arg(create.get_program()).args(create.get_args());
    assert!(open_to_all.status().unwrap().success());
    let mode = |name: &str| fs::metadata(bench.path(name)).unwrap().mode() & 0o777;
    assert_eq!(mode("cache"), 0o600);
    if crate::specification::rescue(&bench, Some("image")).is_some() {
        assert_eq!(mode("image"), 0o600);
    }
    drop(bench.serve(&[]));
    assert!(!bench.log().contains("can be read by others"), "{}", bench.log());
    fs::set_permissions(bench.path("cache"), fs::Permissions::from_mode(0o644)).unwrap();
    drop(bench.serve(&[]));
    let said = format!("{} can be read by others (mode 644)", bench.path("cache").display());
    assert!(bench.log().contains(&said), "{}", bench.log());
}

/// A growth says what it would give, and that it would give nothing.
#[test]
fn a_growth_is_planned_and_one_that_changes_nothing_says_so() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let before = ["cache", "disk"].map(|name| fs::read(bench.path(name)).unwrap());
    let planned = bench.json(&["grow", "CACHE", "DISK", "--size", "4M", "--dry-run", "--json"]);
    let same = bench.json(&["grow", "CACHE", "DISK", "--json"]);
    assert_eq!((&planned["grown"], &same["grown"]), (&false.into(), &false.into()));
    assert_eq!((planned["cache_bytes"].as_u64(), same["cache_bytes"].as_u64()), (Some(4 << 20), Some(1 << 20)));
    let text = String::from_utf8(bench.halo(&["grow", "CACHE", "DISK"]).stdout).unwrap();
    assert!(text.starts_with("as before   cache 1.0 MiB, "), "{text}");
    for size in ["64K", "512K"] {
        let smaller = bench.halo(&["grow", "CACHE", "DISK", "--size", size, "--dry-run"]);
        assert_eq!(smaller.status.code(), Some(2), "{smaller:?}");
    }
    assert!(["cache", "disk"].map(|name| fs::read(bench.path(name)).unwrap()) == before, "something was changed");
    let grown = bench.json(&["grow", "CACHE", "DISK", "--size", "4M", "--json"]);
    assert_eq!((&grown["grown"], &grown["slots"]), (&true.into(), &planned["slots"]));
}

#[test]
fn every_command_that_changes_something_reports_to_programs() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let mut server = bench.serve(&[]);
    write_blocks(&bench, 10);
    server.terminate();
    let whole = ["whole", "whole"];
    let damage = |at: usize| {
        let mut bytes = fs::read(bench.path("cache")).unwrap();
        bytes[at..at + 512].fill(0xee);
        fs::write(bench.path("cache"), &bytes).unwrap();
    };
    damage(0);
    for (options, restored) in [(&["--dry-run"][..], false), (&[], true)] {
        let report = bench.json(&[&["repair", "CACHE", "DISK", "--json"], options].concat());
        assert_eq!(report["restored"], restored, "{report}");
        assert_eq!(report["superblock_copies"], serde_json::json!(["damaged", "whole"]), "{report}");
        assert_eq!(report["label_copies"], serde_json::json!(whole), "{report}");
    }
    let report = bench.json(&["repair", "CACHE", "DISK", "--json"]);
    assert!(report["restored"] == false && report["superblock_copies"] == serde_json::json!(whole), "{report}");
    for (options, detached) in [(&["--dry-run"][..], false), (&[], true)] {
        let report = bench.json(&[&["detach", "CACHE", "DISK", "--json"], options].concat());
        assert_eq!((&report["detached"], &report["written_blocks"]), (&detached.into(), &10.into()), "{report}");
    }
    let machine = bench.json(&["doctor", "--json"]);
    assert!(machine["nbdkit"].is_string() && machine["plugin"].is_string(), "{machine}");
    assert!(machine["nbd_client"].is_boolean() && machine["nbdublk"].is_boolean(), "{machine}");
}

/// Readers of the status need not be where the server was started.
#[test]
fn a_server_names_its_files_as_anybody_can_find_them() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let folder = bench.path("");
    let log = fs::File::create(bench.path("log")).unwrap();
    let mut command = bench.command(&["serve", "cache", "disk", "--socket", "socket"]);
    let _server = Process::spawn(command.current_dir(&folder).stderr(log));
    wait_for("the server", || UnixStream::connect(bench.path("socket.control")).ok());
    let status = bench.status();
    let names = ["cache", "disk"].map(|name| status[name].as_str().unwrap().to_owned());
    assert!(names.iter().all(|name| fs::metadata(name).is_ok() && name.starts_with('/')), "{names:?}");
}

#[test]
fn clients_that_connect_and_say_nothing_keep_nobody_from_the_status() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let _server = bench.serve(&[]);
    // One after the other, they would be waited for longer than anybody waits for a status.
    let silent: Vec<_> = (0..12).map(|_| UnixStream::connect(bench.path("socket.control")).unwrap()).collect();
    assert_eq!(bench.status()["dirty_blocks"], 0);
    drop(silent);
    assert!(bench.halo(&["drain", "--socket", "SOCKET"]).status.success());
}

#[test]
fn a_cache_file_with_holes_gets_its_room_when_it_is_bound() {
    let bench = Bench::loose(DISK_BYTES);
    fs::File::create(bench.path("cache")).unwrap().set_len(2 << 20).unwrap();
    assert!(bench.halo(&["create", "CACHE", "DISK"]).status.success());
    let file = fs::metadata(bench.path("cache")).unwrap();
    assert!(file.blocks() * 512 >= 2 << 20, "{} of 512 bytes are allocated", file.blocks());
}

#[test]
fn a_growth_of_the_file_that_was_cut_short_is_repeated() {
    for bytes in [(1 << 20) + 12_345, 2 << 20] {
        let bench = Bench::bound("1M", DISK_BYTES);
        fs::File::options().write(true).open(bench.path("cache")).unwrap().set_len(bytes).unwrap();
        let unserved = bench.halo(&["serve", "CACHE", "DISK", "--socket", "SOCKET"]);
        assert_eq!(unserved.status.code(), Some(3), "{unserved:?}");
        let output = bench.halo(&["grow", "CACHE", "DISK", "--size", "2M"]);
        assert!(output.status.success(), "{output:?}");
        let again = bench.halo(&["grow", "CACHE", "DISK", "--size", "2M"]);
        assert!(again.status.success(), "{again:?}");
        drop(bench.serve(&[]));
    }
}

#[test]
fn a_drain_that_leaves_damaged_blocks_says_so_and_takes_all_others() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let mut server = bench.serve(&[]);
    write_blocks(&bench, 20);
    server.terminate();
    let mut cache = fs::read(bench.path("cache")).unwrap();
    let data = cache.windows(4096).position(|bytes| bytes == content(5)).unwrap();
    cache[data] ^= 1;
    fs::write(bench.path("cache"), &cache).unwrap();
    let _again = bench.serve(&[]);
    let output = bench.halo(&["drain", "--socket", "SOCKET"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(3) && text.contains("1 blocks are damaged"), "{text}");
    let status = bench.status();
    assert_eq!((&status["dirty_blocks"], &status["damaged_blocks"]), (&1.into(), &1.into()), "{status}");
    let metrics = String::from_utf8(bench.halo(&["metrics", "--socket", "SOCKET"]).stdout).unwrap();
    assert!(metrics.contains("\nhalo_damaged_blocks 1\n") && metrics.contains("\nhalo_cache_failed 0\n"), "{metrics}");
    bench.client().write_at(4 * 4096, &content(5)).unwrap();
    assert!(bench.halo(&["drain", "--socket", "SOCKET"]).status.success());
    assert_disk_holds(&bench, 20);
}

#[test]
fn a_damaged_block_is_found_by_check_and_a_damaged_item_stops_the_server_until_accepted() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let mut server = bench.serve(&[]);
    write_blocks(&bench, 10);
    server.terminate();
    let mut cache = fs::read(bench.path("cache")).unwrap();
    let whole = cache.clone();
    let data = cache.windows(4096).position(|bytes| bytes == content(5)).unwrap();
    cache[data] ^= 1;
    fs::write(bench.path("cache"), &cache).unwrap();
    let output = bench.halo(&["check", "CACHE", "DISK"]);
    let text = String::from_utf8(output.stderr).unwrap();
    let told =
        "0 items; data of 1 blocks, the first of block 4: restore the cache, write such blocks anew, or give them up";
    assert!(output.status.code() == Some(3) && text.contains(told), "{text}");

    cache = whole;
    let item = (4096..).step_by(32).find(|&at| cache[at..at + 32] != [0; 32]).unwrap();
    cache[item] ^= 1;
    fs::write(bench.path("cache"), &cache).unwrap();
    let output = bench.halo(&["serve", "CACHE", "DISK", "--socket", "SOCKET"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(3) && text.contains("1 items of the cache are damaged"), "{text}");
    let _server = bench.serve(&["--accept-damaged"]);
    assert_eq!(bench.status()["dirty_blocks"], 9);
}

/// Damages the bytes of a cache file.
type Spoil<'a> = &'a dyn Fn(&mut Vec<u8>);

/// A pair with ten cached blocks, and a cache file that was spoiled.
fn spoiled(spoil: Spoil<'_>) -> Bench {
    let bench = Bench::bound("1M", DISK_BYTES);
    let mut server = bench.serve(&[]);
    write_blocks(&bench, 10);
    server.terminate();
    let mut cache = fs::read(bench.path("cache")).unwrap();
    spoil(&mut cache);
    fs::write(bench.path("cache"), &cache).unwrap();
    bench
}

#[test]
fn what_is_damaged_stops_a_drain_and_a_detach_until_its_loss_is_accepted() {
    let in_data = |cache: &mut Vec<u8>| {
        let at = cache.windows(4096).position(|bytes| bytes == content(5)).unwrap();
        cache[at] ^= 1;
    };
    let in_an_item = |cache: &mut Vec<u8>| {
        let at = (4096..).step_by(32).find(|&at| cache[at..at + 32] != [0; 32]).unwrap();
        cache[at] ^= 1;
    };
    let spoils: [(Spoil<'_>, &str); 2] =
        [(&in_data, "1 damaged blocks were given up"), (&in_an_item, "1 damaged items were dropped")];
    for command in ["drain", "detach"] {
        for (spoil, told) in spoils {
            let bench = spoiled(spoil);
            let refused = bench.halo(&[command, "CACHE", "DISK"]);
            let text = String::from_utf8(refused.stderr).unwrap();
            assert!(refused.status.code() == Some(3) && text.contains("--accept-damaged"), "{command}: {text}");
            let accepted = bench.halo(&[command, "CACHE", "DISK", "--accept-damaged"]);
            let text = String::from_utf8(accepted.stderr).unwrap();
            assert!(accepted.status.success() && text.contains(told), "{command}: {text}");
            let disk = fs::read(bench.path("disk")).unwrap();
            let kept = (0..10).filter(|&block| disk[block * 4096..][..4096] == content(block as u64 + 1)).count();
            assert_eq!(kept, 9, "{command}: {told}");
            if command == "drain" {
                assert_eq!(bench.json(&["check", "CACHE", "DISK", "--json"])["items"], 0, "{told}");
            } else {
                bench.halo(&["release", "DISK", "--cache-lost"]);
                fs::remove_file(bench.path("cache")).unwrap();
                bench.create("1M");
            }
        }
    }
}

#[test]
fn a_damaged_copy_of_superblock_or_label_is_reported_and_repaired() {
    for (file, at_end, name) in [
        ("cache", 0, "the first copy of the superblock"),
        ("cache", 4096, "the second copy of the superblock"),
        ("disk", 4096, "the first copy of the label"),
        ("disk", 2048, "the second copy of the label"),
    ] {
        let bench = Bench::bound("1M", DISK_BYTES);
        let whole = fs::read(bench.path(file)).unwrap();
        let mut bytes = whole.clone();
        let at = if at_end == 0 { 0 } else { bytes.len() - at_end };
        bytes[at..at + 512].fill(0xee);
        fs::write(bench.path(file), &bytes).unwrap();
        let report = bench.halo(&["check", "CACHE", "DISK"]);
        let text = String::from_utf8(report.stderr).unwrap();
        assert!(report.status.code() == Some(3) && text.contains(&format!("damaged: {name}: halo repair")), "{text}");
        let planned = bench.halo(&["repair", "CACHE", "DISK", "--dry-run"]);
        assert_eq!(String::from_utf8(planned.stdout).unwrap(), format!("would restore {name}\n"));
        assert!(fs::read(bench.path(file)).unwrap() == bytes, "a dry run changed something");
        let repaired = bench.halo(&["repair", "CACHE", "DISK"]);
        assert_eq!(String::from_utf8(repaired.stdout).unwrap(), format!("restored    {name}\n"));
        assert!(fs::read(bench.path(file)).unwrap() == whole, "{name} is not as it was");
        assert!(bench.halo(&["check", "CACHE", "DISK"]).status.success());
    }
}

/// A partition table was written over the disk's end, for instance.
#[test]
fn a_label_of_which_nothing_is_left_is_made_anew_when_asked() {
    let bench = spoiled(&|_| ());
    let mut disk = fs::read(bench.path("disk")).unwrap();
    let end = disk.len() - 4096;
    disk[end..].fill(0x77);
    fs::write(bench.path("disk"), &disk).unwrap();
    // Whatever somebody tries first.
    for command in ["repair", "status", "drain", "check"] {
        let refused = bench.halo(&[command, "CACHE", "DISK"]);
        let text = String::from_utf8(refused.stderr).unwrap();
        let told = "halo repair CACHE DISK --label-lost makes it anew";
        assert!(refused.status.code() == Some(3) && text.contains(told), "{command}: {text}");
    }
    assert!(bench.halo(&["repair", "CACHE", "DISK", "--label-lost"]).status.success());
    assert!(bench.halo(&["detach", "CACHE", "DISK"]).status.success());
    assert_disk_holds(&bench, 10);
}

/// In every mode, and before and after the cache has grown: blocks that were read twice are kept, until they are written or the server
/// ends.
#[test]
fn clean_blocks_are_kept_when_asked_for_and_not_otherwise() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let figure = |name: &str| bench.status()[name].as_u64().unwrap();
    let output = |arguments: &[&str]| String::from_utf8(bench.halo(arguments).stdout).unwrap();
    for (round, mode) in ["flush", "strict", "ordered", "flush"].into_iter().enumerate() {
        let mut server = bench.serve(&["--clean-blocks", "--mode", mode]);
        let (client, last) = (bench.client(), round as u64);
        (0..5).for_each(|_| assert_eq!(version_of(&client, 7), last));
        let kept = ["clean_blocks", "clean_admitted_blocks", "clean_hit_blocks"].map(figure);
        assert_eq!(kept, [1, 1, 3], "mode {mode}");
        assert!(output(&["status", "--socket", "SOCKET"]).contains("\nclean       1 blocks ("));
        assert!(output(&["metrics", "--socket", "SOCKET"]).contains("\nhalo_clean_hit_blocks_total 3\n"));
        client.write_at(7 * 4096, &content(last + 1)).unwrap();
        assert_eq!((figure("clean_blocks"), version_of(&client, 7)), (0, last + 1), "mode {mode}");
        assert!(bench.halo(&["drain", "--socket", "SOCKET"]).status.success());
        (0..3).for_each(|_| assert_eq!(version_of(&client, 7), last + 1));
        assert_eq!(figure("clean_blocks"), 1, "mode {mode}");
        drop(client);
        server.terminate();
        let check = bench.json(&["check", "CACHE", "DISK", "--json"]);
        assert_eq!(check["items"], 0, "mode {mode}: a clean block has an item");
        if round == 2 {
            assert!(bench.halo(&["grow", "CACHE", "DISK", "--size", "2M"]).status.success());
        }
    }
    let _server = bench.serve(&[]);
    (0..5).for_each(|_| assert_eq!(version_of(&bench.client(), 7), 4));
    assert_eq!(figure("clean_blocks") + figure("clean_admitted_blocks"), 0);
    assert!(!output(&["status", "--socket", "SOCKET"]).contains("\nclean "));
}

#[test]
fn completions_and_help_are_printed() {
    let bench = Bench::loose(DISK_BYTES);
    let completions = bench.halo(&["completions", "bash"]);
    assert!(String::from_utf8(completions.stdout).unwrap().contains("complete -F _halo"));
    let help = String::from_utf8(bench.halo(&["--help"]).stdout).unwrap();
    for command in
        ["create", "serve", "status", "drain", "check", "repair", "detach", "release", "grow", "metrics", "doctor"]
    {
        assert!(help.contains(&format!("  {command} ")), "{command}");
    }
}
