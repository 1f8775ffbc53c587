//! Plays a step on an HTTP/1 connection, byte by byte, so that every kind of broken answer can be written.

use std::io;
use std::sync::Arc;

use bytes::{BufMut, Bytes, BytesMut};

use super::chunked;
use super::conn::Conn;
use crate::limited::Place;
use crate::reply::Reply;
use crate::request::{Head, Received};
use crate::spec::{Action, End};
use crate::state::Shared;
use crate::step::{Bomb, Drip, Length, Step};
use crate::wire::{ConnInfo, Wire};

/// What becomes of the connection after the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Next,
    End(End),
}

/// How much of an ordinary body is written at once.
const PIECE: u64 = 64 * 1024;
/// An endless head is written in batches of this many headers.
const BOMB_BATCH: u64 = 64;

/// One request and what is known of it.
#[derive(Debug)]
pub struct Exchange<'a> {
    pub shared: &'a Shared,
    pub info: &'a ConnInfo,
    pub head: &'a Head,
    pub received: &'a Received,
    pub place: Option<Place>,
}

impl<W: Wire> Conn<W> {
    pub async fn play(&mut self, step: &Arc<Step>, with: &Exchange<'_>) -> io::Result<After> {
        for informational in &step.informational {
            let headers = informational.headers.iter().map(|h| (&h.name, &h.value));
            let mut out = BytesMut::new();
            start(&mut out, "HTTP/1.1", informational.status, None, headers);
            out.put_slice(b"\r\n");
            self.write(&out).await?;
        }
        if let Some(gate) = &step.hold
            && !self.wait(with.shared.gates.pass(gate)).await
        {
            return Ok(After::End(End::Cut));
        }
        if let Some(delay) = step.delay
            && !self.wait(tokio::time::sleep(delay)).await
        {
            return Ok(After::End(End::Cut));
        }
        if let Some(place) = &with.place {
            place.leave();
        }
        match step.action {
            // Neither exists in HTTP/1; the nearest thing is an answer that never comes.
            Action::Drop | Action::Goaway | Action::RefuseStream => Ok(After::End(End::Cut)),
            Action::Reset => Ok(After::End(End::Reset)),
            Action::Stall => Ok(After::End(End::Stall)),
            Action::Raw => {
                self.paced(&step.raw, step.drip).await?;
                Ok(After::End(step.end.unwrap_or_default()))
            }
            Action::Answer
            | Action::Echo
            | Action::Redirect
            | Action::Half
            | Action::Drip
            | Action::Endless => {
                self.answer(&Reply::new(step, with.head, with.received, with.info), with).await
            }
        }
    }

    async fn answer(&mut self, reply: &Reply, with: &Exchange<'_>) -> io::Result<After> {
        let step = &reply.step;
        let has_body = reply.may_have_body() && !with.head.is_head();
        let own_framing = step.frames_itself();
        let chunked = step.chunked.unwrap_or(step.action == Action::Endless && step.length == Length::True);
        let until_close = step.length == Length::Unsaid && !chunked && !own_framing;
        let close = step.close || !with.head.keep_alive || (until_close && has_body);

        let mut out = BytesMut::with_capacity(512);
        let version = if step.http10 { "HTTP/1.0" } else { "HTTP/1.1" };
        start(
            &mut out,
            version,
            step.status,
            step.reason.as_ref(),
            reply.headers.iter().map(|(n, v)| (n, v)),
        );
        if !own_framing && (reply.may_have_body() || matches!(step.length, Length::Claimed(_))) {
            match step.length {
                _ if chunked => out.put_slice(b"transfer-encoding: chunked\r\n"),
                Length::True => out.put_slice(format!("content-length: {}\r\n", reply.body.len()).as_bytes()),
                Length::Claimed(n) => out.put_slice(format!("content-length: {n}\r\n").as_bytes()),
                Length::Unsaid => {}
            }
        }
        if close && !reply.headers.iter().any(|(n, _)| n.eq_ignore_ascii_case(b"connection")) {
            out.put_slice(b"connection: close\r\n");
        }
        if let Some(bomb) = step.bomb {
            self.bomb(&mut out, bomb).await?;
        }
        out.put_slice(b"\r\n");

        // Head and body in one segment, as servers send small answers, unless the step separates them.
        let together = has_body
            && !chunked
            && step.drip.is_none()
            && step.body_delay.is_none()
            && reply.body.len() <= PIECE;
        if together {
            for piece in reply.body.pieces(PIECE).take(1) {
                let sent = usize::try_from(reply.sent_length()).unwrap_or(usize::MAX);
                out.put_slice(piece.get(..sent).unwrap_or(&piece));
            }
        }
        self.paced(&out, step.drip.filter(|d| d.head)).await?;
        if let Some(answering) = self.answering.as_ref().filter(|_| together) {
            answering.add(usize::try_from(reply.sent_length()).unwrap_or(usize::MAX));
        }
        if has_body && !together {
            if let Some(delay) = step.body_delay
                && !self.wait(tokio::time::sleep(delay)).await
            {
                return Ok(After::End(End::Cut));
            }
            self.stream(reply, chunked).await?;
        }
        Ok(after(reply, close, chunked))
    }

    async fn stream(&mut self, reply: &Reply, chunked: bool) -> io::Result<()> {
        let step = &reply.step;
        let drip = step.drip;
        let size = step.chunk_size.or(drip.map(|d| d.bytes)).unwrap_or(PIECE);
        let body = reply.body.clone().cut(reply.sent_length());
        let pieces: Box<dyn Iterator<Item = Bytes> + Send> = match &step.chunks {
            Some(list) if step.action != Action::Half => Box::new(list.clone().into_iter()),
            _ => Box::new(body.pieces(size)),
        };
        let mut pieces = pieces.peekable();
        let mut number = 0;
        while let Some(piece) = pieces.next() {
            if number > 0
                && let Some(drip) = drip
                && !self.wait(tokio::time::sleep(drip.every)).await
            {
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            if chunked {
                let faulty = number == 1 || (number == 0 && pieces.peek().is_none());
                let chunk = chunked::chunk(&piece, step.chunk_fault.filter(|_| faulty));
                self.write_body(&chunk, piece.len()).await?;
            } else {
                self.write_body(&piece, piece.len()).await?;
            }
            number += 1;
        }
        if chunked && step.action != Action::Half && step.send_bytes.is_none() {
            self.write(&chunked::end(&step.trailers, step.chunk_fault)).await?;
        }
        Ok(())
    }

    /// Writes at once, or so many bytes each interval.
    async fn paced(&mut self, bytes: &[u8], drip: Option<Drip>) -> io::Result<()> {
        let Some(drip) = drip else {
            return self.write(bytes).await;
        };
        let size = usize::try_from(drip.bytes).unwrap_or(usize::MAX).max(1);
        for piece in bytes.chunks(size) {
            self.write(piece).await?;
            if !self.wait(tokio::time::sleep(drip.every)).await {
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
        }
        Ok(())
    }

    async fn bomb(&mut self, out: &mut BytesMut, bomb: Bomb) -> io::Result<()> {
        let value = "a".repeat(bomb.size);
        for number in 0..bomb.count {
            out.put_slice(format!("X-Bomb-{number}: {value}\r\n").as_bytes());
            if number % BOMB_BATCH == BOMB_BATCH - 1 {
                self.write(&out.split()).await?;
            }
        }
        Ok(())
    }
}

fn start<'a>(
    out: &mut BytesMut,
    version: &str,
    status: u16,
    reason: Option<&Bytes>,
    headers: impl Iterator<Item = (&'a Bytes, &'a Bytes)>,
) {
    out.put_slice(format!("{version} {status} ").as_bytes());
    match reason {
        Some(reason) => out.put_slice(reason),
        None => {
            let known = http::StatusCode::from_u16(status).ok().and_then(|s| s.canonical_reason());
            out.put_slice(known.unwrap_or("Unknown").as_bytes());
        }
    }
    out.put_slice(b"\r\n");
    for (name, value) in headers {
        out.put_slice(name);
        out.put_slice(b": ");
        out.put_slice(value);
        out.put_slice(b"\r\n");
    }
}

/// Whether the answer leaves the connection usable, and if not, how it ends.
fn after(reply: &Reply, close: bool, chunked: bool) -> After {
    let step = &reply.step;
    let broken = (step.action == Action::Half || step.send_bytes.is_some())
        || (chunked && step.chunk_fault.is_some())
        || matches!(step.length, Length::Claimed(n) if n != reply.body.len() && reply.may_have_body());
    match step.end {
        Some(end) => After::End(end),
        None if broken || close => After::End(End::Close),
        None => After::Next,
    }
}
