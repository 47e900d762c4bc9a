//! The write cache as nbdkit calls it: translates requests, nothing else.

use crate::nbdkit::{BlockSizes, Export, Failure, Plugin, Stage, log_error};
use crate::parameters::{KEYS, Parameters};
use crate::server::Server;
use halo_cache::{CacheError, Zeroing};
use halo_planted::Mistake;
use std::ffi::CStr;
use std::sync::Arc;

static STAGE: Stage<HaloPlugin> = Stage::new();

/// The parameters.
#[derive(Default)]
pub struct HaloPlugin(Parameters);

/// The cache.
pub struct HaloExport(Arc<Server>);

impl Plugin for HaloPlugin {
    type Export = HaloExport;
    const NAME: &'static CStr = c"halo";
    const DESCRIPTION: &'static CStr = c"HALO: a crash-safe write cache in front of a slow disk";
    const HELP: &'static CStr = KEYS;
    const VERSION: &'static CStr = c"0.1.0";

    fn stage() -> &'static Stage<Self> {
        &STAGE
    }

    fn configure(&mut self, key: &str, value: &str) -> Result<(), String> {
        self.0.set(key, value)
    }

    fn open(&mut self) -> Result<HaloExport, String> {
        let (server, recovery) = Server::open(self.0.clone(), log_error)?;
        if recovery.damaged_items > 0 {
            log_error(&format!("{} damaged items were dropped, as accepted", recovery.damaged_items));
        }
        Ok(HaloExport(Arc::new(server)))
    }

    fn start(export: &Arc<HaloExport>) -> Result<(), String> {
        export.0.start()
    }
}

impl Export for HaloExport {
    fn len_bytes(&self) -> u64 {
        self.0.capacity_bytes() + if Mistake::LabelOffered.is_made() { 4096 } else { 0 }
    }

    fn block_sizes(&self) -> BlockSizes {
        BlockSizes { minimum: 512, preferred: 4096, maximum: 32 << 20 }
    }

    fn is_rotational(&self) -> bool {
        // Writes do not seek, and that is what schedulers and file systems ask this for.
        false
    }

    fn read(&self, offset_bytes: u64, buffer: &mut [u8]) -> Result<(), Failure> {
        self.0.read(offset_bytes, buffer).map_err(|error| failure(&error))
    }

    fn write(&self, offset_bytes: u64, bytes: &[u8], durably: bool) -> Result<(), Failure> {
        self.0.write(offset_bytes, bytes, durably).map_err(|error| failure(&error))
    }

    fn flush(&self) -> Result<(), Failure> {
        self.0.flush().map_err(|error| failure(&error))
    }

    fn trim(&self, offset_bytes: u64, count: u64, durably: bool) -> Result<(), Failure> {
        let (mut offset_bytes, mut count) = (offset_bytes, count);
        if Mistake::TrimRoundedOutwards.is_made() {
            count = (offset_bytes % 4096 + count).next_multiple_of(4096);
            offset_bytes -= offset_bytes % 4096;
        }
        self.0.zero(offset_bytes, count, Zeroing::Trim, durably).map_err(|error| failure(&error))
    }

    fn zero(&self, offset_bytes: u64, count: u64, durably: bool) -> Result<(), Failure> {
        let zeroing = if Mistake::ZeroAsTrim.is_made() { Zeroing::Trim } else { Zeroing::Write };
        self.0.zero(offset_bytes, count, zeroing, durably).map_err(|error| failure(&error))
    }

    fn stop(&self) -> i32 {
        self.0.stop()
    }

    fn ending(&self) -> Option<i32> {
        self.0.end_in_time()
    }
}

/// The server has logged it.
fn failure(error: &CacheError) -> Failure {
    let errno = match error {
        CacheError::BadRange { .. } => libc::EINVAL,
        CacheError::Full if !Mistake::FullCacheCalledBroken.is_made() => libc::ENOSPC,
        _ => libc::EIO,
    };
    Failure { errno, message: None }
}
