//! An answer on its way: looked at as far as a decision needs, then read whole or let go.

use std::{
    future::{Future, poll_fn},
    pin::pin,
    task::Poll,
    time::SystemTime,
};

use bytes::Bytes;
use http::HeaderMap;
use policy::{Outcome, Timestamp, server_wish};
use url::Url;

use super::sink::Writing;
use crate::{Failed, Response, transport::too_large, world::Arrival};

pub(crate) struct Received {
    arrival: Arrival,
    uri: Url,
    arrived: Timestamp,
    arrived_wall: SystemTime,
    body: Collected,
    /// What ended the reading: the body's end or what broke it.
    ended: Option<Result<(), Failed>>,
}

impl Received {
    pub(crate) fn new(arrival: Arrival, uri: Url, arrived: Timestamp, arrived_wall: SystemTime) -> Box<Self> {
        Box::new(Self { arrival, uri, arrived, arrived_wall, body: Collected::default(), ended: None })
    }

    pub(crate) fn status(&self) -> u16 {
        self.arrival.status()
    }

    pub(crate) fn headers(&self) -> &HeaderMap {
        self.arrival.headers()
    }

    pub(crate) fn arrived(&self) -> Timestamp {
        self.arrived
    }

    pub(crate) fn arrived_wall(&self) -> SystemTime {
        self.arrived_wall
    }

    pub(crate) fn outcome(&self) -> Outcome<'_> {
        Outcome::Answer {
            status: self.status(),
            headers: self.headers(),
            body: self.body.as_slice(),
            arrived: self.arrived,
            arrived_wall: self.arrived_wall,
        }
    }

    /// Reads what may be looked at of the body, until `until` at most.
    pub(crate) async fn look(&mut self, until: Timestamp) {
        while self.ended.is_none() && self.body.len() < server_wish::MAX_BODY_LOOKED_AT {
            match self.arrival.chunk(until).await {
                Ok(Some(chunk)) => self.body.push(chunk, None),
                Ok(None) => self.ended = Some(Ok(())),
                // Too slow is not broken: a caller that wants it whole goes on reading.
                Err(failed) if failed.kind == policy::FailureKind::Timeout => return,
                Err(failed) => self.ended = Some(Err(failed)),
            }
        }
    }

    /// Reads what has arrived already.
    pub(crate) async fn look_without_waiting(&mut self) {
        let mut looking = pin!(self.look(Timestamp::from_nanos(u64::MAX)));
        poll_fn(|cx| {
            let _ = looking.as_mut().poll(cx);
            Poll::Ready(())
        })
        .await;
    }

    /// The response with its whole body in memory.
    pub(crate) async fn whole(
        mut self: Box<Self>,
        until: Timestamp,
        max_body: u64,
    ) -> Result<Response, Failed> {
        if self.arrival.content_length().is_some_and(|length| length > max_body) {
            return Err(self.over(max_body));
        }
        while self.ended.is_none() {
            match self.arrival.chunk(until).await? {
                Some(chunk) => self.body.push(chunk, self.arrival.content_length()),
                None => self.ended = Some(Ok(())),
            }
            if self.body.len() as u64 > max_body {
                return Err(self.over(max_body));
            }
        }
        match self.ended.take() {
            Some(Err(failed)) => Err(failed),
            _ => Ok(self.into_response()),
        }
    }

    /// The response without its body, which goes to the sink.
    pub(crate) async fn written(
        mut self: Box<Self>,
        until: Timestamp,
        mut sink: Writing<'_>,
    ) -> Result<Response, Failed> {
        let mut chunk = Some(self.body.take()).filter(|seen| !seen.is_empty());
        loop {
            let written = match chunk {
                Some(chunk) => sink.write(chunk).await,
                None => Ok(()),
            };
            let next = match (written, self.ended.take()) {
                (Err(failed), _) => Err(failed),
                (Ok(()), Some(ended)) => ended.map(|()| None),
                (Ok(()), None) => self.arrival.chunk(until).await,
            };
            chunk = match next {
                Ok(Some(chunk)) => Some(chunk),
                Ok(None) => break,
                Err(failed) => return Err(sink.abandon(failed).await),
            };
        }
        sink.finish()?;
        Ok(self.into_response())
    }

    /// What a caller may see of a response that is let go: its body only if all of it is here.
    pub(crate) fn glance(&self) -> Response {
        let mut response = self.head();
        response.headers = self.headers().clone();
        if self.is_whole() {
            response.body = self.body.copy();
        }
        response
    }

    /// [`Self::glance`] for the last look: the connection is kept only if the body is whole.
    pub(crate) fn let_go(mut self: Box<Self>) -> Response {
        if !self.is_whole() {
            self.body = Collected::default();
        }
        self.into_response()
    }

    fn is_whole(&self) -> bool {
        matches!(self.ended, Some(Ok(())))
    }

    fn into_response(mut self: Box<Self>) -> Response {
        let mut response = self.head();
        response.headers = self.arrival.take_headers();
        response.body = self.body.take();
        response
    }

    /// All but headers and body.
    fn head(&self) -> Response {
        let wish = server_wish::in_headers(self.headers(), self.arrived_wall)
            .or_else(|| (self.status() >= 400).then(|| server_wish::in_body(self.body.as_slice())).flatten());
        Response {
            status: self.status(),
            reason_phrase: self.arrival.reason_phrase(),
            version: self.arrival.version(),
            headers: HeaderMap::new(),
            body: Bytes::new(),
            uri: self.uri.clone(),
            retry_after: wish,
        }
    }

    fn over(&self, max_body: u64) -> Failed {
        too_large(format!("The body from {} is over {max_body} bytes", crate::transport::origin(&self.uri)))
    }
}

/// Chunks put together; a body that came in one piece is not copied.
#[derive(Default)]
struct Collected {
    first: Bytes,
    all: Vec<u8>,
}

impl Collected {
    fn push(&mut self, chunk: Bytes, still_expected: Option<u64>) {
        /// What a server still announces reserves no more than this ahead.
        const MAX_RESERVED: u64 = 16 * 1024 * 1024;
        if self.all.is_empty() {
            if self.first.is_empty() {
                self.first = chunk;
                return;
            }
            let expected = still_expected.unwrap_or(0).min(MAX_RESERVED) as usize;
            self.all.reserve(self.first.len().saturating_add(chunk.len()).saturating_add(expected));
            self.all.extend_from_slice(&self.first);
        }
        self.all.extend_from_slice(&chunk);
    }

    fn as_slice(&self) -> &[u8] {
        if self.all.is_empty() { &self.first } else { &self.all }
    }

    fn len(&self) -> usize {
        self.as_slice().len()
    }

    fn copy(&self) -> Bytes {
        if self.all.is_empty() { self.first.clone() } else { Bytes::copy_from_slice(&self.all) }
    }

    fn take(&mut self) -> Bytes {
        let Self { first, all } = std::mem::take(self);
        if all.is_empty() { first } else { all.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_come_together_in_order() {
        let mut collected = Collected::default();
        assert_eq!(collected.take(), "");
        for chunk in ["ab", "c", "", "def"] {
            collected.push(Bytes::from_static(chunk.as_bytes()), Some(4));
        }
        assert_eq!(collected.as_slice(), b"abcdef");
        assert_eq!(collected.copy(), "abcdef");
        assert_eq!(collected.take(), "abcdef");
        assert_eq!(collected.len(), 0);
    }

    #[test]
    fn one_chunk_is_not_copied() {
        let chunk = Bytes::from(vec![1; 100]);
        let mut collected = Collected::default();
        collected.push(chunk.clone(), None);
        assert_eq!(collected.take().as_ptr(), chunk.as_ptr());
    }
}
