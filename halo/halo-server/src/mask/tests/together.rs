use super::*;
use halo_core::SplitMix64;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

type Act = Box<dyn FnOnce() + Send>;

/// A disk with something to do at the end of its next flush, which does not cover it.
struct AtFlush {
    ram: Arc<PowerLossRam>,
    act: Mutex<Option<Act>>,
}

impl AtFlush {
    fn do_next(&self, act: impl FnOnce() + Send + 'static) {
        *self.act.lock().unwrap() = Some(Box::new(act));
    }
}

impl Medium for AtFlush {
    fn len_bytes(&self) -> u64 {
        self.ram.len_bytes()
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.ram.read_at(offset_bytes, buffer)
    }

    fn write_at(&self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        self.ram.write_at(offset_bytes, bytes)
    }

    fn barrier(&self) -> io::Result<()> {
        let act = self.act.lock().unwrap().take();
        self.ram.barrier()?;
        if let Some(act) = act {
            act();
        }
        Ok(())
    }
}

fn write(disk: &MaskedDisk, block: u64, content: u8) {
    disk.write_at(block * 4096, &[content; 4096]).unwrap();
}

/// Waits until a write of this block has begun.
fn begun(disk: &MaskedDisk, block: usize) {
    let since = Instant::now();
    let is_begun = || {
        let stage = disk.state().contents.as_ref().map(Contents::stage);
        matches!(stage, Some(Stage::Masked { written_to, .. }) if written_to.contains(&block))
    };
    while !is_begun() {
        assert!(since.elapsed() < Duration::from_secs(60), "block {block} is not written");
        thread::yield_now();
    }
}

fn disk_of(fixture: &Fixture) -> (Arc<AtFlush>, Arc<MaskedDisk>) {
    let flushes = Arc::new(AtFlush { ram: Arc::clone(&fixture.ram), act: Mutex::new(None) });
    let disk = Arc::new(MaskedDisk::new(Arc::clone(&flushes) as AnyMedium).unwrap());
    disk.mask().unwrap();
    (flushes, disk)
}

/// The record before says that the block may be written, the one under way that it is known.
#[test]
fn a_write_relies_on_no_record_that_is_about_to_be_replaced() {
    let (fixture, _) = Fixture::new();
    let (flushes, disk) = disk_of(&fixture);
    write(&disk, 10, 1);
    // A flush that makes the block known while a record is written for another: so no record says that yet.
    let flushing = Arc::clone(&disk);
    flushes.do_next(move || flushing.barrier().unwrap());
    write(&disk, 20, 1);
    let (sender, writers) = channel();
    let writing = Arc::clone(&disk);
    flushes.do_next(move || {
        let other = Arc::clone(&writing);
        sender.send(thread::spawn(move || write(&other, 10, 2))).unwrap();
        begun(&writing, 10);
    });
    write(&disk, 30, 1);
    writers.recv().unwrap().join().unwrap();
    assert_eq!(fixture.open().written_outside().unwrap(), None, "nobody else wrote");
    fixture.settled();
}

/// A flush that ends between the record of a write and the write itself makes blocks known. Written over that record, it could be torn, and the
/// other copy says nothing of the write.
#[test]
fn a_flush_replaces_no_record_that_a_write_relies_on() {
    for (event, seed) in (0..10).flat_map(|event| (0..8).map(move |seed| (event, seed))) {
        let (fixture, _) = Fixture::new();
        let (flushes, disk) = disk_of(&fixture);
        write(&disk, 10, 1);
        let (sender, writers) = channel();
        let both = Arc::clone(&disk);
        flushes.do_next(move || {
            let other = Arc::clone(&both);
            sender.send(thread::spawn(move || drop(other.write_at(30 * 4096, &[2; 4096])))).unwrap();
            begun(&both, 30);
            drop(both.barrier());
        });
        fixture.power.fail_at(fixture.power.events() + event);
        drop(disk.write_at(20 * 4096, &[1; 4096]));
        for writer in writers.try_iter() {
            writer.join().unwrap();
        }
        fixture.power.restore();
        fixture.ram.lose_power(Survival::Seeded(seed));
        assert_eq!(fixture.open().written_outside().unwrap(), None, "event {event}, seed {seed}");
    }
}

/// A write has begun and waits for a record that says so, when a flush ends. The record of that flush says so too, but a power loss may undo it.
#[test]
fn a_write_relies_on_no_record_that_was_not_flushed() {
    let (fixture, _) = Fixture::new();
    let (_, disk) = disk_of(&fixture);
    write(&disk, 10, 1);
    let late = [Piece { offset_bytes: 20 * 4096, bytes: &[1; 4096] }];
    let begun = disk.state().contents.as_mut().unwrap().begin(disk.form(VERSION), &late);
    disk.barrier().unwrap();
    assert!(!disk.state().contents.as_ref().unwrap().are_noted(&begun));
    // What was noted durably before may still be relied on.
    write(&disk, 20, 1);
    assert!(disk.state().contents.as_ref().unwrap().are_noted(&begun));
    fixture.ram.lose_power(Survival::Nothing);
    assert_eq!(fixture.open().written_outside().unwrap(), None);
}

#[test]
fn a_flush_covers_no_write_that_ended_after_it_began() {
    for seed in 0..32 {
        let (fixture, _) = Fixture::new();
        let (flushes, disk) = disk_of(&fixture);
        let writing = Arc::clone(&disk);
        flushes.do_next(move || write(&writing, 10, 2));
        disk.barrier().unwrap();
        fixture.ram.lose_power(Survival::Seeded(seed));
        assert_eq!(fixture.open().written_outside().unwrap(), None, "seed {seed}");
    }
}

/// Which of two writes of a block comes last, the disk alone knows.
#[test]
fn a_block_that_two_threads_write_at_once_is_not_known() {
    let (fixture, _) = Fixture::new();
    let (_, disk) = disk_of(&fixture);
    let form = disk.form(VERSION);
    let mut state = disk.state();
    let contents = state.contents.as_mut().unwrap();
    let writes =
        [1, 2].map(|content| contents.begin(form, &[Piece { offset_bytes: 10 * 4096, bytes: &[content; 4096] }]));
    for begun in &writes {
        contents.end(begun, true);
    }
    contents.flush_ended(contents.flush_begins(), true);
    let Stage::Masked { written_to, .. } = contents.stage() else { panic!("it is not masked") };
    assert!(written_to.contains(&10));
}

/// Whatever threads write and flush at once, a power loss leaves no block that is not what the record says. Without the rule of
/// [`a_write_relies_on_no_record_that_was_not_flushed`], one of the first 30 to 90 rounds breaks it.
#[test]
fn histories_of_many_threads_survive_power_losses() {
    for round in 0..200 {
        let (fixture, _) = Fixture::new();
        let (_, disk) = disk_of(&fixture);
        fixture.power.fail_at(fixture.power.events() + 20 + round * 7 % 200);
        thread::scope(|scope| {
            let disk = &disk;
            for writer in 0..3 {
                scope.spawn(move || write_and_flush(disk, writer, &mut SplitMix64::new(round * 4 + writer)));
            }
            scope.spawn(move || {
                while disk.barrier().is_ok() {
                    thread::yield_now();
                }
            });
        });
        fixture.power.restore();
        fixture.ram.lose_power(Survival::Seeded(round));
        assert_eq!(fixture.open().written_outside().unwrap(), None, "round {round}");
    }
}

/// Blocks that no other writer has, until the power fails.
fn write_and_flush(disk: &MaskedDisk, writer: u64, random: &mut SplitMix64) {
    for step in 1..=u8::MAX {
        let block = random.below(30) * 3 + writer;
        let done = match random.below(4) {
            0 => disk.barrier(),
            _ => disk.write_at(block * 4096, &[step; 4096]),
        };
        if done.is_err() {
            return;
        }
    }
    panic!("the power did not fail");
}
