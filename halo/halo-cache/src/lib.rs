//! Media.
