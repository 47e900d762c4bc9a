//! The control socket and the address for metrics: three requests of HTTP.
//!
//! `GET /status` (JSON), `GET /metrics` (Prometheus), and on the control socket only `POST /drain`. One request per connection.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread::{self, Builder};
use std::time::Duration;

/// Longer requests are none of ours.
const MOST_REQUEST_BYTES: usize = 4096;
/// A client that is slower than this is not worth waiting for.
const PATIENCE: Duration = Duration::from_secs(2);

/// Requests of a client that hears nothing. Own: each time it would have to stand still for the door's patience.
const MOST_ATTEMPTS: usize = 3;
/// Connections that are answered at the same time; with more of them, they wait for each other.
const MOST_AT_ONCE: usize = 32;
/// The pause after an error that hinders connections, such as too many open files, and is not over at once.
const AFTER_ERROR: Duration = Duration::from_millis(20);

/// The kind of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Question {
    Status,
    Metrics,
    Drain,
}

/// Where requests come in.
pub(crate) enum Door {
    Unix(UnixListener),
    Tcp(TcpListener),
}

impl Door {
    /// Listens on a Unix socket. One that nobody listens on any more, after a kill, is replaced.
    pub(crate) fn unix(path: &Path) -> Result<Self, String> {
        let named = |error: io::Error| format!("control={}: {error}", path.display());
        remove_dead_socket(path).map_err(named)?;
        UnixListener::bind(path).map(Self::Unix).map_err(named)
    }

    pub(crate) fn tcp(address: SocketAddr) -> Result<Self, String> {
        TcpListener::bind(address).map(Self::Tcp).map_err(|error| format!("metrics={address}: {error}"))
    }

    /// Answers requests until `answer` gives nothing, several at once: whoever connects and says nothing keeps no one waiting.
    pub(crate) fn serve(&self, answer: impl Fn(Question) -> Option<String> + Sync) {
        let (stopped, at_once) = (AtomicBool::new(false), AtomicUsize::new(0));
        let may_drain = matches!(self, Self::Unix(_));
        // A client that breaks off is no reason to stop.
        let respond = |stream| stopped.fetch_or(matches!(respond(stream, may_drain, &answer), Ok(false)), SeqCst);
        thread::scope(|scope| {
            while !stopped.load(SeqCst) {
                let Ok(stream) = self.accept() else {
                    thread::sleep(AFTER_ERROR);
                    continue;
                };
                if at_once.load(SeqCst) >= MOST_AT_ONCE {
                    respond(stream);
                    continue;
                }
                at_once.fetch_add(1, SeqCst);
                let (respond, at_once) = (&respond, &at_once);
                let spawned = Builder::new().spawn_scoped(scope, move || {
                    respond(stream);
                    at_once.fetch_sub(1, SeqCst);
                });
                if spawned.is_err() {
                    at_once.fetch_sub(1, SeqCst);
                }
            }
        });
    }

    fn accept(&self) -> io::Result<Box<dyn Stream>> {
        Ok(match self {
            Self::Unix(listener) => {
                let (stream, _) = listener.accept()?;
                stream.set_read_timeout(Some(PATIENCE))?;
                stream.set_write_timeout(Some(PATIENCE))?;
                Box::new(stream)
            }
            Self::Tcp(listener) => {
                let (stream, _) = listener.accept()?;
                stream.set_read_timeout(Some(PATIENCE))?;
                stream.set_write_timeout(Some(PATIENCE))?;
                Box::new(stream)
            }
        })
    }
}

/// Either kind of connection.
trait Stream: Read + Write + Send {}

impl<S: Read + Write + Send> Stream for S {}

/// Removes a socket that nobody listens on any more: a server that was killed leaves it behind. Whatever else is at the path
/// stays.
///
/// # Errors
/// There can be no socket, because the path is too long or its folder is not there; it is something else, somebody listens on it, or it cannot be removed.
pub fn remove_dead_socket(path: &Path) -> io::Result<()> {
    std::os::unix::net::SocketAddr::from_pathname(path)?;
    let refused = |kind, text: &str| Err(io::Error::new(kind, text));
    match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            return match folder {
                Some(folder) if !folder.is_dir() => refused(error.kind(), "there is no such folder"),
                _ => Ok(()),
            };
        }
        Err(error) => return Err(error),
        Ok(found) if !found.file_type().is_socket() => {
            return refused(io::ErrorKind::AlreadyExists, "is there already and no socket: name a path that is free");
        }
        Ok(_) => {}
    }
    match UnixStream::connect(path) {
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => std::fs::remove_file(path),
        Err(error) => Err(error),
        Ok(_) => refused(io::ErrorKind::AddrInUse, "another server listens there"),
    }
}

/// False when the server has stopped.
fn respond(
    mut stream: Box<dyn Stream>,
    may_drain: bool,
    answer: impl Fn(Question) -> Option<String>,
) -> io::Result<bool> {
    let mut request = Vec::new();
    let mut chunk = [0; 512];
    while !request.windows(4).any(|bytes| bytes == b"\r\n\r\n") && request.len() < MOST_REQUEST_BYTES {
        match stream.read(&mut chunk)? {
            0 => break,
            count => request.extend_from_slice(&chunk[..count]),
        }
    }
    let line = String::from_utf8_lossy(&request).lines().next().unwrap_or_default().to_owned();
    // A scraper may have parameters for all of its targets.
    let path = |word: &str| word.split_once('?').map_or(word, |(path, _)| path).to_owned();
    let words: Vec<_> = line.split(' ').map(path).collect();
    let question = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["GET", "/status", _] => Some((Question::Status, "application/json")),
        ["GET", "/metrics", _] => Some((Question::Metrics, "text/plain; version=0.0.4")),
        ["POST", "/drain", _] if may_drain => Some((Question::Drain, "application/json")),
        _ => None,
    };
    let Some((question, kind)) = question else {
        stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")?;
        return Ok(true);
    };
    let Some(body) = answer(question) else { return Ok(false) };
    let length = body.len();
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    Ok(true)
}

/// One request to a control socket; gives the body of the answer. A door that says nothing is asked again: on a machine that stood still, this
/// client was slower than that door has patience, and the request was not read.
pub(crate) fn ask(path: &Path, request: &str) -> io::Result<String> {
    let mut answer = String::new();
    for _ in 0..MOST_ATTEMPTS {
        match ask_once(path, request) {
            Err(error) if [io::ErrorKind::BrokenPipe, io::ErrorKind::ConnectionReset].contains(&error.kind()) => {}
            said => answer = said?,
        }
        if !answer.is_empty() {
            break;
        }
    }
    match answer.split_once("\r\n\r\n") {
        Some((head, body)) if head.starts_with("HTTP/1.1 200 ") => Ok(body.to_owned()),
        _ => Err(io::Error::new(io::ErrorKind::InvalidData, "not the control socket of a HALO server")),
    }
}

fn ask_once(path: &Path, request: &str) -> io::Result<String> {
    let mut stream = UnixStream::connect(path)?;
    stream.set_read_timeout(Some(PATIENCE * 5))?;
    stream.write_all(format!("{request} HTTP/1.1\r\nHost: halo\r\nConnection: close\r\n\r\n").as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpStream;
    use std::sync::Mutex;

    /// Asks again while nothing is said: a machine that is busy may have been slower than a door has patience.
    fn answer_of<S: Read + Write>(connect: impl Fn() -> io::Result<S>, request: &str) -> String {
        loop {
            let mut stream = connect().unwrap();
            let mut answer = String::new();
            let asked = stream.write_all(format!("{request} HTTP/1.1\r\n\r\n").as_bytes());
            if asked.and_then(|()| stream.read_to_string(&mut answer)).is_ok() && !answer.is_empty() {
                return answer;
            }
        }
    }

    /// As a door that lost its patience with a client which stood still.
    #[test]
    fn a_door_that_says_nothing_is_asked_again_and_not_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        for silent in [0, MOST_ATTEMPTS - 1, MOST_ATTEMPTS] {
            let path = folder.path().join(silent.to_string());
            let listener = UnixListener::bind(&path).unwrap();
            let said = thread::scope(|scope| {
                scope.spawn(|| {
                    (0..silent).for_each(|_| drop(listener.accept().unwrap()));
                    if silent < MOST_ATTEMPTS {
                        respond(Box::new(listener.accept().unwrap().0), true, |_| Some("body".into())).unwrap();
                    }
                });
                ask(&path, "GET /status")
            });
            assert_eq!(said.ok().as_deref(), (silent < MOST_ATTEMPTS).then_some("body"), "{silent} times");
        }
    }

    /// Whoever reaches the port of the metrics may look, and change nothing.
    #[test]
    fn a_drain_is_asked_for_by_the_control_socket_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("control");
        let tcp = Door::tcp(([127, 0, 0, 1], 0).into()).unwrap();
        let Door::Tcp(listener) = &tcp else { panic!() };
        let address = listener.local_addr().unwrap();
        let unix = Door::unix(&path).unwrap();
        let (asked, stopped) = (Mutex::new(Vec::new()), AtomicBool::new(false));
        let answer = |question| {
            let goes_on = !stopped.load(SeqCst);
            if goes_on {
                asked.lock().unwrap().push(question);
            }
            goes_on.then(|| "body".to_owned())
        };
        let said = thread::scope(|scope| {
            let doors = [scope.spawn(|| tcp.serve(answer)), scope.spawn(|| unix.serve(answer))];
            let mut said = ["POST /drain", "GET /drain", "GET /metrics", "GET /status"]
                .map(|request| answer_of(|| TcpStream::connect(address), request))
                .to_vec();
            said.push(answer_of(|| UnixStream::connect(&path), "POST /drain"));
            stopped.store(true, SeqCst);
            // A door learns of the end by a request, and leaves at the next.
            while !doors.iter().all(thread::ScopedJoinHandle::is_finished) {
                let _ = TcpStream::connect(address).and_then(|mut stream| stream.write_all(b"GET /status \r\n\r\n"));
                let _ = UnixStream::connect(&path).and_then(|mut stream| stream.write_all(b"GET /status \r\n\r\n"));
                thread::yield_now();
            }
            said
        });
        let codes: Vec<_> = said.iter().map(|answer| &answer[9..12]).collect();
        assert_eq!(codes, ["404", "404", "200", "200", "200"], "{said:?}");
        assert!(said[4].ends_with("\r\n\r\nbody"), "{said:?}");
        assert_eq!(asked.into_inner().unwrap(), [Question::Metrics, Question::Status, Question::Drain]);
    }
}
