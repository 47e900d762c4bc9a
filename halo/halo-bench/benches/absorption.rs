//! The extra writes to the disk because blocks do not stay in the cache: on a clock of its own, so that the figures repeat on any machine. Prints
//! two tables of blocks that the disk takes per block written, a last drain included.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use halo_bench::media::{DATA, Hollow};
use halo_cache::format::Id;
use halo_cache::{Cache, Mode, Settings};
use halo_core::SplitMix64;
use std::time::Duration;

/// 4 GiB: more than what is written in an hour, so that nothing goes because the cache fills.
const SLOTS: u64 = 1 << 20;
const LOOK_MILLIS: u64 = 20;
const SECONDS: u64 = 3600;
const WRITES_PER_SECOND: u64 = 50;

/// `hot_blocks` get nine of ten writes, 50 a second in the first `busy` seconds of each `period`; a flush every second.
fn written_per_write(settings: Settings, hot_blocks: u64, (busy, period): (u64, u64)) -> f64 {
    let (medium, disk) = (Hollow::cache(SLOTS), Hollow::disk(64 << 30));
    Cache::create(&medium, &disk, Id([1; 16]), Id([2; 16]), false).unwrap();
    let (mut cache, _) = Cache::open(medium, disk, settings).unwrap();
    let (mut random, mut writes) = (SplitMix64::new(7), 0_u64);
    for look in 0..SECONDS * 1000 / LOOK_MILLIS {
        let millis = look * LOOK_MILLIS;
        cache.note_time(Duration::from_millis(millis));
        if millis / 1000 % period < busy {
            let of_blocks = if random.below(10) > 0 { hot_blocks } else { 1 << 22 };
            cache.write(random.below(of_blocks) * 4096, &[DATA; 4096]).unwrap();
            writes += WRITES_PER_SECOND * LOOK_MILLIS / 1000;
        }
        if millis.is_multiple_of(1000) {
            cache.flush().unwrap();
        }
        // The disk takes a batch in the time between two looks.
        if let Some(trigger) = cache.destage_trigger(0.0) {
            cache.commit().and_then(|()| cache.commit()).unwrap();
            if let Some(batch) = cache.begin_destage_for(trigger, usize::MAX) {
                let outcome = batch.transfer(cache.medium(), cache.disk());
                cache.finish_destage(batch, outcome).unwrap();
            }
        }
    }
    cache.drain().unwrap();
    cache.statistics().destaged_blocks as f64 / writes as f64
}

fn row(settings: Settings, busy_and_period: (u64, u64)) -> String {
    [100, 2000, 20_000].map(|hot| format!("{:>10.3}", written_per_write(settings, hot, busy_and_period))).concat()
}

fn main() {
    let period = |seconds: Option<u64>| seconds.map_or("off".into(), |seconds| format!("{seconds} s"));
    for mode in [Mode::Flush, Mode::Ordered] {
        let settings = Settings::new(mode);
        println!("mode {mode:?}, hot blocks:                        100      2000     20000");
        for most in [None, Some(3600), Some(600), Some(60), Some(10)] {
            let settings = Settings { idle_after: None, max_dirty_age: most.map(Duration::from_secs), ..settings };
            println!("written all the time, age at most {:<8} {}", period(most), row(settings, (1, 1)));
        }
        for (busy, every) in [(2, 4), (10, 20), (10, 120)] {
            for idle in [None, Some(5), Some(30)] {
                let settings = Settings { idle_after: idle.map(Duration::from_secs), max_dirty_age: None, ..settings };
                println!(
                    "{busy:>2} s of every {every:>3}, idle after {:<10}   {}",
                    period(idle),
                    row(settings, (busy, every))
                );
            }
        }
    }
}
