//! An NBD server with a volatile cache, which loses on command what no flush covers.

use std::io::{self, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

pub(crate) const DISK_BYTES: u64 = 1 << 20;
const FLAGS: u16 = 1 | 1 << 2;
const EIO: u32 = 5;
const ESHUTDOWN: u32 = 108;

#[derive(Default)]
struct State {
    current: Vec<u8>,
    durable: Vec<u8>,
    /// Outcomes of the next flushes; those behind them succeed.
    flushes: Vec<bool>,
    flushes_begun: usize,
    /// Flushes do not end.
    held: bool,
    writes: usize,
    /// The next write is not carried out before it is let go, while other commands are.
    holds_next_write: bool,
    write_is_held: bool,
    connections: Vec<UnixStream>,
    /// Connections so far.
    accepted: usize,
    /// So many of them are of a server that is ending.
    ending: usize,
}

/// A disk and its server.
pub(crate) struct Server {
    socket: PathBuf,
    state: Arc<(Mutex<State>, Condvar)>,
}

impl Server {
    pub(crate) fn start(socket: &Path) -> Self {
        Self::listen(socket, |connection| drop(thread::spawn(connection)))
    }

    /// One that takes a connection when the one before has ended.
    pub(crate) fn of_one_connection(socket: &Path) -> Self {
        Self::listen(socket, |connection| connection())
    }

    fn listen(socket: &Path, run: impl Fn(Box<dyn FnOnce() + Send>) + Send + 'static) -> Self {
        let state =
            State { current: vec![0; DISK_BYTES as usize], durable: vec![0; DISK_BYTES as usize], ..State::default() };
        let server = Self { socket: socket.into(), state: Arc::new((Mutex::new(state), Condvar::new())) };
        let (listener, state) = (UnixListener::bind(&server.socket).unwrap(), Arc::clone(&server.state));
        // It ends with the process.
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, state) = (stream.unwrap(), Arc::clone(&state));
                let mut shared = state.0.lock().unwrap();
                shared.connections.push(stream.try_clone().unwrap());
                shared.accepted += 1;
                let number = shared.accepted;
                drop(shared);
                state.1.notify_all();
                run(Box::new(move || serve(stream, number, &state)));
            }
        });
        server
    }

    /// Everything that no flush covers is gone, and all connections with it.
    pub(crate) fn lose_power(&self) {
        let mut state = self.lock();
        let State { current, durable, .. } = &mut *state;
        current.clone_from(durable);
        state.connections.drain(..).for_each(|stream| drop(stream.shutdown(std::net::Shutdown::Both)));
    }

    /// The server ends in order, as nbdkit does: connections stay, and each of their requests is answered by "shutting down". The next
    /// server, which takes the next connection, has what was flushed.
    pub(crate) fn shut_down(&self) {
        let mut state = self.lock();
        let State { current, durable, .. } = &mut *state;
        current.clone_from(durable);
        state.ending = state.accepted;
    }

    /// Says what the next flushes come to.
    pub(crate) fn script(&self, outcomes: &[bool]) {
        self.lock().flushes = outcomes.to_vec();
    }

    /// Lets flushes wait, or go on.
    pub(crate) fn hold(&self, held: bool) {
        self.lock().held = held;
        self.state.1.notify_all();
    }

    /// Lets the next write wait until [`Server::let_write_go`].
    pub(crate) fn hold_next_write(&self) {
        self.lock().holds_next_write = true;
    }

    pub(crate) fn wait_for_held_write(&self) {
        drop(self.state.1.wait_while(self.lock(), |state| !state.write_is_held).unwrap());
    }

    pub(crate) fn let_write_go(&self) {
        self.lock().write_is_held = false;
        self.state.1.notify_all();
    }

    /// True once there were so many connections; false when there are not within `patience`.
    pub(crate) fn is_reached(&self, connections: usize, patience: Duration) -> bool {
        let waiting = |state: &mut State| state.accepted < connections;
        !self.state.1.wait_timeout_while(self.lock(), patience, waiting).unwrap().1.timed_out()
    }

    pub(crate) fn flushes(&self) -> usize {
        self.lock().flushes_begun
    }

    pub(crate) fn wait_for_flush(&self, number: usize) {
        drop(self.state.1.wait_while(self.lock(), |state| state.flushes_begun < number).unwrap());
    }

    pub(crate) fn writes(&self) -> usize {
        self.lock().writes
    }

    pub(crate) fn durable(&self, at: usize) -> u8 {
        self.lock().durable[at]
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.0.lock().unwrap()
    }
}

fn serve(mut stream: UnixStream, number: usize, state: &Arc<(Mutex<State>, Condvar)>) {
    // A client that goes away is none of the test's business.
    let _ = greet(&mut stream).and_then(|()| answer(&mut stream, number, state));
}

fn greet(stream: &mut UnixStream) -> io::Result<()> {
    stream.write_all(b"NBDMAGICIHAVEOPT\0\x03")?;
    // Flags of the client, then one option whose length stands behind 12 bytes.
    let mut option = [0; 20];
    stream.read_exact(&mut option)?;
    let count = u32::from_be_bytes(option[16..].try_into().unwrap());
    stream.read_exact(&mut vec![0; count as usize])?;
    let reply = |kind: u32, answer: &[u8]| {
        let header = [&0x0003_e889_0455_65a9_u64.to_be_bytes()[..], &7_u32.to_be_bytes(), &kind.to_be_bytes()].concat();
        [&header[..], &(answer.len() as u32).to_be_bytes(), answer].concat()
    };
    let export = [&0_u16.to_be_bytes()[..], &DISK_BYTES.to_be_bytes(), &FLAGS.to_be_bytes()].concat();
    stream.write_all(&[reply(3, &export), reply(1, &[])].concat())
}

fn answer(stream: &mut UnixStream, number: usize, state: &Arc<(Mutex<State>, Condvar)>) -> io::Result<()> {
    loop {
        let mut header = [0; 28];
        stream.read_exact(&mut header)?;
        let kind = u16::from_be_bytes(header[6..8].try_into().unwrap());
        let start = u64::from_be_bytes(header[16..24].try_into().unwrap()) as usize;
        let count = u32::from_be_bytes(header[24..].try_into().unwrap()) as usize;
        let mut payload = vec![0; if kind == 1 { count } else { 0 }];
        stream.read_exact(&mut payload)?;
        // Flushes of one connection run beside its other commands.
        let (mut out, cookie) = (stream.try_clone()?, header[8..16].to_vec());
        let mut reply = move |error: u32, data: &[u8]| {
            out.write_all(&[&0x6744_6698_u32.to_be_bytes()[..], &error.to_be_bytes(), &cookie, data].concat())
        };
        let mut disk = state.0.lock().unwrap();
        if number <= disk.ending {
            reply(ESHUTDOWN, &[])?;
            continue;
        }
        match kind {
            0 => reply(0, &disk.current[start..start + count])?,
            1 if disk.holds_next_write => {
                (disk.holds_next_write, disk.write_is_held) = (false, true);
                state.1.notify_all();
                let state = Arc::clone(state);
                thread::spawn(move || {
                    let mut disk = state.1.wait_while(state.0.lock().unwrap(), |disk| disk.write_is_held).unwrap();
                    disk.current[start..start + count].copy_from_slice(&payload);
                    // A client that has gone learns nothing of it.
                    let _ = reply(0, &[]);
                });
            }
            1 => {
                disk.current[start..start + count].copy_from_slice(&payload);
                disk.writes += 1;
                reply(0, &[])?;
            }
            _ => {
                disk.flushes_begun += 1;
                state.1.notify_all();
                disk = state.1.wait_while(disk, |disk| disk.held).unwrap();
                let succeeds = disk.flushes.is_empty() || disk.flushes.remove(0);
                let State { current, durable, .. } = &mut *disk;
                if succeeds {
                    durable.clone_from(current);
                } else {
                    // As a kernel that could not write its pages, and forgets that they were dirty.
                    current.clone_from(durable);
                }
                reply(if succeeds { 0 } else { EIO }, &[])?;
            }
        }
    }
}
