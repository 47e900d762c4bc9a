//! The time to get to a sector: seek, settle, rotation, transfer.

use crate::geometry::{Geometry, Place};
use crate::profile::Profile;

/// Heads and platters: where the heads are; the platters' angle follows from the time.
#[derive(Clone, Debug)]
pub struct Arm {
    profile: Profile,
    geometry: Geometry,
    cylinder: u64,
    head: u64,
    /// Nanoseconds per square root of a cylinder, and per cylinder: see [`Arm::seek_nanos`].
    root_nanos: f64,
    linear_nanos: f64,
}

/// When the sector of interest is under the head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Positioning {
    /// The first sector begins to pass.
    pub begin_nanos: u64,
    /// The last sector has passed.
    pub end_nanos: u64,
}

impl Arm {
    /// Parked at the outer rim.
    pub fn new(profile: Profile) -> Self {
        let geometry = Geometry::new(&profile);
        let cylinders = geometry.cylinders() as f64;
        let [least, mean, full] =
            [profile.least_seek_nanos, profile.mean_seek_nanos, profile.full_seek_nanos].map(|nanos| nanos as f64);
        Self {
            root_nanos: ((-10.0 * least + 15.0 * mean - 5.0 * full) / (3.0 * cylinders.sqrt())).max(0.0),
            linear_nanos: ((7.0 * least - 15.0 * mean + 8.0 * full) / (3.0 * cylinders)).max(0.0),
            profile,
            geometry,
            cylinder: 0,
            head: 0,
        }
    }

    /// Where sectors lie.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Time to move over `cylinders`.
    ///
    /// t(0) = 0, t(x) = a sqrt(x - 1) + b (x - 1) + c, with c the least seek, n the cylinders,
    /// a = (-10 least + 15 mean - 5 full) / (3 sqrt n), b = (7 least - 15 mean + 8 full) / (3 n).
    ///
    /// Source: Lee, Katz: An Analytic Performance Model of Disk Arrays, SIGMETRICS 1993.
    pub fn seek_nanos(&self, cylinders: u64) -> u64 {
        if cylinders == 0 {
            return 0;
        }
        let further = (cylinders - 1) as f64;
        self.profile.least_seek_nanos + (self.root_nanos * further.sqrt() + self.linear_nanos * further) as u64
    }

    /// When `sectors` from `first` on would be transferred, if the arm set out at `now_nanos`.
    pub fn position(&self, now_nanos: u64, first: u64, sectors: u64, writes: bool) -> Positioning {
        let place = self.geometry.place(first);
        let arrival = now_nanos + self.moving_nanos(self.cylinder, self.head, place, writes);
        let begin_nanos = self.next_pass(arrival, place);
        Positioning { begin_nanos, end_nanos: self.transfer_end(begin_nanos, first, sectors, place) }
    }

    /// Mean time per sector when many tracks are read that begin with the one that holds `sector`.
    pub fn sector_nanos(&self, sector: u64) -> u64 {
        let skew = self.profile.head_switch_nanos + self.profile.write_settle_nanos;
        (self.profile.revolution_nanos() + skew) / self.geometry.place(sector).track_sectors
    }

    /// The transfer of `sectors` from `first` on has ended: the head is where the last one lies.
    pub fn moved(&mut self, first: u64, sectors: u64) {
        let place = self.geometry.place(first + sectors.max(1) - 1);
        (self.cylinder, self.head) = (place.cylinder, place.head);
    }

    fn moving_nanos(&self, cylinder: u64, head: u64, to: Place, writes: bool) -> u64 {
        let seek = self.seek_nanos(cylinder.abs_diff(to.cylinder));
        let switch = if seek == 0 && head != to.head { self.profile.head_switch_nanos } else { 0 };
        let settle = if writes && seek + switch > 0 { self.profile.write_settle_nanos } else { 0 };
        seek + switch + settle
    }

    /// The angle at which a sector begins, as time since the index mark. Tracks are skewed so that the next one's first sector
    /// comes round just when the head has got there.
    fn angle_nanos(&self, place: Place) -> u64 {
        let revolution = self.profile.revolution_nanos();
        let head_skew = self.profile.head_switch_nanos + self.profile.write_settle_nanos;
        let cylinder_skew = self.profile.least_seek_nanos + self.profile.write_settle_nanos;
        let per_cylinder = (self.profile.heads - 1) * head_skew + cylinder_skew;
        let skew = place.cylinder * per_cylinder + place.head * head_skew;
        (place.sector * revolution / place.track_sectors + skew) % revolution
    }

    fn next_pass(&self, from_nanos: u64, place: Place) -> u64 {
        let revolution = self.profile.revolution_nanos();
        let wait = (self.angle_nanos(place) + revolution - from_nanos % revolution) % revolution;
        from_nanos + wait
    }

    fn transfer_end(&self, begin_nanos: u64, first: u64, sectors: u64, place: Place) -> u64 {
        let revolution = self.profile.revolution_nanos();
        let (mut at_nanos, mut place, mut next, mut left) = (begin_nanos, place, first, sectors);
        loop {
            let here = left.min(place.track_sectors - place.sector);
            at_nanos += here * revolution / place.track_sectors;
            left -= here;
            if left == 0 {
                return at_nanos;
            }
            next += here;
            let (cylinder, head) = (place.cylinder, place.head);
            place = self.geometry.place(next);
            // Writes settle as long as the skew allows for.
            at_nanos = self.next_pass(at_nanos + self.moving_nanos(cylinder, head, place, false), place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seek_curve_goes_through_the_three_seeks_of_the_data_sheet() {
        let profile = Profile::ENTERPRISE;
        let arm = Arm::new(profile);
        let cylinders = arm.geometry().cylinders();
        assert_eq!(arm.seek_nanos(1), profile.least_seek_nanos);
        let full = arm.seek_nanos(cylinders - 1) as f64;
        assert!((full / profile.full_seek_nanos as f64 - 1.0).abs() < 0.01, "{full}");
        // The mean over all pairs of cylinders that differ by x: 2 (n - x) / n^2 of them.
        let (mut sum, mut weights) = (0.0, 0.0);
        for distance in 1..cylinders {
            let weight = (cylinders - distance) as f64;
            sum += weight * arm.seek_nanos(distance) as f64;
            weights += weight;
        }
        assert!((sum / weights / profile.mean_seek_nanos as f64 - 1.0).abs() < 0.01, "{}", sum / weights);
    }

    #[test]
    fn a_long_transfer_runs_at_nearly_the_data_rate_of_its_tracks() {
        let arm = Arm::new(Profile::ENTERPRISE);
        let position = arm.position(0, 0, 204_800, false);
        let bytes_per_second = 204_800.0 * 512.0 / ((position.end_nanos - position.begin_nanos) as f64 / 1e9);
        let track_rate = 1700.0 * 512.0 * 120.0;
        assert!((0.80..1.0).contains(&(bytes_per_second / track_rate)), "{bytes_per_second}");
    }

    #[test]
    fn the_sector_that_has_just_passed_comes_round_after_a_revolution() {
        let mut arm = Arm::new(Profile::ENTERPRISE);
        let first = arm.position(0, 1000, 8, false);
        arm.moved(1000, 8);
        let again = arm.position(first.end_nanos, 1000, 8, false);
        assert_eq!(again.begin_nanos, first.begin_nanos + Profile::ENTERPRISE.revolution_nanos());
    }
}
