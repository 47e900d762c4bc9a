//! See `halo_fuzz::recovery`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| halo_fuzz::recovery(input));
