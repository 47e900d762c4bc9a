//! Schedules that a scheduler makes up, with room on the stacks of their threads.

use shuttle::scheduler::{PctScheduler, RandomScheduler, Scheduler};
use shuttle::{Config, Runner};

/// Own: a cache is moved from frame to frame in a build without optimisation, and 32 KiB, which is the default, are too few.
const STACK_BYTES: usize = 256 << 10;

fn run(scheduler: impl Scheduler + 'static, model: impl Fn() + Send + Sync + 'static) {
    let mut config = Config::new();
    config.stack_size = STACK_BYTES;
    Runner::new(scheduler, config).run(model);
}

pub(crate) fn check_random(model: impl Fn() + Send + Sync + 'static, schedules: usize) {
    run(RandomScheduler::new(schedules), model);
}

pub(crate) fn check_pct(model: impl Fn() + Send + Sync + 'static, schedules: usize, depth: usize) {
    run(PctScheduler::new(depth, schedules), model);
}
