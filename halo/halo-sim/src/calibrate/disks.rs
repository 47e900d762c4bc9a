//! The disks of `DiskSim`'s validation: Quantum, Seagate, IBM, HP and DEC, 1991 to 1999.
//!
//! Source: the parameter files that come with `DiskSim` 4 (`*.diskspecs`, `*.model`, `*.seek`, measured by Ganger, Schindler and
//! others with `DIXtrac`). Deviation: of a measured seek curve, least, mean and greatest time are taken; of a zone table, the first,
//! the last and how many; of overheads that depend on the command before, the mean; negative settling times are taken as 0.
//! `DiskSim` itself knows all of these, and sectors that slipped, hence its smaller demerits.

use halo_disk::{Profile, ReadBufferProfile, SECTOR_BYTES, WriteCacheProfile};

/// A disk with a validation trace.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ValidationDisk {
    /// The trace's name, without what follows the first dot.
    pub trace: &'static str,
    /// The name under which it was sold.
    pub product: &'static str,
    /// The model of it.
    pub profile: Profile,
    /// `DiskSim`'s own demerit, where its script `runvalid` prints one.
    pub disksim_demerit_micros: Option<u32>,
}

impl ValidationDisk {
    /// The disk of a trace, by the beginning of its file name.
    pub fn of_trace(file_name: &str) -> Option<Self> {
        let name = file_name.split('.').next()?;
        ALL.into_iter().find(|disk| disk.trace == name)
    }
}

/// Times in microseconds, sizes in sectors.
#[derive(Clone, Copy)]
struct Mechanics {
    surfaces: u64,
    sectors: u64,
    revolutions_per_minute: u64,
    /// Outermost and innermost zone.
    track_sectors: [u64; 2],
    zones: u64,
    /// Least, mean, greatest.
    seek: [u64; 3],
    write_settle: u64,
    head_switch: u64,
}

/// Times in microseconds.
#[derive(Clone, Copy)]
struct Electronics {
    bus_sector: u64,
    /// Reads that hit, reads that miss, writes.
    command: [u64; 3],
    /// True: writes complete before they are on the platter.
    caches_writes: bool,
    segments: usize,
    segment_sectors: u64,
}

const fn disk(
    trace: &'static str,
    product: &'static str,
    disksim_demerit_micros: Option<u32>,
    mechanics: Mechanics,
    electronics: Electronics,
) -> ValidationDisk {
    let write_cache =
        WriteCacheProfile { capacity_bytes: electronics.segment_sectors * SECTOR_BYTES, flush_nanos: 0, choice: 1 };
    let profile = Profile {
        name: trace,
        capacity_bytes: mechanics.sectors * SECTOR_BYTES,
        revolutions_per_minute: mechanics.revolutions_per_minute,
        heads: mechanics.surfaces,
        outer_track_sectors: mechanics.track_sectors[0],
        inner_track_sectors: mechanics.track_sectors[1],
        zones: mechanics.zones,
        least_seek_nanos: mechanics.seek[0] * 1000,
        mean_seek_nanos: mechanics.seek[1] * 1000,
        full_seek_nanos: mechanics.seek[2] * 1000,
        write_settle_nanos: mechanics.write_settle * 1000,
        head_switch_nanos: mechanics.head_switch * 1000,
        command_nanos: electronics.command[1] * 1000,
        write_command_nanos: electronics.command[2] * 1000,
        hit_nanos: electronics.command[0] * 1000,
        bus_sector_nanos: electronics.bus_sector * 1000,
        queue_depth: 1,
        patience_nanos: 1_000_000_000,
        write_cache: if electronics.caches_writes { Some(write_cache) } else { None },
        read_buffer: Some(ReadBufferProfile {
            segments: electronics.segments,
            segment_sectors: electronics.segment_sectors,
        }),
    };
    ValidationDisk { trace, product, profile, disksim_demerit_micros }
}

/// All of them.
pub const ALL: [ValidationDisk; 11] = [
    disk(
        "atlas_III",
        "Quantum Atlas III (QM39100TD-SW)",
        Some(378),
        Mechanics {
            surfaces: 10,
            sectors: 17_783_250,
            revolutions_per_minute: 7_200,
            track_sectors: [256, 168],
            zones: 9,
            seek: [1_663, 8_310, 15_360],
            write_settle: 0,
            head_switch: 999,
        },
        Electronics { bus_sector: 106, command: [355, 0, 445], caches_writes: true, segments: 6, segment_sectors: 64 },
    ),
    disk(
        "barracuda",
        "Seagate Barracuda (ST32171W)",
        Some(349),
        Mechanics {
            surfaces: 5,
            sectors: 4_110_000,
            revolutions_per_minute: 7_200,
            track_sectors: [186, 119],
            zones: 11,
            seek: [1_943, 9_325, 16_679],
            write_settle: 0,
            head_switch: 100,
        },
        Electronics {
            bus_sector: 134,
            command: [339, 591, 952],
            caches_writes: true,
            segments: 3,
            segment_sectors: 281,
        },
    ),
    disk(
        "cheetah4LP",
        "Seagate Cheetah 4LP (ST34501N)",
        Some(318),
        Mechanics {
            surfaces: 8,
            sectors: 8_887_200,
            revolutions_per_minute: 10_033,
            track_sectors: [195, 131],
            zones: 7,
            seek: [636, 7_960, 16_107],
            write_settle: 0,
            head_switch: 195,
        },
        Electronics {
            bus_sector: 106,
            command: [189, 588, 385],
            caches_writes: true,
            segments: 3,
            segment_sectors: 282,
        },
    ),
    disk(
        "cheetah9LP",
        "Seagate Cheetah 9LP (ST39102LW)",
        Some(107),
        Mechanics {
            surfaces: 12,
            sectors: 17_783_240,
            revolutions_per_minute: 10_045,
            track_sectors: [254, 167],
            zones: 11,
            seek: [831, 5_466, 10_627],
            write_settle: 461,
            head_switch: 30,
        },
        Electronics {
            bus_sector: 105,
            command: [170, 185, 763],
            caches_writes: true,
            segments: 3,
            segment_sectors: 561,
        },
    ),
    disk(
        "ibm18es",
        "IBM Ultrastar 18ES (DNES-309170W)",
        Some(135),
        Mechanics {
            surfaces: 5,
            sectors: 17_916_240,
            revolutions_per_minute: 7_200,
            track_sectors: [390, 247],
            zones: 11,
            seek: [1_062, 7_199, 12_853],
            write_settle: 126,
            head_switch: 62,
        },
        Electronics {
            bus_sector: 101,
            command: [102, 338, 389],
            caches_writes: true,
            segments: 7,
            segment_sectors: 511,
        },
    ),
    disk(
        "atlas10k",
        "Quantum Atlas 10K (TORNADO)",
        Some(268),
        Mechanics {
            surfaces: 6,
            sectors: 17_938_986,
            revolutions_per_minute: 10_025,
            track_sectors: [334, 229],
            zones: 24,
            seek: [1_245, 5_597, 10_828],
            write_settle: 487,
            head_switch: 176,
        },
        Electronics { bus_sector: 99, command: [184, 0, 304], caches_writes: true, segments: 10, segment_sectors: 374 },
    ),
    disk(
        "hp_c2247a",
        "HP C2247A",
        Some(90),
        Mechanics {
            surfaces: 13,
            sectors: 2_054_864,
            revolutions_per_minute: 5_400,
            track_sectors: [96, 56],
            zones: 8,
            seek: [2_890, 11_501, 19_845],
            write_settle: 650,
            head_switch: 890,
        },
        Electronics {
            bus_sector: 178,
            command: [953, 558, 824],
            caches_writes: false,
            segments: 2,
            segment_sectors: 256,
        },
    ),
    disk(
        "hp_c3323a",
        "HP C3323A",
        Some(306),
        Mechanics {
            surfaces: 7,
            sectors: 2_056_008,
            revolutions_per_minute: 5_396,
            track_sectors: [120, 72],
            zones: 8,
            seek: [1_178, 9_527, 18_116],
            write_settle: 70,
            head_switch: 650,
        },
        Electronics {
            bus_sector: 146,
            command: [868, 2_502, 3_105],
            caches_writes: false,
            segments: 2,
            segment_sectors: 512,
        },
    ),
    disk(
        "hp_c2490a",
        "HP C2490A",
        Some(254),
        Mechanics {
            surfaces: 18,
            sectors: 4_165_272,
            revolutions_per_minute: 6_398,
            track_sectors: [108, 68],
            zones: 11,
            seek: [1_264, 9_190, 17_378],
            write_settle: 0,
            head_switch: 992,
        },
        Electronics {
            bus_sector: 148,
            command: [710, 2_946, 2_053],
            caches_writes: false,
            segments: 1,
            segment_sectors: 256,
        },
    ),
    disk(
        "dec_rz26",
        "DEC RZ26",
        Some(340),
        Mechanics {
            surfaces: 14,
            sectors: 2_050_860,
            revolutions_per_minute: 5_360,
            track_sectors: [58, 58],
            zones: 1,
            seek: [1_014, 10_496, 19_099],
            write_settle: 0,
            head_switch: 865,
        },
        Electronics {
            bus_sector: 71,
            command: [1_186, 1_489, 2_055],
            caches_writes: false,
            segments: 10,
            segment_sectors: 57,
        },
    ),
    disk(
        "st41601n",
        "Seagate Elite ST41601N",
        None,
        Mechanics {
            surfaces: 17,
            sectors: 2_676_846,
            revolutions_per_minute: 5_397,
            track_sectors: [85, 61],
            zones: 14,
            seek: [1_626, 11_145, 21_778],
            write_settle: 0,
            head_switch: 0,
        },
        Electronics {
            bus_sector: 96,
            command: [701, 1_433, 1_732],
            caches_writes: false,
            segments: 1,
            segment_sectors: 384,
        },
    ),
];
