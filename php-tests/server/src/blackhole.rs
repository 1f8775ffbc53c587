//! A port where connecting never ends: its accept queue is full and nobody accepts.
//!
//! Linux drops the SYN of a further connection when the queue of a listening socket is full (tcp(7),
//! `tcp_abort_on_overflow` = 0), which is what a client sees of a host behind a silent firewall.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use socket2::{Domain, Socket, Type};

/// Queue length 0 still lets one or two connections in.
const FILLERS: usize = 8;
/// A connection on loopback that takes this long will not be made.
const FULL_AFTER: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub struct Blackhole {
    pub address: SocketAddr,
    _listening: Socket,
    _fillers: Vec<TcpStream>,
}

impl Blackhole {
    /// `None` where the system lets every connection in.
    pub fn open() -> io::Result<Option<Self>> {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        socket.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into())?;
        socket.listen(0)?;
        let address = socket.local_addr()?.as_socket().ok_or(io::ErrorKind::AddrNotAvailable)?;
        let mut fillers = Vec::new();
        for _ in 0..FILLERS {
            match TcpStream::connect_timeout(&address, FULL_AFTER) {
                Ok(stream) => fillers.push(stream),
                Err(_) => return Ok(Some(Self { address, _listening: socket, _fillers: fillers })),
            }
        }
        Ok(None)
    }
}
