//! The disk model against disks that were measured.
//!
//! The traces of `DiskSim`'s validation hold, for each request, the time that a real disk took for it. The model gets the same
//! requests, each as long after the completion of the one before as then, and the two distributions of response times are
//! compared. Nothing is fitted to the traces: parameters are the published ones of [`disks`]. Start with [`validate`].

pub mod disks;

use crate::trace::{TraceError, read_lines};
use disks::ValidationDisk;
use halo_disk::{Disk, Operation, Request, SECTOR_BYTES};
use std::path::Path;

/// One request that a real disk served.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// Read or write.
    pub operation: Operation,
    /// Where.
    pub first_sector: u64,
    /// How long.
    pub sectors: u64,
    /// The disk's time for it.
    pub response_micros: f64,
    /// How long after its completion the next one was sent.
    pub gap_micros: f64,
}

/// How near the model comes to a disk.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Validation {
    /// The disk that is looked at.
    pub disk: ValidationDisk,
    /// Requests compared.
    pub requests: usize,
    /// Mean response time of the disk.
    pub measured_mean_millis: f64,
    /// Mean response time of the model.
    pub model_mean_millis: f64,
    /// Root mean square of the horizontal distances of the two distributions.
    pub demerit_millis: f64,
}

impl Validation {
    /// The demerit over the mean measured response time, in percent.
    pub fn demerit_percent(&self) -> f64 {
        self.demerit_millis / self.measured_mean_millis * 100.0
    }
}

/// Longer than any validation trace, and far from the end of a clock of nanoseconds.
const MOST_MICROS: f64 = 100.0 * 86_400.0 * 1e6;

/// Reads the validation trace of a disk: `R|W Hit|Miss|.. sector sectors micros gap`.
///
/// # Errors
/// See [`TraceError`]: there is no request in it, or one that the disk cannot have served.
pub fn read_measured(path: &Path, disk: &ValidationDisk) -> Result<Vec<Measured>, TraceError> {
    let sectors = disk.profile.capacity_bytes / SECTOR_BYTES;
    let (mut measured, mut micros) = (Vec::new(), 0.0);
    read_lines(path, "mend the line, or take it out", |text, _| {
        let request = parse(text, sectors)?;
        micros += request.response_micros + request.gap_micros;
        if micros > MOST_MICROS {
            return Err("more than 100 days since the first request");
        }
        measured.push(request);
        Ok(())
    })?;
    if measured.is_empty() { Err(TraceError::Empty { name: path.display().to_string() }) } else { Ok(measured) }
}

fn parse(text: &str, disk_sectors: u64) -> Result<Measured, &'static str> {
    let mut fields = text.split_whitespace();
    let operation = match fields.next() {
        Some("R") => Operation::Read,
        Some("W") => Operation::Write,
        _ => return Err("neither R nor W"),
    };
    let _hit = fields.next();
    let mut number =
        |reason| fields.next().and_then(|field| field.parse::<f64>().ok()).filter(|n| *n >= 0.0).ok_or(reason);
    let first_sector = number("no sector")? as u64;
    let sectors = number("no number of sectors")? as u64;
    let response_micros = number("no response time")?;
    let gap_micros = number("no time to the next request")?;
    if sectors == 0 {
        return Err("a request of no length");
    }
    if first_sector.checked_add(sectors).is_none_or(|end| end > disk_sectors) {
        return Err("a request beyond the end of the disk");
    }
    Ok(Measured { operation, first_sector, sectors, response_micros, gap_micros })
}

/// Sends the requests to the model, and compares response times.
///
/// Source: Ruemmler, Wilkes: *An Introduction to Disk Drive Modeling*, IEEE Computer 27(3), 1994 (demerit figure).
pub fn validate(disk: ValidationDisk, measured: &[Measured]) -> Validation {
    let model = model_responses_millis(&disk, measured);
    let real: Vec<f64> = measured.iter().map(|request| request.response_micros / 1e3).collect();
    Validation {
        disk,
        requests: measured.len(),
        measured_mean_millis: mean(&real),
        model_mean_millis: mean(&model),
        demerit_millis: demerit(real, model),
    }
}

/// Response times of the model, in the order of the requests.
pub fn model_responses_millis(disk: &ValidationDisk, measured: &[Measured]) -> Vec<f64> {
    let mut model = Disk::new(disk.profile);
    let (mut now_nanos, mut completed) = (0, Vec::new());
    (0..)
        .zip(measured)
        .map(|(id, request)| {
            let Measured { operation, first_sector, sectors, .. } = *request;
            model.advance(now_nanos, &mut completed);
            completed.clear();
            model.submit(now_nanos, Request { id, operation, first_sector, sectors });
            let mut done_nanos = None;
            while done_nanos.is_none()
                && let Some(at_nanos) = model.next_event_nanos()
            {
                model.advance(at_nanos, &mut completed);
                done_nanos = completed.iter().find(|completion| completion.id == id).map(|done| done.at_nanos);
            }
            let done_nanos = done_nanos.unwrap_or(now_nanos);
            let response_millis = (done_nanos - now_nanos) as f64 / 1e6;
            now_nanos = done_nanos + (request.gap_micros * 1e3) as u64;
            response_millis
        })
        .collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Root mean square of the horizontal distance between two distributions of equally many values.
fn demerit(mut left: Vec<f64>, mut right: Vec<f64>) -> f64 {
    left.sort_by(f64::total_cmp);
    right.sort_by(f64::total_cmp);
    let squares: Vec<f64> = left.iter().zip(&right).map(|(left, right)| (left - right).powi(2)).collect();
    mean(&squares).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_disk::Profile;

    const BARRACUDA: &str = "barracuda.trace";

    fn read(text: &str) -> Result<Vec<Measured>, TraceError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(BARRACUDA);
        std::fs::write(&path, text).unwrap();
        read_measured(&path, &ValidationDisk::of_trace(BARRACUDA).unwrap())
    }

    #[test]
    fn a_request_is_read_with_the_units_of_its_columns() {
        let measured = read("R Miss 4109984 16 12500.5 2000\nW Hit 0 1 700 0\n").unwrap();
        let first = Measured {
            operation: Operation::Read,
            first_sector: 4_109_984,
            sectors: 16,
            response_micros: 12_500.5,
            gap_micros: 2000.0,
        };
        assert_eq!((measured[0], measured[1].operation, measured.len()), (first, Operation::Write, 2));
    }

    /// Else the clock would run over, or an arm go around for years.
    #[test]
    fn what_no_disk_can_have_served_is_refused_with_its_line() {
        for (line, reason) in [
            ("R Miss 4109985 16 12500 2000", "a request beyond the end of the disk"),
            ("R Miss 0 1e300 12500 2000", "a request beyond the end of the disk"),
            ("R Miss 18446744073709551615 16 12500 2000", "a request beyond the end of the disk"),
            ("R Miss 0 16 inf 2000", "more than 100 days since the first request"),
            ("R Miss 0 16 12500 1e30", "more than 100 days since the first request"),
            ("R Miss 0 16 NaN 2000", "no response time"),
            ("R Miss 0 16 -1 2000", "no response time"),
            ("R Miss 0 0 12500 2000", "a request of no length"),
        ] {
            let error = read(&format!("R Miss 0 16 12500 2000\n{line}\n")).unwrap_err().to_string();
            let told = format!("{BARRACUDA}, line 2: {reason}: {line:?}: mend the line, or take it out");
            assert!(error.ends_with(&told), "{error}");
        }
    }

    #[test]
    fn a_trace_without_a_request_says_nothing_of_a_disk() {
        assert!(read("").unwrap_err().to_string().ends_with("no request in it"));
    }

    /// A disk is compared with itself: its own times, and one that takes two milliseconds more.
    #[test]
    fn a_disk_that_answers_as_the_model_does_has_no_demerit() {
        let disk = ValidationDisk::of_trace(BARRACUDA).unwrap();
        let mut measured: Vec<_> = (0..200)
            .map(|number| Measured {
                operation: if number % 3 == 0 { Operation::Write } else { Operation::Read },
                first_sector: number * 20_011,
                sectors: 16,
                response_micros: 0.0,
                gap_micros: 30_000.0 + number as f64,
            })
            .collect();
        let model = model_responses_millis(&disk, &measured);
        measured.iter_mut().zip(model).for_each(|(request, millis)| request.response_micros = millis * 1e3);
        let same = validate(disk, &measured);
        assert!(same.demerit_millis < 1e-9 && same.requests == 200, "{same:?}");
        for request in &mut measured {
            request.response_micros += 2000.0;
        }
        let slower = validate(disk, &measured);
        assert!((slower.demerit_millis - 2.0).abs() < 1e-9, "{slower:?}");
        assert!((slower.measured_mean_millis - slower.model_mean_millis - 2.0).abs() < 1e-9, "{slower:?}");
        assert!((slower.demerit_percent() - 200.0 / slower.measured_mean_millis).abs() < 1e-9, "{slower:?}");
    }

    /// Each request of a trace was sent once the one before had been answered: none waits for another.
    #[test]
    fn the_next_request_comes_so_long_after_the_answer_to_the_last_one() {
        let disk = ValidationDisk::of_trace("hp_c2247a.trace").unwrap();
        assert_eq!(disk.profile.write_cache, None);
        let measured: Vec<_> = (0..100)
            .map(|number| Measured {
                operation: Operation::Read,
                first_sector: number * 7919 % 2_000_000,
                sectors: 8,
                response_micros: 1.0,
                gap_micros: 0.0,
            })
            .collect();
        let most = (disk.profile.full_seek_nanos + 3 * disk.profile.revolution_nanos()) as f64 / 1e6;
        let responses = model_responses_millis(&disk, &measured);
        assert!(
            responses.len() == 100 && responses.iter().all(|&millis| (0.5..most).contains(&millis)),
            "{responses:?}"
        );
        // One that writes the same place again waits for whole turns of the platter, from the answer on.
        let again = Measured { operation: Operation::Write, gap_micros: 3000.0, ..measured[1] };
        for millis in &model_responses_millis(&disk, &[again; 10])[1..] {
            let turns = (millis * 1e6 + 3e6) / disk.profile.revolution_nanos() as f64;
            assert!(turns > 0.5 && (turns - turns.round()).abs() < 1e-3, "{turns} turns");
        }
        // A pause of ten seconds turns the platters, and changes nothing else.
        let paused: Vec<_> = measured.iter().map(|request| Measured { gap_micros: 1e7, ..*request }).collect();
        assert!(model_responses_millis(&disk, &paused).iter().all(|&millis| (0.5..most).contains(&millis)));
    }

    /// As the tables of the disks have them, times in microseconds.
    #[test]
    fn the_profile_of_a_disk_has_each_of_its_times_in_its_place() {
        let Profile { hit_nanos, command_nanos, write_command_nanos, bus_sector_nanos, .. } =
            ValidationDisk::of_trace("hp_c3323a.trace").unwrap().profile;
        let electronics = [hit_nanos, command_nanos, write_command_nanos, bus_sector_nanos];
        assert_eq!(electronics, [868_000, 2_502_000, 3_105_000, 146_000]);
        let profile = ValidationDisk::of_trace("atlas10k").unwrap().profile;
        let seeks = [profile.least_seek_nanos, profile.mean_seek_nanos, profile.full_seek_nanos];
        assert_eq!(seeks, [1_245_000, 5_597_000, 10_828_000]);
        assert_eq!([profile.write_settle_nanos, profile.head_switch_nanos], [487_000, 176_000]);
        assert_eq!([profile.outer_track_sectors, profile.inner_track_sectors, profile.zones], [334, 229, 24]);
        assert_eq!(profile.capacity_bytes, 17_938_986 * 512);
        assert_eq!(ValidationDisk::of_trace("atlas.trace"), None);
    }

    #[test]
    fn the_demerit_of_a_distribution_moved_by_two_is_two() {
        let values: Vec<f64> = (0..1000).map(f64::from).collect();
        let moved = values.iter().rev().map(|value| value + 2.0).collect();
        assert!((demerit(values.clone(), moved) - 2.0).abs() < 1e-9);
        assert!(demerit(values.clone(), values) < 1e-9);
    }
}
