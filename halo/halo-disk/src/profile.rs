//! The disk that is imitated.

/// The properties of a disk.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Profile {
    /// Its name on a command line.
    pub name: &'static str,
    /// Size.
    pub capacity_bytes: u64,
    /// Revolutions per minute.
    pub revolutions_per_minute: u64,
    /// Surfaces with a head each.
    pub heads: u64,
    /// Sectors per track in the outermost zone.
    pub outer_track_sectors: u64,
    /// Sectors per track in the innermost zone.
    pub inner_track_sectors: u64,
    /// Zones of equal width; sectors per track fall evenly from one to the next.
    pub zones: u64,
    /// Seek to the neighbouring cylinder.
    pub least_seek_nanos: u64,
    /// Seek over a third of all cylinders: the mean of random seeks.
    pub mean_seek_nanos: u64,
    /// Seek over all cylinders.
    pub full_seek_nanos: u64,
    /// The extra time of a write until the head may write.
    pub write_settle_nanos: u64,
    /// Change to another head of the same cylinder.
    pub head_switch_nanos: u64,
    /// Handling of one read, before anything moves.
    pub command_nanos: u64,
    /// Handling of one write.
    pub write_command_nanos: u64,
    /// Handling of one read that the disk's buffer answers.
    pub hit_nanos: u64,
    /// One sector on its way between host and disk.
    pub bus_sector_nanos: u64,
    /// Commands that the disk chooses from; 1: it takes them as they come.
    pub queue_depth: usize,
    /// A command that has waited this long goes first.
    pub patience_nanos: u64,
    /// Nothing: writes are on the platter when they complete.
    pub write_cache: Option<WriteCacheProfile>,
    /// Nothing: every read goes to the platter.
    pub read_buffer: Option<ReadBufferProfile>,
}

/// A buffer that keeps what was read and written, and reads on while nothing else is to do.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ReadBufferProfile {
    /// Pieces of the platter that it can keep at a time.
    pub segments: usize,
    /// Greatest length of each.
    pub segment_sectors: u64,
}

/// A volatile cache for writes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WriteCacheProfile {
    /// Size.
    pub capacity_bytes: u64,
    /// The extra time of a flush beside writing the cached blocks.
    pub flush_nanos: u64,
    /// Cached writes that the disk chooses from when it writes them.
    pub choice: usize,
}

const MILLISECOND_NANOS: u64 = 1_000_000;

impl Profile {
    /// An enterprise disk of 500 GB that writes through.
    ///
    /// Seek, rotation and data rate as in the data sheets of the class (8.5 ms mean seek for reading, 9 ms for writing, about
    /// 105 MB/s outside). Own: zones, track counts and command time, chosen so that one random read takes 12 to 13 ms and 32 at
    /// a time give about 200 per second.
    pub const ENTERPRISE: Self = Self {
        name: "enterprise",
        capacity_bytes: 500_107_862_016,
        revolutions_per_minute: 7200,
        heads: 4,
        outer_track_sectors: 1700,
        inner_track_sectors: 850,
        zones: 16,
        least_seek_nanos: 630_000,
        mean_seek_nanos: 85 * MILLISECOND_NANOS / 10,
        full_seek_nanos: 18 * MILLISECOND_NANOS,
        write_settle_nanos: 500_000,
        head_switch_nanos: 600_000,
        command_nanos: 100_000,
        write_command_nanos: 100_000,
        hit_nanos: 100_000,
        // 300 MB/s.
        bus_sector_nanos: 1_700,
        queue_depth: 32,
        patience_nanos: 1000 * MILLISECOND_NANOS,
        write_cache: None,
        read_buffer: Some(ReadBufferProfile { segments: 16, segment_sectors: 2048 }),
    };

    /// An enterprise disk of 8 TB that writes through.
    ///
    /// Calibrated to published figures of the HGST 7K8: a random read in 12.2 ms, about 200 per second 32 at a time, 205 MB/s, a
    /// write with its flush in 12 to 14.5 ms.
    pub const ENTERPRISE_8T: Self = Self {
        name: "enterprise-8t",
        capacity_bytes: 8_001_563_222_016,
        heads: 14,
        outer_track_sectors: 3600,
        inner_track_sectors: 1620,
        mean_seek_nanos: 82 * MILLISECOND_NANOS / 10,
        full_seek_nanos: 16 * MILLISECOND_NANOS,
        ..Self::ENTERPRISE
    };

    /// A desktop disk of 500 GB with its write cache on, as it is delivered.
    ///
    /// The mechanics of [`Profile::ENTERPRISE`], and a cache that chooses among so many writes that random ones of 4 KiB get
    /// through at 0.5 MB/s, which Auburn §3.3 measured on "a standard hard disk" (and 100 MB/s for sequential ones).
    pub const DESKTOP: Self = Self {
        name: "desktop",
        write_cache: Some(WriteCacheProfile { capacity_bytes: 16 << 20, flush_nanos: 0, choice: 4 }),
        ..Self::ENTERPRISE
    };

    /// A consumer disk of 2 TB with a volatile cache whose flush writes block after block.
    ///
    /// Calibrated to one published measurement of an ST2000DM006: a random read takes 17.5 ms, 32 at a time give 94 per second,
    /// 132 to 143 MB/s, 124 random writes per second, and a flush after N scattered blocks 28 + 9.4 N ms.
    pub const CONSUMER: Self = Self {
        name: "consumer",
        capacity_bytes: 2_000_398_934_016,
        outer_track_sectors: 2400,
        inner_track_sectors: 1200,
        mean_seek_nanos: 125 * MILLISECOND_NANOS / 10,
        full_seek_nanos: 25 * MILLISECOND_NANOS,
        least_seek_nanos: MILLISECOND_NANOS,
        queue_depth: 4,
        write_cache: Some(WriteCacheProfile {
            capacity_bytes: 32 << 20,
            flush_nanos: 14 * MILLISECOND_NANOS,
            choice: 6,
        }),
        ..Self::ENTERPRISE
    };

    /// All profiles.
    pub const ALL: [Self; 4] = [Self::ENTERPRISE, Self::ENTERPRISE_8T, Self::DESKTOP, Self::CONSUMER];

    /// The profile of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name == name)
    }

    /// Time of one revolution.
    pub fn revolution_nanos(&self) -> u64 {
        60_000_000_000 / self.revolutions_per_minute
    }
}
