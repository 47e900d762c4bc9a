//! See `halo_fuzz::superblock`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| halo_fuzz::superblock(input));
