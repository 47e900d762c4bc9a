//! The promises of the cache as scenarios that either hold or say what is broken.
//!
//! `promises.rs` runs them on the cache as it is, and, with the feature `planted-bugs`, on caches with a known mistake,
//! each of which must break at least one.

pub(crate) mod age;
pub(crate) mod bypass;
pub(crate) mod clean;
pub(crate) mod corruption;
pub(crate) mod faults;
pub(crate) mod flushes;
pub(crate) mod growth;
pub(crate) mod histories;
pub(crate) mod identities;
pub(crate) mod lying;
pub(crate) mod machine;
pub(crate) mod notes;
pub(crate) mod operations;
pub(crate) mod order;
pub(crate) mod records;
pub(crate) mod unreadable;
