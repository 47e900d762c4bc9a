//! `halo serve`: checks what can be checked, then becomes nbdkit.

use crate::arguments::{Mode, Serve};
use crate::nodes::command_for_a_node;
use crate::outcome::{Failure, Outcome, note, print};
use crate::pair::{Pair, shows};
use halo_nbd::Address;
use halo_server::{Parameters, remove_dead_socket};
use rustix::fs::{CWD, FileType, mknodat};
use rustix::process::configure_io_flusher_behavior;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::{env, fs, io};

/// The plugin's name as cargo builds it, in its folder for examples, and its name once installed.
const PLUGIN_NAMES: [&str; 2] = ["libhalo_nbdkit.so", "nbdkit-halo-plugin.so"];

pub(crate) fn run(options: &Serve) -> Outcome {
    let mut command = command(options)?;
    if options.dry_run {
        let words: Vec<_> = std::iter::once(command.get_program()).chain(command.get_args()).collect();
        let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        return print(&format!("{}\n", words.join(" ")));
    }
    // nbdkit's plugin refuses the same, but later and with nbdkit's exit code.
    let pair = Pair::lock_to_write(&options.devices, options.direct_io)?;
    let report = pair.check(false)?;
    if report.damaged_item_count > 0 && !options.accept_damaged {
        let text = format!("{} items of the cache are damaged: look with halo check", report.damaged_item_count);
        return Err(Failure::state(format!("{text}, restore the cache, or accept the loss with --accept-damaged")));
    }
    if let Some(what) = pair.written_outside()? {
        return Err(shows(&what));
    }
    drop(pair);
    check_addresses(options)?;
    warn_of_readers(&options.devices.cache.path)?;
    match (&options.socket, options.port) {
        (Some(socket), _) => note(&how_to_get_a_device(&absolute(socket)?)),
        (None, port) => note(&format!("for clients: nbd://127.0.0.1:{}", port.unwrap_or_default())),
    }
    allocate_without_writes();
    // Signals, standard error and the exit code are nbdkit's from here on.
    let error = command.exec();
    Err(Failure::state(format!("nbdkit cannot be started ({error}): install it (Debian: apt-get install nbdkit)")))
}

fn command(options: &Serve) -> Result<Command, Failure> {
    let plugin = plugin(options.plugin.as_deref())?;
    let mut command = Command::new("nbdkit");
    command.args(["--foreground", "--threads"]).arg(options.threads.to_string());
    match (&options.socket, options.port) {
        (Some(socket), _) => command.arg("--unix").arg(absolute(socket)?),
        (None, port) => command.args(["--ipaddr", "127.0.0.1", "--port", &port.unwrap_or_default().to_string()]),
    };
    let control = control(options);
    if control.is_some() && control == options.socket {
        return Err(Failure::input("--control: the same as --socket: name another path"));
    }
    let parameters = Parameters {
        cache: options.devices.cache.absolute()?,
        disk: absolute_disk(&options.devices.disk)?,
        direct_io: options.direct_io,
        mode: Some(match options.mode {
            Mode::Flush => halo_cache::Mode::Flush,
            Mode::Strict => halo_cache::Mode::Strict,
            Mode::Ordered => halo_cache::Mode::Ordered,
        }),
        p99_millis: Some(options.p99_millis),
        idle_after: Some(options.idle_after),
        max_dirty_age: Some(options.max_dirty_age),
        note_every: Some(options.note_every),
        low_watermark: Some(options.low_watermark),
        high_watermark: Some(options.high_watermark),
        accept_damaged_items: options.accept_damaged,
        clean_blocks: options.clean_blocks,
        bypass_sequential_bytes: options.bypass_sequential,
        control: control.map(|path| absolute(&path)).transpose()?,
        metrics: options.metrics,
    };
    parameters.check_watermarks().map_err(|text| Failure::input(format!("--{}", text.replacen('=', " ", 1))))?;
    command.arg(plugin).args(parameters.to_arguments());
    Ok(command)
}

/// Where memory is short, a process that allocates waits for the writes of file systems: also of one on the device that this server
/// serves, whose writes wait for the server. Linux has a flag for those in the way of a block device, which all threads inherit, also
/// those of the program that this process becomes.
fn allocate_without_writes() {
    if let Err(error) = configure_io_flusher_behavior(true) {
        note(&format!(
            "PR_SET_IO_FLUSHER is refused ({error}): with the device mounted on this machine, a want of memory may hang it; run halo serve as root"
        ));
    }
}

/// A cache file holds blocks of the disk. One of an earlier version, or made by hand, may be open to users who may not read that.
fn warn_of_readers(path: &Path) -> Outcome {
    let found = fs::metadata(path)?;
    let mode = found.mode() & 0o777;
    if found.is_file() && mode & 0o066 != 0 {
        let path = path.display();
        note(&format!(
            "{path} can be read by others (mode {mode:o}), and with it blocks of the disk: chmod 600 {path}"
        ));
    }
    Ok(())
}

/// Checks addresses that nbdkit would refuse later, with an exit code of its own.
fn check_addresses(options: &Serve) -> Outcome {
    for socket in [options.socket.clone(), control(options)].into_iter().flatten() {
        let made = remove_dead_socket(&socket).and_then(|()| make_socket_beside(&socket));
        made.map_err(|error| Failure::from(error).with(|text| format!("{}: {text}", socket.display())))?;
    }
    let clients = options.port.map(|port| SocketAddr::from(([127, 0, 0, 1], port)));
    for address in [clients, options.metrics].into_iter().flatten() {
        TcpListener::bind(address).map_err(|error| Failure::state(format!("{address}: {error}")))?;
    }
    Ok(())
}

/// Whether there may be a socket in this folder shows only when there is one. It has another name: whoever waits for
/// the server takes its own for the server's.
fn make_socket_beside(socket: &Path) -> io::Result<()> {
    let other = socket.with_file_name(format!(".halo-{}", process::id()));
    mknodat(CWD, &other, FileType::Socket, rustix::fs::Mode::RWXU, 0)?;
    fs::remove_file(&other)
}

/// Where this server is to be asked.
fn control(options: &Serve) -> Option<PathBuf> {
    options.control.clone().or_else(|| options.socket.as_deref().map(control_of))
}

/// Where a server is asked that has this socket for its clients.
pub(crate) fn control_of(socket: &Path) -> PathBuf {
    let mut path = socket.as_os_str().to_owned();
    path.push(".control");
    path.into()
}

pub(crate) fn plugin(given: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(path) = given {
        let missing = || Failure::input(format!("{}: there is no such plugin", path.display()));
        return if path.exists() { absolute(path) } else { Err(missing()) };
    }
    let program = env::current_exe()?;
    let folder = program.parent().unwrap_or(Path::new("/"));
    let folders = [folder.to_path_buf(), folder.join("examples"), folder.join("../lib/halo")];
    let candidates = folders.iter().flat_map(|folder| PLUGIN_NAMES.map(|name| folder.join(name)));
    let names = PLUGIN_NAMES.join(" or ");
    candidates.into_iter().find(|path| path.exists()).ok_or_else(|| {
        Failure::state(format!(
            "{names} is not beside {}: build it (make halo), or name it with --plugin",
            program.display()
        ))
    })
}

/// Readers of the status, or of the log, may be somewhere else.
fn absolute_disk(name: &str) -> Result<String, Failure> {
    if Address::is_uri(name) { Ok(name.into()) } else { Ok(absolute(Path::new(name))?.display().to_string()) }
}

/// nbdkit may change its working directory.
fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    Ok(std::path::absolute(path)?)
}

fn how_to_get_a_device(socket: &Path) -> String {
    let node = command_for_a_node(socket);
    format!("for clients: nbd+unix:///?socket={}\nfor a /dev node, as root: {node}", socket.display())
}
