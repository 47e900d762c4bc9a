//! The table of callbacks, and the callbacks.

use super::{Export, Failure, Plugin};
use halo_planted::Mistake;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::thread::Builder;

const API_VERSION: c_int = 2;
const THREAD_MODEL_PARALLEL: c_int = 3;
const FUA_NATIVE: c_int = 2;
const FLAG_FUA: u32 = 1 << 1;

/// Functions of nbdkit that a plugin calls.
#[derive(Clone, Copy)]
pub struct Functions {
    /// Writes a line to the log.
    pub error: unsafe extern "C" fn(*const c_char, ...),
    /// Says what the client of the calling thread is told.
    pub set_error: unsafe extern "C" fn(c_int),
    /// Sleeps, or fails early because nbdkit is to end.
    pub nanosleep: unsafe extern "C" fn(c_uint, c_uint) -> c_int,
}

/// Set before nbdkit calls anything.
static FUNCTIONS: OnceLock<Functions> = OnceLock::new();

type Handle = *mut c_void;
type Unset = Option<extern "C" fn()>;
type Query = Option<extern "C" fn(Handle) -> c_int>;
type Step = Option<extern "C" fn() -> c_int>;
type Range = Option<extern "C" fn(Handle, u32, u64, u32) -> c_int>;

/// `struct nbdkit_plugin`, field by field in its order.
#[repr(C)]
pub struct Table {
    struct_size: u64,
    api_version: c_int,
    thread_model: c_int,
    name: *const c_char,
    longname: *const c_char,
    version: *const c_char,
    description: *const c_char,
    load: Unset,
    unload: Unset,
    config: Option<extern "C" fn(*const c_char, *const c_char) -> c_int>,
    config_complete: Step,
    config_help: *const c_char,
    open: Option<extern "C" fn(c_int) -> Handle>,
    close: Option<extern "C" fn(Handle)>,
    get_size: Option<extern "C" fn(Handle) -> i64>,
    can_write: Query,
    can_flush: Query,
    is_rotational: Query,
    can_trim: Query,
    version_1_requests: [Unset; 5],
    errno_is_preserved: c_int,
    dump_plugin: Unset,
    can_zero: Query,
    can_fua: Query,
    pread: Option<extern "C" fn(Handle, *mut c_void, u32, u64, u32) -> c_int>,
    pwrite: Option<extern "C" fn(Handle, *const c_void, u32, u64, u32) -> c_int>,
    flush: Option<extern "C" fn(Handle, u32) -> c_int>,
    trim: Range,
    zero: Range,
    magic_config_key: *const c_char,
    can_multi_conn: Query,
    can_extents: Query,
    extents: Unset,
    can_cache: Query,
    cache: Range,
    thread_model_query: Step,
    can_fast_zero: Query,
    preconnect: Option<extern "C" fn(c_int) -> c_int>,
    get_ready: Step,
    after_fork: Step,
    list_exports: Unset,
    default_export: Unset,
    export_description: Unset,
    cleanup: Unset,
    block_size: Option<extern "C" fn(Handle, *mut u32, *mut u32, *mut u32) -> c_int>,
}

/// The table of a plugin, which will call these functions.
pub fn table<P: Plugin>(functions: Functions) -> Table {
    let _ = FUNCTIONS.set(functions);
    end_with_a_panic();
    Table {
        struct_size: size_of::<Table>() as u64,
        api_version: API_VERSION,
        thread_model: THREAD_MODEL_PARALLEL,
        name: P::NAME.as_ptr(),
        longname: P::DESCRIPTION.as_ptr(),
        version: P::VERSION.as_ptr(),
        description: P::DESCRIPTION.as_ptr(),
        load: None,
        unload: None,
        config: Some(config::<P>),
        config_complete: None,
        config_help: P::HELP.as_ptr(),
        open: Some(open),
        close: None,
        get_size: Some(get_size::<P>),
        can_write: Some(yes),
        can_flush: Some(yes),
        is_rotational: Some(is_rotational::<P>),
        can_trim: Some(yes),
        version_1_requests: [None; 5],
        errno_is_preserved: 0,
        dump_plugin: None,
        can_zero: Some(yes),
        can_fua: Some(native_fua),
        pread: Some(pread::<P>),
        pwrite: Some(pwrite::<P>),
        flush: Some(flush::<P>),
        trim: Some(trim::<P>),
        zero: Some(zero::<P>),
        magic_config_key: std::ptr::null(),
        // One cache serves all connections: a flush on one covers what was acknowledged on any.
        can_multi_conn: Some(yes),
        can_extents: None,
        extents: None,
        can_cache: None,
        cache: None,
        thread_model_query: None,
        can_fast_zero: None,
        preconnect: None,
        get_ready: Some(get_ready::<P>),
        after_fork: Some(after_fork::<P>),
        list_exports: None,
        default_export: None,
        export_description: None,
        cleanup: Some(cleanup::<P>),
        block_size: Some(block_size::<P>),
    }
}

/// A thread that panics leaves its work half done, and whoever goes on with it may serve or save nonsense. What was promised to be durable
/// does not need this process any more, so it ends, after the message.
fn end_with_a_panic() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tell(panic);
        log_error("the server ends because of a mistake in it: start it anew, and report what it printed");
        std::process::abort();
    }));
}

/// Keeps this library in memory when nbdkit unloads it: its threads end with the process.
fn stay_loaded<P: Plugin>() {
    let here: fn(Functions) -> Table = table::<P>;
    // SAFETY: the address lies in this library, the structure is filled by the call, and its name is one of a library that is loaded.
    unsafe {
        let mut found = std::mem::zeroed::<libc::Dl_info>();
        if libc::dladdr(here as *const c_void, &raw mut found) != 0 {
            libc::dlopen(found.dli_fname, libc::RTLD_NOW | libc::RTLD_NOLOAD | libc::RTLD_NODELETE);
        }
    }
}

/// Waits until nbdkit is asked to end.
fn wait_for_the_end() {
    const AN_HOUR_SECONDS: c_uint = 3600;
    let Some(nbdkit) = FUNCTIONS.get() else { return };
    // SAFETY: a plain call, allowed on any thread; it fails early when nbdkit ends, and only then.
    while unsafe { (nbdkit.nanosleep)(AN_HOUR_SECONDS, 0) } == 0 {}
}

/// Writes a line to nbdkit's log.
pub fn log_error(message: &str) {
    // A message with a NUL in it ends there.
    let text = message.split('\0').next().unwrap_or_default();
    let (Ok(text), Some(nbdkit)) = (CString::new(text), FUNCTIONS.get()) else { return };
    // SAFETY: the format takes exactly one string, which outlives the call.
    unsafe { (nbdkit.error)(c"%s".as_ptr(), text.as_ptr()) }
}

fn report(outcome: Result<(), Failure>) -> c_int {
    report_unless(outcome, None)
}

/// A planted mistake does not tell the client of a failure.
fn report_unless(outcome: Result<(), Failure>, swallowed: Option<Mistake>) -> c_int {
    let Err(failure) = outcome else { return 0 };
    if swallowed.is_some_and(Mistake::is_made) {
        return 0;
    }
    if let Some(message) = failure.message {
        log_error(&message);
    }
    if let Some(nbdkit) = FUNCTIONS.get() {
        // SAFETY: a plain call; the number is kept for the calling thread.
        unsafe { (nbdkit.set_error)(failure.errno) }
    }
    -1
}

fn step(outcome: Result<(), String>) -> c_int {
    outcome.map_or_else(
        |message| {
            log_error(&message);
            -1
        },
        |()| 0,
    )
}

/// The export; requests come only after [`get_ready`] has put it there.
fn export<P: Plugin>() -> Result<&'static Arc<P::Export>, Failure> {
    P::stage().export.get().ok_or_else(|| Failure::io("a request before the export was opened"))
}

fn with_plugin<P: Plugin, T>(use_it: impl FnOnce(&mut P) -> T) -> T {
    // No thread outlives a panic that could have poisoned it.
    let mut plugin = P::stage().plugin.lock().unwrap_or_else(|_| std::process::abort());
    use_it(plugin.get_or_insert_with(P::default))
}

extern "C" fn config<P: Plugin>(key: *const c_char, value: *const c_char) -> c_int {
    // SAFETY: nbdkit passes two strings that end with NUL and live as long as the process.
    let (key, value) = unsafe { (CStr::from_ptr(key), CStr::from_ptr(value)) };
    let text = |string: &'static CStr| string.to_str().map_err(|_| format!("{string:?} is not UTF-8"));
    step(text(key).and_then(|key| with_plugin::<P, _>(|plugin| plugin.configure(key, text(value)?))))
}

extern "C" fn get_ready<P: Plugin>() -> c_int {
    step(with_plugin::<P, _>(Plugin::open).map(|export| {
        let _ = P::stage().export.set(Arc::new(export));
    }))
}

extern "C" fn after_fork<P: Plugin>() -> c_int {
    stay_loaded::<P>();
    step(P::stage().export.get().map_or(Ok(()), |export| {
        let watched = Arc::clone(export);
        let watch = move || {
            wait_for_the_end();
            if let Some(code) = watched.ending() {
                leave(code);
            }
        };
        let spawned = Builder::new().name("ending".into()).spawn(watch);
        spawned.map_err(|error| format!("a thread could not be started: {error}"))?;
        P::start(export)
    }))
}

/// Ends the process at once: whatever else runs at a normal end may wait for threads that hang. A thread in which the kernel itself waits for a
/// device outlives all others, and with it the process and what it has open: so clients are let go before that. Files are not closed, which
/// may wait for the same device.
fn leave(code: c_int) -> ! {
    let open = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let descriptors: Vec<c_int> = open.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    // Standard error may be a socket of the journal, which others of the unit write to.
    for descriptor in descriptors.into_iter().filter(|&descriptor| descriptor > libc::STDERR_FILENO) {
        // SAFETY: a plain call, which is refused for what is no socket; other threads are told of the end of theirs.
        unsafe { libc::shutdown(descriptor, libc::SHUT_RDWR) };
    }
    // SAFETY: a plain call.
    unsafe { libc::_exit(code) }
}

extern "C" fn cleanup<P: Plugin>() {
    let code = P::stage().export.get().map_or(0, |export| export.stop());
    if code != 0 {
        // nbdkit itself would end as if nothing were lost.
        leave(code);
    }
}

extern "C" fn open(_readonly: c_int) -> Handle {
    if Mistake::FlushOfOwnWrites.is_made() {
        return Box::into_raw(Box::new(AtomicBool::new(false))).cast();
    }
    // All connections share one export, so a handle need only not be null.
    std::ptr::dangling_mut::<u8>().cast()
}

extern "C" fn yes(_handle: Handle) -> c_int {
    1
}

extern "C" fn native_fua(_handle: Handle) -> c_int {
    FUA_NATIVE
}

extern "C" fn is_rotational<P: Plugin>(_handle: Handle) -> c_int {
    P::stage().export.get().map_or(0, |export| c_int::from(export.is_rotational()))
}

extern "C" fn get_size<P: Plugin>(_handle: Handle) -> i64 {
    P::stage().export.get().map_or(-1, |export| export.len_bytes().cast_signed())
}

extern "C" fn block_size<P: Plugin>(
    _handle: Handle,
    minimum: *mut u32,
    preferred: *mut u32,
    maximum: *mut u32,
) -> c_int {
    let Some(export) = P::stage().export.get() else { return -1 };
    let sizes = export.block_sizes();
    // SAFETY: nbdkit passes three places to be filled.
    unsafe {
        *minimum = sizes.minimum;
        *preferred = sizes.preferred;
        *maximum = sizes.maximum;
    }
    0
}

extern "C" fn pread<P: Plugin>(_: Handle, buffer: *mut c_void, count: u32, offset: u64, _flags: u32) -> c_int {
    // SAFETY: nbdkit passes a buffer of `count` initialised bytes that is this call's alone.
    let buffer = unsafe { std::slice::from_raw_parts_mut(buffer.cast::<u8>(), count as usize) };
    report_unless(export::<P>().and_then(|export| export.read(offset, buffer)), Some(Mistake::ReadErrorSwallowed))
}

extern "C" fn pwrite<P: Plugin>(handle: Handle, buffer: *const c_void, count: u32, offset: u64, flags: u32) -> c_int {
    // SAFETY: nbdkit passes a buffer of `count` bytes that does not change during this call.
    let bytes = unsafe { std::slice::from_raw_parts(buffer.cast::<u8>(), count as usize) };
    if Mistake::FlushOfOwnWrites.is_made() {
        // SAFETY: with this mistake, [`open`] made it.
        unsafe { (*handle.cast::<AtomicBool>()).store(true, SeqCst) }
    }
    let durably = is_durable(flags, Mistake::WriteFuaIgnored);
    let outcome = export::<P>().and_then(|export| export.write(offset, bytes, durably));
    report_unless(outcome, Some(Mistake::WriteErrorSwallowed))
}

fn is_durable(flags: u32, ignored: Mistake) -> bool {
    flags & FLAG_FUA != 0 && !ignored.is_made()
}

extern "C" fn flush<P: Plugin>(handle: Handle, _flags: u32) -> c_int {
    // SAFETY: with this mistake, [`open`] made it.
    if Mistake::FlushOfOwnWrites.is_made() && !unsafe { (*handle.cast::<AtomicBool>()).load(SeqCst) } {
        return 0;
    }
    report_unless(export::<P>().and_then(|export| export.flush()), Some(Mistake::FlushErrorSwallowed))
}

extern "C" fn trim<P: Plugin>(_: Handle, count: u32, offset: u64, flags: u32) -> c_int {
    report(
        export::<P>()
            .and_then(|export| export.trim(offset, u64::from(count), is_durable(flags, Mistake::TrimFuaIgnored))),
    )
}

extern "C" fn zero<P: Plugin>(_: Handle, count: u32, offset: u64, flags: u32) -> c_int {
    report(
        export::<P>()
            .and_then(|export| export.zero(offset, u64::from(count), is_durable(flags, Mistake::ZeroFuaIgnored))),
    )
}
