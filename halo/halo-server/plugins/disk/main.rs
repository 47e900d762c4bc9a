//! A hard disk that takes as long as a real one: the plugin `nbdkit-halo-disk-plugin.so`.
//!
//! The time is `halo-disk`'s, on the real clock; the data lies in a sparse file. For demonstrations, measurements and tests. Not
//! here: power loss. A flush takes its time but does not sync the file, whose content survives everything but the machine.

mod platter;

use halo_disk::{Operation, Profile, SECTOR_BYTES};
use halo_planted::Mistake;
use halo_server::nbdkit::{BlockSizes, Export, Failure, Plugin, Stage};
use halo_server::register;
use platter::{Command, Platter};
use std::ffi::CStr;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

register!(DiskPlugin);

static STAGE: Stage<DiskPlugin> = Stage::new();

/// The parameters.
#[derive(Default)]
pub struct DiskPlugin {
    file: Option<String>,
    profile: Option<Profile>,
    without_write_cache: bool,
}

/// The disk.
pub struct EmulatedDisk {
    file: File,
    platter: Platter,
    len_bytes: u64,
}

impl Plugin for DiskPlugin {
    type Export = EmulatedDisk;
    const NAME: &'static CStr = c"halo-disk";
    const DESCRIPTION: &'static CStr = c"emulated hard disk";
    const HELP: &'static CStr = c"file=PATH           (required) sparse file for the data, made if it is not there
profile=NAME        enterprise (default), enterprise-8t, desktop or consumer
write-cache=on|off  off: a consumer disk whose volatile cache is switched off";
    const VERSION: &'static CStr = c"0.1.0";

    fn stage() -> &'static Stage<Self> {
        &STAGE
    }

    fn configure(&mut self, key: &str, value: &str) -> Result<(), String> {
        match (key, value) {
            ("file", path) => self.file = Some(path.into()),
            ("profile", name) => {
                let profile = Profile::named(name);
                let names = || Profile::ALL.map(|profile| profile.name).join(", ");
                self.profile = Some(profile.ok_or_else(|| format!("profile={name}: use one of {}", names()))?);
            }
            ("write-cache", "on" | "off") => self.without_write_cache = value == "off",
            ("write-cache", _) => return Err(format!("write-cache={value}: use on or off")),
            _ => return Err(format!("unknown parameter '{key}'")),
        }
        Ok(())
    }

    fn open(&mut self) -> Result<EmulatedDisk, String> {
        let path = self.file.as_deref().ok_or("file=PATH is missing")?;
        let mut profile = self.profile.unwrap_or(Profile::ENTERPRISE);
        if self.without_write_cache {
            profile.write_cache = None;
        }
        let named = |error: std::io::Error| format!("{path}: {error}");
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(named)?;
        let found_bytes = file.metadata().map_err(named)?.len();
        if found_bytes != 0 && found_bytes != profile.capacity_bytes {
            let text = format!("{path}: has {found_bytes} bytes, but disk {} {}", profile.name, profile.capacity_bytes);
            return Err(format!("{text}: name a new file, or one that was made for this disk"));
        }
        file.set_len(profile.capacity_bytes).map_err(named)?;
        Ok(EmulatedDisk { file, platter: Platter::new(profile), len_bytes: profile.capacity_bytes })
    }

    fn start(export: &Arc<EmulatedDisk>) -> Result<(), String> {
        let disk = Arc::clone(export);
        let turning = std::thread::Builder::new().name("platter".into()).spawn(move || disk.platter.turn());
        turning.map(|thread| export.platter.keep(thread)).map_err(|error| error.to_string())
    }
}

impl EmulatedDisk {
    /// Takes the time that the command takes, with a flush behind it or without.
    fn spend(&self, operation: Operation, offset_bytes: u64, count: u64, flushes: bool) {
        let first_sector = offset_bytes / SECTOR_BYTES;
        let sectors = (offset_bytes + count).div_ceil(SECTOR_BYTES) - first_sector;
        let command = Command { operation, first_sector, sectors };
        if flushes { self.platter.carry_out(&[command, Command::FLUSH]) } else { self.platter.carry_out(&[command]) }
    }
}

impl Export for EmulatedDisk {
    fn len_bytes(&self) -> u64 {
        self.len_bytes
    }

    fn block_sizes(&self) -> BlockSizes {
        BlockSizes { minimum: SECTOR_BYTES as u32, preferred: 4096, maximum: 32 << 20 }
    }

    fn is_rotational(&self) -> bool {
        true
    }

    fn read(&self, offset_bytes: u64, buffer: &mut [u8]) -> Result<(), Failure> {
        self.spend(Operation::Read, offset_bytes, buffer.len() as u64, false);
        self.file.read_exact_at(buffer, offset_bytes).map_err(Failure::io)
    }

    fn write(&self, offset_bytes: u64, bytes: &[u8], durably: bool) -> Result<(), Failure> {
        let flushes = durably && !Mistake::EmulatedFuaIgnored.is_made();
        self.spend(Operation::Write, offset_bytes, bytes.len() as u64, flushes);
        self.file.write_all_at(bytes, offset_bytes).map_err(Failure::io)
    }

    fn flush(&self) -> Result<(), Failure> {
        self.platter.carry_out(&[Command::FLUSH]);
        Ok(())
    }

    fn trim(&self, _offset_bytes: u64, _count: u64, _durably: bool) -> Result<(), Failure> {
        // A disk without shingles has nothing to trim; what was there may stay.
        Ok(())
    }

    fn zero(&self, offset_bytes: u64, count: u64, durably: bool) -> Result<(), Failure> {
        let zeros = vec![0; count as usize];
        self.write(offset_bytes, &zeros, durably)
    }

    fn stop(&self) -> i32 {
        self.platter.stop();
        0
    }
}
