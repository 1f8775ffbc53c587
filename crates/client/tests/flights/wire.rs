//! A server of one connection at a time that writes when it is told to.

use std::{
    io::{ErrorKind, Read, Write},
    net::{TcpListener, TcpStream},
    os::fd::AsRawFd,
};

use crate::driving::follow_until;

pub struct Wire(TcpListener);

/// A connection whose request has come.
pub struct Answering(TcpStream);

impl Wire {
    pub fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Self(listener)
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.0.local_addr().unwrap())
    }

    /// Drives the calls until one has sent its request here.
    #[track_caller]
    pub fn accept(&self) -> Answering {
        let mut stream = None;
        follow_until("the connection", || {
            stream = self.0.accept().ok();
            stream.is_some()
        });
        let (mut stream, _) = stream.unwrap();
        stream.set_nonblocking(true).unwrap();
        let mut request = Vec::new();
        follow_until("the request", || {
            let mut bytes = [0; 4096];
            match stream.read(&mut bytes) {
                Ok(read) => request.extend_from_slice(&bytes[..read]),
                Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
            }
            request.ends_with(b"\r\n\r\n")
        });
        stream.set_nodelay(true).unwrap();
        Answering(stream)
    }
}

impl Answering {
    /// Small enough for the socket's buffer.
    pub fn write(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).unwrap();
    }

    pub fn head(&mut self, status: u16, length: usize) {
        self.write(&format!("HTTP/1.1 {status} X\r\ncontent-length: {length}\r\n\r\n"));
    }

    /// With RST.
    pub fn reset(self) {
        let linger = libc::linger { l_onoff: 1, l_linger: 0 };
        // SAFETY: the option is valid and of the size given, the descriptor is open.
        let set = unsafe {
            libc::setsockopt(
                self.0.as_raw_fd(),
                libc::SOL_SOCKET,
                libc::SO_LINGER,
                (&raw const linger).cast(),
                size_of::<libc::linger>() as libc::socklen_t,
            )
        };
        assert_eq!(set, 0);
    }

    /// Whether the client has left.
    pub fn is_left(&mut self) -> bool {
        match self.0.read(&mut [0; 16]) {
            Ok(read) => read == 0,
            Err(error) => error.kind() != ErrorKind::WouldBlock,
        }
    }
}
