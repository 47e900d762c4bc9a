//! How long blocks stay in the cache of a server that has the time to destage them.

use crate::harness::{Bench, content, version_of, wait_for};
use halo_media::{FileMedium, Medium};
use std::time::{Duration, Instant};

#[test]
fn an_idle_disk_takes_what_is_left_in_every_mode() {
    for mode in ["flush", "strict", "ordered"] {
        let bench = Bench::bound("8M", 64 << 20);
        let mut server = bench.serve(&["--mode", mode, "--idle-after", "100ms"]);
        let client = bench.client();
        for block in 0..199 {
            client.write_at(block * 3 * 4096, &content(block + 1)).unwrap();
        }
        client.barrier().unwrap();
        let status = wait_for("an empty cache", || Some(bench.status()).filter(|status| status["dirty_blocks"] == 0));
        assert!(status["dirty_bytes"] == 0 && status["oldest_dirty_seconds"] == 0.0, "{status}");
        // A server ends when its clients have gone.
        drop(client);
        server.terminate();
        let disk = FileMedium::open(&bench.path("disk")).unwrap();
        assert!((0..199).all(|block| version_of(&disk, block * 3) == block + 1));
    }
}

#[test]
fn a_block_that_is_written_all_the_time_goes_to_the_disk_all_the_same() {
    let bench = Bench::bound("8M", 64 << 20);
    let _server = bench.serve(&["--max-dirty-age", "2s"]);
    let (client, mut version) = (bench.client(), 0);
    let (since, mut oldest) = (Instant::now(), 0.0_f64);
    wait_for("the third time that the disk takes it, and a block of more than a second before", || {
        version += 1;
        client.write_at(0, &content(version)).unwrap();
        let status = bench.status();
        oldest = oldest.max(status["oldest_dirty_seconds"].as_f64().unwrap());
        assert!(status["dirty_bytes"].as_u64().unwrap() <= 4096, "{status}");
        (status["destaged_blocks"].as_u64().unwrap() >= 3 && oldest > 1.0).then_some(())
    });
    // Each time it stays for half of the greatest age at least.
    assert!(since.elapsed() > Duration::from_secs(3), "three times in {:?}, which is too early", since.elapsed());
    let text = bench.halo(&["metrics", "--socket", "SOCKET"]).stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("\nhalo_dirty_bytes ") && text.contains("\nhalo_oldest_dirty_seconds "), "{text}");
}

#[test]
fn destaging_begins_at_the_low_watermark() {
    let bench = Bench::bound("8M", 64 << 20);
    let _server = bench.serve(&["--low-watermark", "10"]);
    let client = bench.client();
    for block in 0..400 {
        client.write_at(block * 4096, &content(block + 1)).unwrap();
    }
    client.barrier().unwrap();
    let slots = bench.status()["slots"].as_u64().unwrap();
    wait_for("a tenth", || (bench.status()["dirty_blocks"].as_u64().unwrap() * 10 <= slots + 10).then_some(()));

    let serve = ["serve", "CACHE", "DISK", "--socket", "SOCKET"];
    for (option, value) in
        [("--low-watermark", "96"), ("--low-watermark", "0"), ("--max-dirty-age", "10"), ("--idle-after", "never")]
    {
        let output = bench.halo(&[&serve[..], &[option, value]].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains(value) && said.contains(option), "{said}");
    }
}

/// A batch of which every block was written again leaves nothing, and is no reason to end.
#[test]
fn a_drain_goes_on_after_a_batch_that_clients_wrote_again() {
    let mut bench = Bench::bound("2M", 64 << 20);
    let disk = bench.disk_over_nbd(&[], &[]);
    let _server = bench.serve(&["--note-every", "off"]);
    let client = bench.client();
    client.write_at(0, &content(1)).unwrap();
    client.barrier().unwrap();
    // The batch is under way until all is written again.
    disk.stop();
    std::thread::scope(|scope| {
        let drain = scope.spawn(|| bench.json(&["drain", "--socket", "SOCKET", "--json"]));
        wait_for("a write of the disk", || (bench.status()["disk_waits_seconds"].as_f64() > Some(0.0)).then_some(()));
        (0..10).for_each(|block| client.write_at(block * 4096, &content(block + 1)).unwrap());
        client.barrier().unwrap();
        disk.signal("CONT");
        let drained = drain.join().unwrap();
        assert_eq!(bench.status()["dirty_blocks"], 0, "{drained}");
        assert_eq!(drained["left_blocks"], 0, "{drained}");
    });
    let disk = bench.plain_disk();
    (0..10).for_each(|block| assert_eq!(version_of(&disk, block), block + 1));
}
