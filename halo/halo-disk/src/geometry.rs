//! Where sectors lie.

use crate::profile::Profile;

/// A sector's place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Distance from the outer rim, in tracks.
    pub cylinder: u64,
    /// Surface.
    pub head: u64,
    /// Number within the track.
    pub sector: u64,
    /// Sectors in this track.
    pub track_sectors: u64,
}

/// The map from sector numbers to places: track by track, cylinder by cylinder, from the outer rim inwards.
#[derive(Clone, Debug)]
pub struct Geometry {
    heads: u64,
    zones: Vec<Zone>,
    cylinders: u64,
}

#[derive(Clone, Copy, Debug)]
struct Zone {
    first_sector: u64,
    first_cylinder: u64,
    track_sectors: u64,
}

impl Geometry {
    /// The geometry of a profile: as many cylinders as its capacity needs.
    pub fn new(profile: &Profile) -> Self {
        let zone_count = profile.zones.max(1);
        let track_sectors = |zone: u64| {
            let fall = profile.outer_track_sectors - profile.inner_track_sectors;
            profile.outer_track_sectors - fall * zone / (zone_count - 1).max(1)
        };
        let sectors = profile.capacity_bytes.div_ceil(crate::SECTOR_BYTES);
        let per_cylinder_of_each: u64 = (0..zone_count).map(|zone| track_sectors(zone) * profile.heads).sum();
        let zone_cylinders = sectors.div_ceil(per_cylinder_of_each);
        let mut first_sector = 0;
        let zones = (0..zone_count)
            .map(|number| {
                let zone = Zone {
                    first_sector,
                    first_cylinder: number * zone_cylinders,
                    track_sectors: track_sectors(number),
                };
                first_sector += zone_cylinders * profile.heads * zone.track_sectors;
                zone
            })
            .collect();
        Self { heads: profile.heads, zones, cylinders: zone_cylinders * zone_count }
    }

    /// Cylinders.
    pub fn cylinders(&self) -> u64 {
        self.cylinders
    }

    /// Where a sector lies; beyond the end, where it would lie in the last zone.
    pub fn place(&self, sector: u64) -> Place {
        let index = self.zones.partition_point(|zone| zone.first_sector <= sector).saturating_sub(1);
        let zone = self.zones[index];
        let in_zone = sector - zone.first_sector;
        let track = in_zone / zone.track_sectors;
        Place {
            cylinder: zone.first_cylinder + track / self.heads,
            head: track % self.heads,
            sector: in_zone % zone.track_sectors,
            track_sectors: zone.track_sectors,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_sectors_are_neighbours_on_the_platter() {
        let geometry = Geometry::new(&Profile::ENTERPRISE);
        let last = Profile::ENTERPRISE.capacity_bytes / 512 - 1;
        for start in (0..last - 5000).step_by(7_654_321) {
            let mut before = geometry.place(start);
            for sector in start + 1..start + 5000 {
                let place = geometry.place(sector);
                let same_track = (place.cylinder, place.head) == (before.cylinder, before.head);
                let next_sector = same_track && place.sector == before.sector + 1;
                let next_track = !same_track
                    && place.sector == 0
                    && before.sector == before.track_sectors - 1
                    && (place.cylinder * 4 + place.head) == (before.cylinder * 4 + before.head) + 1;
                assert!(next_sector || next_track, "{before:?} {place:?}");
                before = place;
            }
        }
        assert!(geometry.place(last).cylinder < geometry.cylinders());
    }

    #[test]
    fn outer_tracks_hold_more_than_inner_ones() {
        let geometry = Geometry::new(&Profile::ENTERPRISE);
        let last = Profile::ENTERPRISE.capacity_bytes / 512 - 1;
        assert_eq!((geometry.place(0).track_sectors, geometry.place(last).track_sectors), (1700, 850));
    }
}
