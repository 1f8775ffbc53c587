//! A raw HTTP/1 client over blocking sockets: it shows exactly which bytes came and how the connection ended.

#![allow(dead_code, reason = "every test file uses a part of it")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test code")]

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

pub struct Client {
    pub stream: TcpStream,
    buf: Vec<u8>,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (n, v) = line.split_once(": ")?;
            n.eq_ignore_ascii_case(name).then_some(v)
        })
    }
}

pub fn authority(url: &str) -> &str {
    url.split_once("://").unwrap().1
}

impl Client {
    pub fn connect(url: &str) -> Self {
        let stream = TcpStream::connect(authority(url)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        Self { stream, buf: Vec::new() }
    }

    pub fn send(&mut self, bytes: &str) {
        self.stream.write_all(bytes.as_bytes()).unwrap();
    }

    pub fn get(&mut self, path: &str) {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n"));
    }

    /// One answer with a content-length.
    pub fn answer(&mut self) -> Answer {
        let head = self.head();
        let mut answer = Answer { status: head[9..12].parse().unwrap(), head, body: Vec::new() };
        let length: usize = answer.header("content-length").map_or(0, |n| n.parse().unwrap());
        while self.buf.len() < length {
            assert!(
                self.fill().unwrap() > 0,
                "the body ended early: {:?}",
                String::from_utf8_lossy(&self.buf)
            );
        }
        answer.body = self.buf.drain(..length).collect();
        answer
    }

    /// Up to and with the empty line.
    pub fn head(&mut self) -> String {
        loop {
            if let Some(at) = self.buf.windows(4).position(|w| w == b"\r\n\r\n") {
                let head: Vec<u8> = self.buf.drain(..at + 4).collect();
                return head.iter().map(|b| char::from(*b)).collect();
            }
            assert!(
                self.fill().unwrap() > 0,
                "the head ended early: {:?}",
                String::from_utf8_lossy(&self.buf)
            );
        }
    }

    /// At least `count` bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        while self.buf.len() < count {
            assert!(self.fill().unwrap() > 0);
        }
        std::mem::take(&mut self.buf)
    }

    /// Everything until the end, and how it ended.
    pub fn rest(&mut self) -> (Vec<u8>, io::Result<()>) {
        loop {
            match self.fill() {
                Ok(0) => return (std::mem::take(&mut self.buf), Ok(())),
                Ok(_) => {}
                Err(e) => return (std::mem::take(&mut self.buf), Err(e)),
            }
        }
    }

    fn fill(&mut self) -> io::Result<usize> {
        let mut piece = [0; 65536];
        let n = self.stream.read(&mut piece)?;
        self.buf.extend_from_slice(&piece[..n]);
        Ok(n)
    }
}

/// One request on a connection of its own.
pub fn get(url: &str, path: &str) -> Answer {
    let mut client = Client::connect(url);
    client.get(path);
    client.answer()
}

pub fn request(url: &str, method: &str, path: &str, body: &str) -> Answer {
    let mut client = Client::connect(url);
    client.send(&format!(
        "{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    ));
    client.answer()
}

/// How a connection ended: `"end"` (FIN), `"reset"` or `"silent"`.
pub fn ending(result: &io::Result<()>) -> &'static str {
    match result {
        Ok(()) => "end",
        Err(e) if e.kind() == io::ErrorKind::ConnectionReset => "reset",
        Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => "silent",
        Err(e) => panic!("{e}"),
    }
}
