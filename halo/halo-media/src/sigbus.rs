//! Mapped memory that cannot be read or written: the kernel ends the process by a signal (SIGBUS), of a bad page as of a file that became shorter.
//! Nothing can go on where a load gave no value; but a line says what happened, before the process ends as it would have.
//!
//! A handler of a signal may run in the middle of anything. So this one takes no lock, allocates nothing, and calls only what POSIX allows there.
//!
//! Unsafe: installing the handler, and the calls in it.
#![allow(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

use libc::{SA_ONSTACK, SA_SIGINFO, SIG_DFL, SIGBUS, STDERR_FILENO, c_int, c_void, siginfo_t};
use std::mem::{MaybeUninit, zeroed};
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

/// No longer than what a pipe takes as a whole.
const LINE: &str = "halo: memory of the cache cannot be read or written (SIGBUS: a bad page, or its file became shorter), so that this process ends; \
                    under its plain name, without pmem, halo check tells what is left of the cache, and halo drain saves it\n";
/// A reader of the messages that takes none for so long does not keep the process.
const PATIENCE_MILLIS: c_int = 1000;
/// A process has one cache. Of more mappings than this, nothing is said.
const MOST_MAPPINGS: usize = 16;

static MAPPINGS: [Mapping; MOST_MAPPINGS] =
    [const { Mapping { start: AtomicUsize::new(0), len_bytes: AtomicUsize::new(0) } }; MOST_MAPPINGS];
/// A thread says the line.
static BEGUN: AtomicBool = AtomicBool::new(false);
/// It was said, or nobody takes it.
static SAID: AtomicBool = AtomicBool::new(false);
/// What was done about the signal before.
static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

/// Free while both are 0.
struct Mapping {
    start: AtomicUsize,
    len_bytes: AtomicUsize,
}

impl Mapping {
    fn contains(&self, address: usize) -> bool {
        address.checked_sub(self.start.load(SeqCst)).is_some_and(|offset| offset < self.len_bytes.load(SeqCst))
    }
}

/// Memory about which a line is said; until this is dropped, which comes before it is unmapped.
pub(crate) struct Watched(Option<&'static Mapping>);

impl Watched {
    pub(crate) fn new(start: usize, len_bytes: usize) -> Self {
        install();
        let mapping = MAPPINGS.iter().find(|mapping| mapping.start.compare_exchange(0, start, SeqCst, SeqCst).is_ok());
        if let Some(mapping) = mapping {
            mapping.len_bytes.store(len_bytes, SeqCst);
        }
        Self(mapping)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if let Some(mapping) = self.0 {
            mapping.len_bytes.store(0, SeqCst);
            mapping.start.store(0, SeqCst);
        }
    }
}

fn install() {
    BEFORE.get_or_init(|| {
        // SAFETY: all zeros are a whole structure, which then is filled. The handler has the signature of the flag.
        unsafe {
            let mut ours = zeroed::<libc::sigaction>();
            ours.sa_sigaction = end_with_a_word as *const () as usize;
            ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
            let mut before = MaybeUninit::zeroed();
            libc::sigaction(SIGBUS, &raw const ours, before.as_mut_ptr());
            before.assume_init()
        }
    });
}

extern "C" fn end_with_a_word(_: c_int, info: *mut siginfo_t, _: *mut c_void) {
    // SAFETY: the kernel gives a whole structure to a handler with this flag.
    let address = unsafe { (*info).si_addr() }.addr();
    if MAPPINGS.iter().any(|mapping| mapping.contains(address)) {
        say();
    }
    // What ended the process before does so now: this signal waits until the handler has returned.
    // SAFETY: all zeros with this handler are the default; both calls are allowed in handlers of signals.
    unsafe {
        let mut default = zeroed::<libc::sigaction>();
        default.sa_sigaction = SIG_DFL;
        libc::sigaction(SIGBUS, BEFORE.get().map_or(&raw const default, std::ptr::from_ref), null_mut());
        libc::raise(SIGBUS);
    }
}

/// Says the line once; a second thread waits until the first has said it.
fn say() {
    if BEGUN.swap(true, SeqCst) {
        while !SAID.load(SeqCst) {
            std::hint::spin_loop();
        }
        return;
    }
    let mut ready = libc::pollfd { fd: STDERR_FILENO, events: libc::POLLOUT, revents: 0 };
    // SAFETY: both calls are allowed in handlers of signals, and what they are given lives as long as they do.
    unsafe {
        if libc::poll(&raw mut ready, 1, PATIENCE_MILLIS) > 0 {
            libc::write(STDERR_FILENO, LINE.as_ptr().cast(), LINE.len());
        }
    }
    SAID.store(true, SeqCst);
}
