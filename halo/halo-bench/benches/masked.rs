//! The cost of the record of masked blocks for a batch: one write of it and one flush more, on a real file system: the folder for temporary
//! files, or the one that `TMPDIR` names. Wall time, in turn, medians.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use criterion::measurement::Measurement;
use halo_bench::ThreadTime;
use halo_core::SplitMix64;
use halo_media::{FileMedium, Medium, Piece};
use halo_server::{AnyMedium, MaskedDisk};
use std::fs::File;
use std::sync::Arc;
use std::time::Instant;

const ROUNDS: usize = 200;
const BATCHES_BLOCKS: [u64; 3] = [1, 16, 64];
/// Of the masked blocks at the beginning of a disk.
const PLACE_BLOCKS: u64 = 128;
const BLOCK_BYTES: u64 = 4096;

/// Milliseconds that a batch of random blocks takes with a flush behind it, and those of the processor among them.
fn batch_millis(disk: &MaskedDisk, random: &mut SplitMix64, first_block: u64, blocks: u64) -> [f64; 2] {
    let bytes = [random.below(256) as u8; BLOCK_BYTES as usize];
    let apart = PLACE_BLOCKS / blocks;
    let at = |number: u64, random: &mut SplitMix64| (first_block + number * apart + random.below(apart)) * BLOCK_BYTES;
    let pieces: Vec<_> = (0..blocks).map(|number| Piece { offset_bytes: at(number, random), bytes: &bytes }).collect();
    let (since, processor) = (Instant::now(), ThreadTime.start());
    disk.write_pieces(&pieces).unwrap();
    disk.barrier().unwrap();
    [since.elapsed(), ThreadTime.end(processor)].map(|taken| taken.as_secs_f64() * 1e3)
}

fn medians(batches: &[[f64; 2]]) -> [f64; 2] {
    [0, 1].map(|which| {
        let mut values: Vec<_> = batches.iter().map(|batch| batch[which]).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    })
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("disk");
    File::create(&path).unwrap().set_len(64 << 20).unwrap();
    let disk = MaskedDisk::new(Arc::new(FileMedium::open(&path).unwrap()) as AnyMedium).unwrap();
    disk.mask().unwrap();
    let mut random = SplitMix64::new(1);
    // So that no round is the first that writes its blocks.
    for block in (0..3 * PLACE_BLOCKS).step_by(64) {
        disk.write_at(block * BLOCK_BYTES, &vec![1; 64 * BLOCK_BYTES as usize]).unwrap();
    }
    disk.barrier().unwrap();
    for blocks in BATCHES_BLOCKS {
        let (mut masked, mut plain) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            masked.push(batch_millis(&disk, &mut random, 0, blocks));
            plain.push(batch_millis(&disk, &mut random, 2 * PLACE_BLOCKS, blocks));
        }
        let ([masked, masked_cpu], [plain, plain_cpu]) = (medians(&masked), medians(&plain));
        println!(
            "{blocks:3} blocks and a flush: masked {masked:.2} ms, {masked_cpu:.2} of the processor; plain {plain:.2} ms, {plain_cpu:.2}"
        );
    }
}
