//! The disk model against disks that were measured.
//!
//! The traces of `DiskSim`'s validation hold, for each request, the time that a real disk took for it. The model gets the same
//! requests, each as long after the completion of the one before as then, and the two distributions of response times are
//! compared. Nothing is fitted to the traces: parameters are the published ones of [`disks`]. Start with [`validate`].

pub mod disks;

use crate::trace::{TraceError, read_lines};
use disks::ValidationDisk;
use halo_disk::{Disk, Operation, Request};
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

/// Reads a validation trace: `R|W Hit|Miss|.. sector sectors micros gap`.
///
/// # Errors
/// See [`TraceError`].
pub fn read_measured(path: &Path) -> Result<Vec<Measured>, TraceError> {
    let mut measured = Vec::new();
    read_lines(path, |text, _| {
        measured.push(parse(text)?);
        Ok(())
    })?;
    Ok(measured)
}

fn parse(text: &str) -> Result<Measured, &'static str> {
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

    #[test]
    fn the_demerit_of_a_distribution_moved_by_two_is_two() {
        let values: Vec<f64> = (0..1000).map(f64::from).collect();
        let moved = values.iter().rev().map(|value| value + 2.0).collect();
        assert!((demerit(values.clone(), moved) - 2.0).abs() < 1e-9);
        assert!(demerit(values.clone(), values) < 1e-9);
    }
}
