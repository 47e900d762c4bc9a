//! Where an export is.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The address of an export, as an NBD URI: `nbd+unix:///NAME?socket=PATH` or `nbd://HOST[:PORT]/NAME`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    pub(crate) socket: Socket,
    pub(crate) export: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Socket {
    Unix(PathBuf),
    Tcp(String),
}

const DEFAULT_PORT: u16 = 10_809;

impl Address {
    /// True for text that is meant as a URI rather than a path.
    pub fn is_uri(text: &str) -> bool {
        text.starts_with("nbd:") || text.starts_with("nbd+unix:")
    }

    /// The default export of a Unix socket.
    pub fn unix(socket: impl Into<PathBuf>) -> Self {
        Self { socket: Socket::Unix(socket.into()), export: String::new() }
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.contains('%') {
            return Err(format!("{text}: escaped characters (%) are not supported"));
        }
        if let Some(rest) = text.strip_prefix("nbd+unix:///") {
            let (export, query) = rest.split_once('?').unwrap_or((rest, ""));
            let socket = query.split('&').find_map(|pair| pair.strip_prefix("socket=")).filter(|path| !path.is_empty());
            let socket = socket.ok_or_else(|| format!("{text}: names no socket: nbd+unix:///NAME?socket=PATH"))?;
            return Ok(Self { export: export.into(), ..Self::unix(socket) });
        }
        if let Some(rest) = text.strip_prefix("nbd://") {
            let (host, export) = rest.split_once('/').unwrap_or((rest, ""));
            let bracketed = host.ends_with(']') || !host.contains(':');
            let host = if bracketed { format!("{host}:{DEFAULT_PORT}") } else { host.into() };
            if !rest.is_empty() && !rest.starts_with('/') {
                return Ok(Self { socket: Socket::Tcp(host), export: export.into() });
            }
        }
        Err(format!("{text}: not an NBD address: nbd+unix:///NAME?socket=PATH or nbd://HOST[:PORT]/NAME"))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.socket {
            Socket::Unix(path) => write!(f, "nbd+unix:///{}?socket={}", self.export, path.display()),
            Socket::Tcp(host) => write!(f, "nbd://{host}/{}", self.export),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_they_are_printed() {
        for text in
            ["nbd+unix:///?socket=/run/a", "nbd+unix:///name?socket=/run/a", "nbd://host:1234/", "nbd://[::1]:9/x"]
        {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
        }
        assert_eq!("nbd://host".parse::<Address>().unwrap().to_string(), "nbd://host:10809/");
    }

    #[test]
    fn what_is_no_address_is_named() {
        for text in ["nbd+unix:///", "nbd+unix:///?socket=", "nbd:host", "nbd://", "nbd+unix:///?socket=/a%20b"] {
            let error = text.parse::<Address>().unwrap_err();
            assert!(error.starts_with(text), "{error}");
        }
    }
}
