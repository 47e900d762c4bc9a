//! See `halo_fuzz::nbd`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| halo_fuzz::nbd(input));
