//! Errors with the name of the file or device that they are about.

use rustix::io::Errno;
use std::path::Path;
use std::{error, fmt, io};

/// The text in place of that of the system, whose reason is kept.
#[derive(Debug)]
struct Named {
    text: String,
    reason: Option<Reason>,
}

#[derive(Clone, Copy, Debug)]
enum Reason {
    System(i32),
    Empty,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl error::Error for Named {}

pub(crate) fn name(path: &Path, error: &io::Error, what: &str) -> io::Error {
    let text = format!("{}: {what}: {error}", path.display());
    io::Error::new(error.kind(), Named { text, reason: reason_of(error) })
}

pub(crate) fn empty(path: &Path) -> io::Error {
    let text = format!("{}: has no size", path.display());
    io::Error::new(io::ErrorKind::InvalidInput, Named { text, reason: Some(Reason::Empty) })
}

fn reason_of(error: &io::Error) -> Option<Reason> {
    error.raw_os_error().map(Reason::System).or_else(|| error.get_ref()?.downcast_ref::<Named>()?.reason)
}

/// True when nothing can be had from the file or device: it is not there, is empty, or is there and cannot be read, as an unplugged or a
/// dead device or link says. Other errors are of this process or of how the device is used now, and say nothing about what it holds.
pub fn says_lost(error: &io::Error) -> bool {
    const LOST: [Errno; 7] =
        [Errno::NOENT, Errno::NXIO, Errno::NODEV, Errno::IO, Errno::NOMEDIUM, Errno::REMOTEIO, Errno::TIMEDOUT];
    match reason_of(error) {
        Some(Reason::System(number)) => LOST.contains(&Errno::from_raw_os_error(number)),
        Some(Reason::Empty) => true,
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_of_an_error_survives_its_names() {
        let of = |errno: Errno| {
            let error = name(Path::new("a"), &errno.into(), "cannot be opened");
            name(Path::new("b"), &error, "a loop device")
        };
        let lost =
            [Errno::NOENT, Errno::NXIO, Errno::NODEV, Errno::IO, Errno::NOMEDIUM, Errno::REMOTEIO, Errno::TIMEDOUT];
        assert!(lost.into_iter().all(|errno| says_lost(&of(errno))));
        let others = [Errno::ROFS, Errno::ACCESS, Errno::MFILE, Errno::INTR, Errno::NOMEM, Errno::LOOP];
        assert!(!others.into_iter().any(|errno| says_lost(&of(errno))));
        assert!(!says_lost(&io::Error::other("it is lost")));
        assert!(says_lost(&empty(Path::new("a"))));
    }
}
