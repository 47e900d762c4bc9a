//! A plugin of nbdkit one of whose threads panics, for the test of what happens then.

use halo_server::nbdkit::{BlockSizes, Export, Failure, Plugin, Stage};
use halo_server::register;
use std::ffi::CStr;
use std::sync::Arc;
use std::thread;

register!(Panics);

static STAGE: Stage<Panics> = Stage::new();

/// No parameters.
#[derive(Default)]
pub struct Panics;

/// A disk that takes everything and keeps nothing.
pub struct Nothing;

impl Plugin for Panics {
    type Export = Nothing;
    const NAME: &'static CStr = c"panics";
    const DESCRIPTION: &'static CStr = c"panics";
    const HELP: &'static CStr = c"";
    const VERSION: &'static CStr = c"0";

    fn stage() -> &'static Stage<Self> {
        &STAGE
    }

    fn configure(&mut self, key: &str, _value: &str) -> Result<(), String> {
        Err(format!("unknown parameter '{key}'"))
    }

    fn open(&mut self) -> Result<Nothing, String> {
        Ok(Nothing)
    }

    fn start(_export: &Arc<Nothing>) -> Result<(), String> {
        thread::spawn(|| panic!("a planted mistake"));
        Ok(())
    }
}

impl Export for Nothing {
    fn len_bytes(&self) -> u64 {
        1 << 20
    }

    fn block_sizes(&self) -> BlockSizes {
        BlockSizes { minimum: 512, preferred: 4096, maximum: 1 << 20 }
    }

    fn is_rotational(&self) -> bool {
        false
    }

    fn read(&self, _offset_bytes: u64, _buffer: &mut [u8]) -> Result<(), Failure> {
        Ok(())
    }

    fn write(&self, _offset_bytes: u64, _bytes: &[u8], _durably: bool) -> Result<(), Failure> {
        Ok(())
    }

    fn flush(&self) -> Result<(), Failure> {
        Ok(())
    }

    fn trim(&self, _offset_bytes: u64, _count: u64, _durably: bool) -> Result<(), Failure> {
        Ok(())
    }

    fn zero(&self, _offset_bytes: u64, _count: u64, _durably: bool) -> Result<(), Failure> {
        Ok(())
    }

    fn stop(&self) -> i32 {
        0
    }
}
