//! What a cache takes of DRAM, all tables together.
#![allow(missing_docs, clippy::unwrap_used)]

use halo_cache::format::Id;
use halo_cache::{Cache, Mode, Settings};
use halo_media::FileMedium;
use std::fs::File;

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
    let (medium, disk) = (open("cache", 2_000_000_000), open("disk", 1_000_000_000_000));
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    let (cache, _) = Cache::open(medium, disk, Settings::new(Mode::Flush)).unwrap();
    let bytes = cache.status().memory_bytes;
    assert!((10_000_000..20_000_000).contains(&bytes), "{bytes} bytes");
}
