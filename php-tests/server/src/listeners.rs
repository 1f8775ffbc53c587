//! Binds every listener on a free port of the loopback and says what its connections speak.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::Arc;

use socket2::{Domain, Socket, Type};
use tokio_rustls::rustls::ServerConfig;

use crate::certs::{Certs, Identity};
use crate::error::StartError;
use crate::tls::{self, Offer};

/// Attempts to find a port that is free on IPv4 and IPv6.
const PORT_ATTEMPTS: usize = 16;
const BACKLOG: i32 = 4096;

/// What a listener does before the first HTTP byte.
#[derive(Clone, Debug)]
pub enum Security {
    Plain,
    Tls(Arc<ServerConfig>),
    /// TLS after a delay.
    Slow(Arc<ServerConfig>),
    /// Accepts and never says a word.
    Silent,
    /// Answers the ClientHello with text.
    Garbage,
}

/// What is spoken on the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaks {
    /// HTTP/1, or HTTP/2 if TLS negotiated it.
    Http,
    /// HTTP/2 from the first byte.
    H2,
    Proxy {
        auth: bool,
    },
}

#[derive(Debug)]
pub struct Listener {
    pub name: &'static str,
    pub security: Security,
    pub speaks: Speaks,
    pub port: u16,
    pub sockets: Vec<TcpListener>,
}

impl Listener {
    #[must_use]
    pub fn url(&self) -> String {
        match self.security {
            Security::Plain => format!("http://127.0.0.1:{}", self.port),
            _ => format!("https://localhost:{}", self.port),
        }
    }
}

pub fn bind_all(certs: &Certs, ipv6: bool) -> Result<Vec<Listener>, StartError> {
    let tls = |identity: &Identity, offer: Offer| tls::config(certs, identity, offer).map(Security::Tls);
    let own = tls::config(certs, &certs.server, tls::HTTP1)?;
    let rows = [
        ("http", Security::Plain, Speaks::Http),
        ("control", Security::Plain, Speaks::Http),
        ("h2c", Security::Plain, Speaks::H2),
        ("https", Security::Tls(Arc::clone(&own)), Speaks::Http),
        ("h2", tls(&certs.server, tls::HTTP2)?, Speaks::Http),
        ("tls12", tls(&certs.server, tls::ONLY_TLS12)?, Speaks::Http),
        ("mtls", tls(&certs.server, tls::MUTUAL)?, Speaks::Http),
        ("untrusted", tls(&certs.untrusted, tls::HTTP1)?, Speaks::Http),
        ("self_signed", tls(&certs.self_signed, tls::HTTP1)?, Speaks::Http),
        ("expired", tls(&certs.expired, tls::HTTP1)?, Speaks::Http),
        ("wrong_host", tls(&certs.wrong_host, tls::HTTP1)?, Speaks::Http),
        ("tls_slow", Security::Slow(Arc::clone(&own)), Speaks::Http),
        ("tls_stall", Security::Silent, Speaks::Http),
        ("tls_garbage", Security::Garbage, Speaks::Http),
        ("proxy", Security::Plain, Speaks::Proxy { auth: false }),
        ("proxy_auth", Security::Plain, Speaks::Proxy { auth: true }),
        ("proxy_tls", Security::Tls(own), Speaks::Proxy { auth: false }),
    ];
    rows.into_iter()
        .map(|(name, security, speaks)| {
            let (port, sockets) = bind(ipv6, |socket| socket.listen(BACKLOG)).map_err(StartError::Listen)?;
            let sockets = sockets.into_iter().map(TcpListener::from).collect();
            Ok(Listener { name, security, speaks, port, sockets })
        })
        .collect()
}

/// A port that is taken but not listened on: connections are refused for as long as the sockets live.
pub fn bind_refusing(ipv6: bool) -> Result<(u16, Vec<Socket>), StartError> {
    bind(ipv6, |_| Ok(())).map_err(StartError::Listen)
}

/// The same port on both loopbacks, since `localhost` may mean either.
fn bind(ipv6: bool, ready: impl Fn(&Socket) -> io::Result<()>) -> io::Result<(u16, Vec<Socket>)> {
    let mut error = io::Error::from(io::ErrorKind::AddrInUse);
    for _ in 0..PORT_ATTEMPTS {
        let v4 = socket(IpAddr::V4(Ipv4Addr::LOCALHOST), 0, &ready)?;
        let port = v4.local_addr()?.as_socket().map_or(0, |a| a.port());
        if !ipv6 {
            return Ok((port, vec![v4]));
        }
        match socket(IpAddr::V6(Ipv6Addr::LOCALHOST), port, &ready) {
            Ok(v6) => return Ok((port, vec![v4, v6])),
            Err(e) if e.kind() == io::ErrorKind::AddrInUse => error = e,
            // No IPv6 here.
            Err(_) => return Ok((port, vec![v4])),
        }
    }
    Err(error)
}

fn socket(ip: IpAddr, port: u16, ready: impl Fn(&Socket) -> io::Result<()>) -> io::Result<Socket> {
    let address = SocketAddr::new(ip, port);
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    if ip.is_ipv6() {
        socket.set_only_v6(true)?;
    }
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    ready(&socket)?;
    Ok(socket)
}
