//! Questions to a running server.

use crate::control::ask;
use crate::status::Status;
use std::io;
use std::path::Path;

/// The status of the server behind a control socket.
///
/// # Errors
/// Nobody listens, or the answer is none.
pub fn ask_status(control: &Path) -> io::Result<Status> {
    parse(&ask(control, "GET /status")?)
}

/// Tells the server to write everything to the disk; gives the status as it begins.
///
/// # Errors
/// As for [`ask_status`].
pub fn request_drain(control: &Path) -> io::Result<Status> {
    parse(&ask(control, "POST /drain")?)
}

/// The metrics of the server behind a control socket, in Prometheus' text format.
///
/// # Errors
/// As for [`ask_status`].
pub fn ask_metrics(control: &Path) -> io::Result<String> {
    ask(control, "GET /metrics")
}

fn parse(body: &str) -> io::Result<Status> {
    serde_json::from_str(body).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}
