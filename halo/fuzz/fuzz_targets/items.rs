//! See `halo_fuzz::items`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| halo_fuzz::items(input));
