//! nbdkit's interface for plugins, version 2, in Rust terms.
//!
//! All unsafe code of the servers is here. A plugin implements [`Plugin`] and [`Export`] and is made known by
//! [`register!`](crate::register); it sees strings, slices and results. Not here: what is served.
//!
//! Source: nbdkit-plugin(3), and the layout of `struct nbdkit_plugin` in its header `nbdkit-plugin.h` (1.32). nbdkit accepts a
//! shorter structure from an older header: fields are only ever added at the end.
// The callbacks of a C program can be nothing else; each block says what it relies on.
#![allow(unsafe_code)]

mod raw;

use std::ffi::CStr;
use std::fmt::Display;
use std::sync::{Arc, Mutex, OnceLock};

pub use raw::{Functions, Table, log_error, table};

/// A request that was not carried out.
#[derive(Debug)]
pub struct Failure {
    /// The error for the client: a number of `errno`.
    pub errno: i32,
    /// The line for the log; nothing when it was logged already.
    pub message: Option<String>,
}

impl Failure {
    /// An input or output error with its cause.
    pub fn io(cause: impl Display) -> Self {
        Self { errno: libc::EIO, message: Some(cause.to_string()) }
    }
}

/// Sizes of requests in bytes.
#[derive(Clone, Copy, Debug)]
pub struct BlockSizes {
    /// Requests must be multiples of this.
    pub minimum: u32,
    /// Requests should be.
    pub preferred: u32,
    /// The largest request.
    pub maximum: u32,
}

/// A disk that is served. Requests come from many threads at once.
pub trait Export: Send + Sync + 'static {
    /// Size.
    fn len_bytes(&self) -> u64;
    /// The good sizes of requests.
    fn block_sizes(&self) -> BlockSizes;
    /// True for a spinning disk.
    fn is_rotational(&self) -> bool;
    /// Fills `buffer`.
    ///
    /// # Errors
    /// As the client is told.
    fn read(&self, offset_bytes: u64, buffer: &mut [u8]) -> Result<(), Failure>;
    /// Writes; `durably`: so that it survives a power loss once it returns.
    ///
    /// # Errors
    /// As the client is told.
    fn write(&self, offset_bytes: u64, bytes: &[u8], durably: bool) -> Result<(), Failure>;
    /// Makes all writes durable that have returned.
    ///
    /// # Errors
    /// As the client is told.
    fn flush(&self) -> Result<(), Failure>;
    /// The content of a range does not matter any more.
    ///
    /// # Errors
    /// As the client is told.
    fn trim(&self, offset_bytes: u64, count: u64, durably: bool) -> Result<(), Failure>;
    /// Writes zeros.
    ///
    /// # Errors
    /// As the client is told.
    fn zero(&self, offset_bytes: u64, count: u64, durably: bool) -> Result<(), Failure>;
    /// No request will come any more: ends threads, saves what is not saved. Gives the code with which the process ends.
    fn stop(&self) -> i32;
    /// The process was asked to end. Requests may be under way, and nbdkit waits for them before it calls [`Export::stop`]: an
    /// export whose requests may hang gives up waiting here, on a thread of its own, and gives the code with which the process ends.
    fn ending(&self) -> Option<i32> {
        None
    }
}

/// How an export comes about.
pub trait Plugin: Default + Send + 'static {
    /// The type of the disk that it serves.
    type Export: Export;
    /// Short name.
    const NAME: &'static CStr;
    /// One line.
    const DESCRIPTION: &'static CStr;
    /// Parameters, a line each.
    const HELP: &'static CStr;
    /// Version.
    const VERSION: &'static CStr;

    /// Takes a parameter.
    ///
    /// # Errors
    /// One line that names the bad value.
    fn configure(&mut self, key: &str, value: &str) -> Result<(), String>;
    /// Opens what is to be served, while the operator still sees what goes wrong. Threads must not be started yet: nbdkit is
    /// about to fork.
    ///
    /// # Errors
    /// One line.
    fn open(&mut self) -> Result<Self::Export, String>;
    /// Starts threads.
    ///
    /// # Errors
    /// One line.
    fn start(export: &Arc<Self::Export>) -> Result<(), String>;
    /// Where the one instance of this plugin is kept: a static of its own.
    fn stage() -> &'static Stage<Self>;
}

/// The one instance of a plugin in its process.
pub struct Stage<P: Plugin> {
    pub(crate) plugin: Mutex<Option<P>>,
    pub(crate) export: OnceLock<Arc<P::Export>>,
}

impl<P: Plugin> Stage<P> {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self { plugin: Mutex::new(None), export: OnceLock::new() }
    }
}

impl<P: Plugin> Default for Stage<P> {
    fn default() -> Self {
        Self::new()
    }
}

/// Makes a type known to nbdkit as the plugin of this shared library: `register!(Type)`, once. Only such a library refers to nbdkit's
/// functions, so that programs can be linked with all else.
#[macro_export]
macro_rules! register {
    ($plugin:ty) => {
        // As in nbdkit-plugin.h.
        #[allow(unsafe_code)]
        unsafe extern "C" {
            fn nbdkit_error(format: *const std::ffi::c_char, ...);
            fn nbdkit_set_error(errno: std::ffi::c_int);
            fn nbdkit_nanosleep(seconds: std::ffi::c_uint, nanoseconds: std::ffi::c_uint) -> std::ffi::c_int;
        }

        /// Gives nbdkit the table of callbacks.
        // The name is the one that nbdkit looks for; no other function of the process has it.
        #[allow(unsafe_code)]
        #[unsafe(no_mangle)]
        pub extern "C" fn plugin_init() -> *const $crate::nbdkit::Table {
            let functions = $crate::nbdkit::Functions {
                error: nbdkit_error,
                set_error: nbdkit_set_error,
                nanosleep: nbdkit_nanosleep,
            };
            Box::leak(Box::new($crate::nbdkit::table::<$plugin>(functions)))
        }
    };
}
