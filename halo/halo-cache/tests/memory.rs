//! What a cache takes of DRAM, all tables together.
#![allow(missing_docs, clippy::unwrap_used)]

use halo_cache::format::Id;
use halo_cache::{Cache, Mode, Settings};
use halo_media::FileMedium;
use std::fs::File;
use std::sync::Arc;

/// "Less than 20 MB DRAM ... for 2 GB PCM and 1 TB hard disk". Source: Auburn §3.1.1; here with checksums and what recovery needs.
#[test]
fn a_cache_of_2_gb_in_front_of_1_tb_takes_less_than_20_mb() {
    let folder = tempfile::tempdir().unwrap();
    // Sparse: only the items are written.
    let open = |name: &str, bytes: u64| {
        let path = folder.path().join(name);
        File::create(&path).unwrap().set_len(bytes).unwrap();
        FileMedium::open(&path).unwrap()
    };
    let (medium, disk) = (Arc::new(open("cache", 2_000_000_000)), Arc::new(open("disk", 1_000_000_000_000)));
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    let (cache, _) = Cache::open(medium.clone(), disk.clone(), Settings::new(Mode::Flush)).unwrap();
    let bytes = cache.status().memory_bytes;
    assert!((10_000_000..20_000_000).contains(&bytes), "{bytes} bytes");
    // In order, a place per slot in two tables: 200 MB for 64 GiB.
    let (in_order, _) = Cache::open(medium.clone(), disk.clone(), Settings::new(Mode::Ordered)).unwrap();
    let status = in_order.status();
    assert_eq!(status.memory_bytes - bytes, 12 * status.slots);
    // What remembers blocks that have left is there from the beginning; what holds the clean ones grows.
    let settings = Settings { clean_blocks: true, ..Settings::new(Mode::Flush) };
    let (cache, _) = Cache::open(medium, disk, settings).unwrap();
    let bytes = cache.status().memory_bytes;
    assert!((30_000_000..50_000_000).contains(&bytes), "{bytes} bytes with a part for clean blocks");
}
