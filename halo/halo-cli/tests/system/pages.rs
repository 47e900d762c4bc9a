//! The commands of how-to pages, run as they are printed.

use crate::harness::{Bench, Process, content, programs, version_of};
use halo_media::Medium;
use std::fs;
use std::process::Command;

const DISK_BYTES: u64 = 16 << 20;

/// The commands of each shell block of a page.
fn blocks(page: &str) -> Vec<Vec<String>> {
    let text = read(&format!("docs/how-to/{page}"));
    let shell = text.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("sh\n"));
    let line = |line: &str| line.split(" #").next().unwrap_or_default().trim().to_owned();
    shell.map(|block| block.lines().map(line).filter(|line| !line.is_empty()).collect()).collect()
}

/// A file of the repository.
fn read(name: &str) -> String {
    let path = format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The name that pages give a cache: of its configuration, and so of its units.
const NAME: &str = "data";

/// The units that a command names are among those that are packed, the server's among them; says whether it starts them.
fn starts(page: &str, units: &str) -> bool {
    let (verb, units) = units.split_once(' ').unwrap_or_else(|| panic!("{page}: {units}"));
    let templates: Vec<&str> = units
        .split(' ')
        .map(|unit| unit.strip_suffix(&format!("@{NAME}")).unwrap_or_else(|| panic!("{page}: no unit {unit}")))
        .collect();
    for template in &templates {
        read(&format!("packaging/systemd/{template}@.service"));
    }
    assert!(templates.contains(&"halo"), "{page}: {units}");
    assert!(["start", "stop"].contains(&verb), "{page}: {verb}");
    verb == "start"
}

/// Where the server's unit serves.
fn socket_of_the_unit() -> String {
    let unit = read("packaging/systemd/halo@.service");
    let line = unit.lines().find(|line| line.starts_with("ExecStart=")).unwrap();
    line.split(' ').find(|word| word.ends_with("/socket")).unwrap().replace("%i", NAME)
}

/// Runs commands of a page: devices and sockets of this bench stand for those that it names, and the server for the service.
fn follow(bench: &Bench, page: &str, commands: Vec<String>, mut server: Option<Process>) -> Option<Process> {
    let place = |name: &str| bench.path(name).display().to_string();
    // The service is told of the new cache before it starts again.
    let mut cache = place("cache");
    for command in commands {
        if let Some(units) = command.strip_prefix("systemctl ") {
            if starts(page, units) {
                fs::rename(&cache, place("cache")).unwrap();
                server = Some(bench.serve(&[]));
            } else {
                server.take().unwrap().terminate();
            }
            continue;
        }
        if command.contains("/new/cache") {
            cache = place("new");
        }
        let command = command.replace("/new/cache", &place("new")).replace("/ssd/cache", &place("cache"));
        let command = command.replace("/dev/sdb", &bench.disk).replace("16G", "2M").replace("32G", "4M");
        let command = command.replace(&socket_of_the_unit(), &place("socket"));
        let arguments = command.strip_prefix("halo ").unwrap_or_else(|| panic!("{page}: {command}"));
        let output = Command::new(programs().join("halo")).args(arguments.split_whitespace()).output().unwrap();
        assert!(output.status.success(), "{page}: {command}: {output:?}");
    }
    server
}

fn write(bench: &Bench, blocks: std::ops::Range<u64>) {
    let client = bench.client();
    blocks.for_each(|block| client.write_at(block * 4096, &content(block + 1)).unwrap());
    client.barrier().unwrap();
}

#[test]
fn the_page_for_a_cache_device_that_died_leads_to_a_served_disk_again() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let server = bench.serve(&["--mode", "ordered"]);
    write(&bench, 0..20);
    assert!(bench.halo(&["drain", "--socket", "SOCKET"]).status.success());
    fs::remove_file(bench.path("cache")).unwrap();
    let _server = follow(&bench, "halo-ssd-died.md", blocks("halo-ssd-died.md").concat(), Some(server)).unwrap();
    (0..20).for_each(|block| assert_eq!(version_of(&bench.client(), block), block + 1));
}

#[test]
fn the_page_for_a_disk_that_died_leads_to_a_new_one_behind_the_same_cache() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let server = bench.serve(&[]);
    write(&bench, 0..20);
    // The new disk has the old one's name.
    fs::remove_file(bench.path("disk")).unwrap();
    fs::write(bench.path("disk"), [&content(77)[..], &vec![0; DISK_BYTES as usize - 4096]].concat()).unwrap();
    let _server = follow(&bench, "halo-disk-died.md", blocks("halo-disk-died.md").concat(), Some(server)).unwrap();
    assert_eq!([0, 1].map(|block| version_of(&bench.client(), block)), [77, 0]);
    assert_eq!(bench.status()["dirty_blocks"], 0);
}

#[test]
fn the_page_for_another_cache_device_loses_nothing() {
    let bench = Bench::bound("1M", DISK_BYTES);
    let server = bench.serve(&[]);
    write(&bench, 0..50);
    let _server =
        follow(&bench, "halo-replace-cache.md", blocks("halo-replace-cache.md").concat(), Some(server)).unwrap();
    for block in 0..50 {
        assert_eq!(version_of(&bench.client(), block), block + 1);
    }
    assert!(bench.status()["slots"].as_u64().unwrap() > 400);
}

/// Each block on a cache of its own: whoever takes one of them follows none of the others.
#[test]
fn each_block_of_the_guide_leaves_a_disk_with_all_that_was_written() {
    let page = "halo.md";
    let blocks = blocks(page);
    assert_eq!(blocks.len(), 3, "{blocks:?}");
    for commands in blocks {
        let bench = Bench::bound("1M", DISK_BYTES);
        let mut server = Some(bench.serve(&[]));
        write(&bench, 0..50);
        if !commands.iter().any(|command| command.starts_with("systemctl stop")) {
            server.take().unwrap().terminate();
        }
        let detaches = commands.iter().any(|command| command.starts_with("halo detach"));
        let grows = commands.iter().any(|command| command.starts_with("halo grow"));
        let server = follow(&bench, page, commands, server);
        if detaches {
            let disk = fs::read(&bench.disk).unwrap();
            (0..50_u64).for_each(|block| {
                let start = usize::try_from(block * 4096).unwrap();
                assert_eq!(disk[start..start + 4096], content(block + 1)[..]);
            });
            continue;
        }
        let _server = server.unwrap_or_else(|| bench.serve(&[]));
        for block in 0..50 {
            assert_eq!(version_of(&bench.client(), block), block + 1);
        }
        assert_eq!(bench.status()["slots"].as_u64().unwrap() > 400, grows);
    }
}
