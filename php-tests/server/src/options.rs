//! What can be chosen at the start, and the command line that says so.

use std::path::PathBuf;
use std::time::Duration;

use crate::error::StartError;

#[derive(Clone, Debug)]
pub struct Options {
    /// Where the PEM files go; a directory of its own under the system's temporary one if none is given.
    pub dir: Option<PathBuf>,
    /// The addresses as JSON, written once all listeners are bound.
    pub port_file: Option<PathBuf>,
    /// End when stdin does.
    pub watch_stdin: bool,
    pub ipv6: bool,
    /// How long the `tls_slow` listener waits before its handshake.
    pub tls_delay: Duration,
    /// What the `proxy_auth` listener asks for, as `user:password`.
    pub proxy_user: String,
    /// Worker threads.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            dir: None,
            port_file: None,
            watch_stdin: true,
            ipv6: true,
            tls_delay: Duration::from_millis(1000),
            proxy_user: "user:secret".into(),
            threads: 2,
        }
    }
}

pub const USAGE: &str = "test-server [--dir DIR] [--port-file FILE] [--no-stdin] [--no-ipv6]
            [--tls-delay-ms N] [--proxy-user USER:PASSWORD] [--threads N]

Prints one JSON line with all addresses and lives until stdin ends (with --no-stdin: until SIGTERM).";

impl Options {
    pub fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, StartError> {
        let mut options = Self::default();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| StartError::Usage(format!("{arg} needs a value")));
            match arg.as_str() {
                "--dir" => options.dir = Some(value()?.into()),
                "--port-file" => options.port_file = Some(value()?.into()),
                "--no-stdin" => options.watch_stdin = false,
                "--no-ipv6" => options.ipv6 = false,
                "--tls-delay-ms" => options.tls_delay = Duration::from_millis(number(&arg, &value()?)?),
                "--proxy-user" => options.proxy_user = value()?,
                "--threads" => options.threads = number(&arg, &value()?)?,
                _ => return Err(StartError::Usage(format!("unknown argument {arg}\n{USAGE}"))),
            }
        }
        Ok(options)
    }
}

fn number<T: std::str::FromStr>(name: &str, text: &str) -> Result<T, StartError> {
    text.parse().map_err(|_| StartError::Usage(format!("{name} needs a number, not {text:?}")))
}
