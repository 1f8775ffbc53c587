//! Lies between the `h2` crate and the socket: can put bytes of ours between two of its frames, and end the
//! connection in ways that the crate, which keeps to the protocol, would not.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use bytes::{Buf, BytesMut};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use crate::spec::End;
use crate::wire::Wire;

/// How long a client may take to close after we did.
const LINGER: Duration = Duration::from_secs(1);
/// RFC 9113, section 4.1.
const FRAME_HEAD: usize = 9;

#[derive(Debug, Default)]
struct Orders {
    bytes: BytesMut,
    end: Option<End>,
    waker: Option<Waker>,
}

/// Gives orders to a tap from the tasks of its streams.
#[derive(Clone, Debug, Default)]
pub struct Injector(Arc<Mutex<Orders>>);

impl Injector {
    fn orders(&self) -> MutexGuard<'_, Orders> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes `bytes` as soon as no frame is half written, then ends the connection if so told.
    pub fn send(&self, bytes: &[u8], end: Option<End>) {
        let mut orders = self.orders();
        orders.bytes.extend_from_slice(bytes);
        orders.end = orders.end.or(end);
        if let Some(waker) = orders.waker.take() {
            waker.wake();
        }
    }
}

/// Where in a frame the outgoing bytes are.
#[derive(Debug, Default)]
struct Frames {
    head: [u8; FRAME_HEAD],
    head_len: usize,
    payload_left: usize,
}

impl Frames {
    fn between(&self) -> bool {
        self.head_len == 0 && self.payload_left == 0
    }

    /// How many bytes may be written without running into the next frame.
    fn rest(&self) -> usize {
        if self.payload_left > 0 { self.payload_left } else { FRAME_HEAD - self.head_len }
    }

    fn wrote(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(self.rest().min(bytes.len()));
            bytes = later;
            if self.payload_left > 0 {
                self.payload_left -= now.len();
                continue;
            }
            for byte in now {
                if let Some(place) = self.head.get_mut(self.head_len) {
                    *place = *byte;
                }
                self.head_len += 1;
            }
            if self.head_len == FRAME_HEAD {
                let [a, b, c, ..] = self.head;
                self.payload_left = usize::from(a) << 16 | usize::from(b) << 8 | usize::from(c);
                self.head_len = 0;
            }
        }
    }
}

#[derive(Debug)]
enum State {
    Open,
    /// Shutting down in order, then waiting for the client's end.
    Closing {
        shut: bool,
        until: Pin<Box<Sleep>>,
    },
    /// Nothing more is written; what comes is still read.
    Mute,
    Over,
}

#[derive(Debug)]
pub struct Tap<W> {
    wire: W,
    injector: Injector,
    frames: Frames,
    state: State,
}

impl<W: Wire> Tap<W> {
    pub fn new(wire: W, injector: Injector) -> Self {
        Self { wire, injector, frames: Frames::default(), state: State::Open }
    }

    /// Carries out the orders, if a frame's end allows it.
    fn obey(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let injector = self.injector.clone();
        let mut orders = injector.orders();
        orders.waker = Some(cx.waker().clone());
        if !matches!(self.state, State::Open) || (orders.bytes.is_empty() && orders.end.is_none()) {
            return Poll::Ready(Ok(()));
        }
        // Cutting the connection needs no frame's end, and what holds the frame up may be the client.
        let at_once = orders.bytes.is_empty() && matches!(orders.end, Some(End::Cut | End::Reset));
        if !at_once && !self.frames.between() {
            return Poll::Ready(Ok(()));
        }
        while !orders.bytes.is_empty() {
            let n = ready!(Pin::new(&mut self.wire).poll_write(cx, &orders.bytes))?;
            orders.bytes.advance(n);
        }
        ready!(Pin::new(&mut self.wire).poll_flush(cx))?;
        match orders.end.take() {
            None => {}
            Some(End::Close) => {
                let until = Box::pin(tokio::time::sleep(LINGER));
                self.state = State::Closing { shut: false, until };
            }
            Some(End::Cut) => self.state = State::Over,
            Some(End::Reset) => {
                self.wire.arm_reset();
                self.state = State::Over;
            }
            Some(End::Stall) => self.state = State::Mute,
        }
        Poll::Ready(Ok(()))
    }
}

impl<W: Wire> AsyncRead for Tap<W> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        // Not ready: the socket takes nothing at the moment; reading goes on meanwhile.
        if let Poll::Ready(result) = this.obey(cx) {
            result?;
        }
        match &mut this.state {
            State::Open | State::Mute => Pin::new(&mut this.wire).poll_read(cx, buf),
            State::Over => Poll::Ready(Ok(())),
            State::Closing { shut, until } => {
                if !*shut {
                    // Whether it worked does not matter any more.
                    let _ = ready!(Pin::new(&mut this.wire).poll_shutdown(cx));
                    *shut = true;
                }
                let mut ignored = [0; 4096];
                loop {
                    let mut into = ReadBuf::new(&mut ignored);
                    match Pin::new(&mut this.wire).poll_read(cx, &mut into) {
                        Poll::Ready(Ok(())) if !into.filled().is_empty() => {}
                        Poll::Ready(_) => break,
                        Poll::Pending => {
                            ready!(until.as_mut().poll(cx));
                            break;
                        }
                    }
                }
                this.state = State::Over;
                Poll::Ready(Ok(()))
            }
        }
    }
}

impl<W: Wire> AsyncWrite for Tap<W> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        ready!(this.obey(cx))?;
        if !matches!(this.state, State::Open) {
            // Swallowed: an error here would only end what is ending in its own way.
            return Poll::Ready(Ok(buf.len()));
        }
        let waiting = {
            let orders = this.injector.orders();
            !orders.bytes.is_empty() || orders.end.is_some()
        };
        let limit = if waiting { this.frames.rest().min(buf.len()) } else { buf.len() };
        let n = ready!(Pin::new(&mut this.wire).poll_write(cx, buf.get(..limit).unwrap_or(buf)))?;
        this.frames.wrote(buf.get(..n).unwrap_or_default());
        Poll::Ready(Ok(n))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.obey(cx))?;
        if matches!(self.state, State::Open) {
            return Pin::new(&mut self.wire).poll_flush(cx);
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if matches!(self.state, State::Open) {
            return Pin::new(&mut self.wire).poll_shutdown(cx);
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_followed_over_any_split() {
        // PING with 8 bytes, an empty SETTINGS, then 3 bytes of a next frame's head.
        let mut stream = vec![0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
        stream.extend([0, 0, 0, 4, 0, 0, 0, 0, 0]);
        for step in 1..stream.len() {
            let mut frames = Frames::default();
            stream.chunks(step).for_each(|part| frames.wrote(part));
            assert!(frames.between(), "{step}");
            frames.wrote(&[0, 0, 1]);
            assert!(!frames.between());
            assert_eq!(frames.rest(), 6);
        }
    }
}
