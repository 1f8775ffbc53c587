//! Reads HTTP/1 requests: the head by httparse, the body by its length or in chunks.

use std::io;
use std::mem::MaybeUninit;

use bytes::Buf;
use httparse::{Header, Request, Status};

use super::conn::Conn;
use crate::clock::Stamp;
use crate::request::{Head, Incoming, Received, latin1};
use crate::step::ReadBody;
use crate::wire::Wire;

/// Far above what any client under test may send.
const MAX_HEAD: usize = 4 * 1024 * 1024;
const USUAL_HEADERS: usize = 64;
const MAX_HEADERS: usize = 20_000;

#[derive(Debug)]
pub enum Arrived {
    /// `GET /bytes/N` without a body, answered from a prebuilt buffer and not logged.
    Bytes {
        size: u64,
        keep_alive: bool,
    },
    Request(Box<Head>),
    /// The client closed the connection between two requests.
    Closed,
    Bad(String),
}

enum Parsed {
    Done(Arrived, usize),
    Partial,
}

impl<W: Wire> Conn<W> {
    /// The next request's head. With `quick`, plain `/bytes/N` skips everything that costs time.
    pub async fn head(&mut self, quick: bool) -> io::Result<Arrived> {
        loop {
            match parse(&self.buf, quick) {
                Parsed::Done(arrived, size) => {
                    self.buf.advance(size);
                    return Ok(arrived);
                }
                Parsed::Partial if self.buf.len() > MAX_HEAD => {
                    return Ok(Arrived::Bad("the head is too large".into()));
                }
                Parsed::Partial => {}
            }
            if !self.fill().await? {
                return Ok(if self.buf.is_empty() {
                    Arrived::Closed
                } else {
                    Arrived::Bad("the head is incomplete".into())
                });
            }
        }
    }

    /// Reads the body, or as much of it as `how` says. What has arrived is in `received` even after an error.
    pub async fn body(
        &mut self,
        incoming: Incoming,
        how: ReadBody,
        received: &mut Received,
    ) -> io::Result<()> {
        let limit = match how {
            ReadBody::All => u64::MAX,
            ReadBody::UpTo(n) => n,
        };
        received.complete = match incoming {
            Incoming::None | Incoming::Stream => true,
            Incoming::Length(length) => self.take(length.min(limit), received).await? && length <= limit,
            Incoming::Chunked => self.chunks(limit, received).await?,
        };
        Ok(())
    }

    /// Exactly `length` bytes; false if the client left before.
    async fn take(&mut self, mut length: u64, received: &mut Received) -> io::Result<bool> {
        while length > 0 {
            if self.buf.is_empty() && !self.fill().await? {
                return Ok(false);
            }
            let here = usize::try_from(length).unwrap_or(usize::MAX).min(self.buf.len());
            received.add(self.buf.get(..here).unwrap_or_default());
            self.buf.advance(here);
            length -= here as u64;
        }
        Ok(true)
    }

    async fn chunks(&mut self, limit: u64, received: &mut Received) -> io::Result<bool> {
        loop {
            let size = loop {
                match httparse::parse_chunk_size(&self.buf) {
                    Ok(Status::Complete((line, size))) => {
                        self.buf.advance(line);
                        break size;
                    }
                    Ok(Status::Partial) => {
                        if !self.fill().await? {
                            return Ok(false);
                        }
                    }
                    Err(_) => return Err(io::Error::new(io::ErrorKind::InvalidData, "bad chunk size")),
                }
            };
            if size == 0 {
                return self.trailers().await;
            }
            let room = limit.saturating_sub(received.length);
            if !self.take(size.min(room), received).await? || size > room {
                return Ok(false);
            }
            // The CRLF after the data.
            if !self.take(2, &mut Received::new(0)).await? {
                return Ok(false);
            }
        }
    }

    async fn trailers(&mut self) -> io::Result<bool> {
        loop {
            if let Some(at) = self.buf.windows(2).position(|w| w == b"\r\n") {
                self.buf.advance(at + 2);
                if at == 0 {
                    return Ok(true);
                }
            } else if !self.fill().await? {
                return Ok(false);
            }
        }
    }
}

fn parse(buf: &[u8], quick: bool) -> Parsed {
    if buf.is_empty() {
        return Parsed::Partial;
    }
    let mut few = [const { MaybeUninit::uninit() }; USUAL_HEADERS];
    let mut request = Request::new(&mut []);
    match request.parse_with_uninit_headers(buf, &mut few) {
        Ok(Status::Complete(size)) => Parsed::Done(arrived(&request, size, quick), size),
        Ok(Status::Partial) => Parsed::Partial,
        Err(httparse::Error::TooManyHeaders) => {
            let mut many = vec![httparse::EMPTY_HEADER; MAX_HEADERS];
            let mut request = Request::new(&mut many);
            match request.parse(buf) {
                Ok(Status::Complete(size)) => Parsed::Done(arrived(&request, size, false), size),
                Ok(Status::Partial) => Parsed::Partial,
                Err(e) => Parsed::Done(Arrived::Bad(e.to_string()), buf.len()),
            }
        }
        Err(e) => Parsed::Done(Arrived::Bad(e.to_string()), buf.len()),
    }
}

fn arrived(request: &Request<'_, '_>, size: usize, quick: bool) -> Arrived {
    let (method, target) = (request.method.unwrap_or_default(), request.path.unwrap_or_default());
    let framing = match framing(request.headers, request.version) {
        Ok(framing) => framing,
        Err(reason) => return Arrived::Bad(reason.into()),
    };
    if quick
        && method == "GET"
        && framing.incoming == Incoming::None
        && let Some(size) = target.strip_prefix("/bytes/").and_then(|n| n.parse().ok())
    {
        return Arrived::Bytes { size, keep_alive: framing.keep_alive };
    }
    let at = Stamp::now();
    let headers: Vec<(String, String)> =
        request.headers.iter().map(|h| (h.name.to_owned(), latin1(h.value))).collect();
    let authority = headers.iter().find(|(n, _)| n.eq_ignore_ascii_case("host")).map(|(_, v)| v.clone());
    Arrived::Request(Box::new(Head {
        at,
        method: method.to_owned(),
        target: target.to_owned(),
        authority,
        protocol: if request.version == Some(0) { "HTTP/1.0" } else { "HTTP/1.1" },
        headers,
        head_bytes: Some(size),
        incoming: framing.incoming,
        keep_alive: framing.keep_alive,
        expects_continue: framing.expects_continue,
        index: 0,
    }))
}

struct Framing {
    incoming: Incoming,
    keep_alive: bool,
    expects_continue: bool,
}

fn framing(headers: &[Header<'_>], version: Option<u8>) -> Result<Framing, &'static str> {
    let mut framing =
        Framing { incoming: Incoming::None, keep_alive: version != Some(0), expects_continue: false };
    for header in headers {
        if header.name.eq_ignore_ascii_case("content-length") {
            let length = std::str::from_utf8(header.value).ok().and_then(|v| v.trim().parse().ok());
            let length = length.ok_or("a content-length that is no number")?;
            if framing.incoming != Incoming::Chunked {
                framing.incoming = if length == 0 { Incoming::None } else { Incoming::Length(length) };
            }
        } else if header.name.eq_ignore_ascii_case("transfer-encoding") {
            framing.incoming = Incoming::Chunked;
        } else if header.name.eq_ignore_ascii_case("connection") {
            if header.value.eq_ignore_ascii_case(b"close") {
                framing.keep_alive = false;
            } else if header.value.eq_ignore_ascii_case(b"keep-alive") {
                framing.keep_alive = true;
            }
        } else if header.name.eq_ignore_ascii_case("expect") {
            framing.expects_continue = header.value.eq_ignore_ascii_case(b"100-continue");
        }
    }
    Ok(framing)
}
