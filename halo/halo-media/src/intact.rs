//! Locks after a panic.

use std::sync::PoisonError;

/// The value that a lock guards, or that a wait for it gives. When a thread panicked while it held the lock, it may have left half a change: this thread
/// panics as well, instead of going on with it.
///
/// # Panics
/// As said.
pub fn intact<T>(locked: Result<T, PoisonError<T>>) -> T {
    locked.unwrap_or_else(|_| panic!("another thread panicked in the middle of a change"))
}
