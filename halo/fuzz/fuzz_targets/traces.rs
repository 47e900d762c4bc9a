//! See `halo_fuzz::traces`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| halo_fuzz::traces(input));
