//! A panic in the middle of a change: nobody goes on with what it left.
#![cfg(not(feature = "shuttle"))]
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use halo_cache::format::Id;
use halo_cache::{Cache, Mode, Settings};
use halo_device::SharedCache;
use halo_media::{Medium, Power, PowerLossRam};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// Panics at a write when told to.
#[derive(Clone)]
struct Panicking(Arc<PowerLossRam>, Arc<AtomicBool>);

impl Medium for Panicking {
    fn len_bytes(&self) -> u64 {
        self.0.len_bytes()
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.0.read_at(offset_bytes, buffer)
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        assert!(!self.1.load(SeqCst), "a planted mistake");
        self.0.write_at(offset_bytes, bytes)
    }

    fn barrier(&self) -> io::Result<()> {
        self.0.barrier()
    }
}

#[test]
fn after_a_panic_in_the_cache_every_request_panics_instead_of_using_it() {
    let (power, panics) = (Power::new(), Arc::new(AtomicBool::new(false)));
    let device = |bytes| Panicking(Arc::new(PowerLossRam::new(bytes, 512, &power)), Arc::clone(&panics));
    let (medium, disk) = (device(1 << 20), device(1 << 20));
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    let (cache, _) = SharedCache::open(medium, disk, Settings::new(Mode::Flush)).unwrap();
    cache.write(0, &[1; 4096]).unwrap();
    panics.store(true, SeqCst);
    assert!(catch_unwind(AssertUnwindSafe(|| cache.write(4096, &[2; 4096]))).is_err());
    panics.store(false, SeqCst);
    let requests: [(&str, &dyn Fn()); 5] = [
        ("read", &|| drop(cache.read(0, &mut [0; 512]))),
        ("write", &|| drop(cache.write(0, &[3; 512]))),
        ("flush", &|| drop(cache.flush())),
        ("destage", &|| drop(cache.destage())),
        ("status", &|| drop(cache.status())),
    ];
    for (name, request) in requests {
        assert!(catch_unwind(AssertUnwindSafe(request)).is_err(), "a {name} used what a panic left");
    }
}
