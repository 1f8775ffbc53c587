//! An answer on its way: looked at as far as a decision needs, then read whole or let go.

use std::{
    future::{Future, poll_fn},
    pin::pin,
    task::Poll,
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use http::HeaderMap;
use policy::{Outcome, Timestamp, server_wish};
use url::Url;

use super::{Outside, sink::Writing};
use crate::{Failed, Payload, Response, Room, transport::too_large, until::Until, world::Arrival};

pub(crate) struct Received {
    arrival: Arrival,
    uri: Url,
    arrived: Timestamp,
    arrived_wall: SystemTime,
    body: Payload,
    /// What ended the reading: the body's end or what broke it.
    ended: Option<Result<(), Failed>>,
}

impl Received {
    pub(crate) fn new(arrival: Arrival, uri: Url, arrived: Timestamp, arrived_wall: SystemTime) -> Box<Self> {
        Box::new(Self { arrival, uri, arrived, arrived_wall, body: Payload::default(), ended: None })
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

    pub(crate) fn outcome(&mut self) -> Outcome<'_> {
        Outcome::Answer {
            status: self.arrival.status(),
            headers: self.arrival.headers(),
            body: looked_at(&mut self.body),
            arrived: self.arrived,
            arrived_wall: self.arrived_wall,
        }
    }

    /// Reads what may be looked at of the body, until `until` at most.
    pub(crate) async fn look(&mut self, until: Until) {
        while self.ended.is_none() && self.body.len() <= server_wish::MAX_BODY_LOOKED_AT {
            match self.arrival.chunk(until).await {
                Ok(Some(chunk)) => self.body.push(chunk),
                Ok(None) => self.ended = Some(Ok(())),
                // Too slow is not broken: a caller that wants it whole goes on reading.
                Err(failed) if failed.kind == policy::FailureKind::Timeout => return,
                Err(failed) => self.ended = Some(Err(failed)),
            }
        }
    }

    /// Reads what has arrived already.
    pub(crate) async fn look_without_waiting(&mut self) {
        let mut looking = pin!(self.look(Until::by(None)));
        poll_fn(|cx| {
            let _ = looking.as_mut().poll(cx);
            Poll::Ready(())
        })
        .await;
    }

    /// The response with its whole body in memory.
    pub(crate) async fn whole(
        mut self: Box<Self>,
        until: Until,
        max_body: u64,
        lender: Option<&Outside>,
    ) -> Result<Response, Failed> {
        if self.arrival.content_length().is_some_and(|length| length > max_body) {
            return Err(self.over(max_body));
        }
        let mut room = Box::pin(self.move_into_room(lender)).await;
        while self.ended.is_none() {
            match self.arrival.chunk(until).await? {
                Some(chunk) => {
                    let fits = self.body.is_empty() && room.as_mut().is_some_and(|room| room.write(&chunk));
                    if !fits {
                        self.body.push(chunk);
                    }
                }
                None => self.ended = Some(Ok(())),
            }
            let length = self.body.len() + room.as_ref().map_or(0, |room| room.len());
            if length as u64 > max_body {
                return Err(self.over(max_body));
            }
        }
        if let Some(room) = room {
            let mut beyond = std::mem::replace(&mut self.body, room.finish().into());
            while let Some(stretch) = beyond.pop() {
                self.body.push(stretch);
            }
        }
        match self.ended.take() {
            Some(Err(failed)) => Err(failed),
            _ => Ok(self.into_response()),
        }
    }

    /// Memory for a long body of announced length, with what is here of it already.
    async fn move_into_room(&mut self, lender: Option<&Outside>) -> Option<Box<dyn Room>> {
        /// What is left to come of a body that is worth the question.
        const LONG: u64 = 128 * 1024;
        let left = self.arrival.content_length().filter(|left| self.ended.is_none() && *left >= LONG)?;
        let length = self.body.len().checked_add(usize::try_from(left).ok()?)?;
        let mut room = lender?.room(length).await?;
        if !self.body.chunks().all(|stretch| room.write(stretch)) {
            return None;
        }
        self.body.clear();
        Some(room)
    }

    /// The response without its body, which goes to the sink.
    pub(crate) async fn written(
        mut self: Box<Self>,
        until: Until,
        mut sink: Writing<'_>,
    ) -> Result<Response, Failed> {
        loop {
            let written = match self.next(until).await {
                Ok(Some(chunk)) => sink.write(chunk).await,
                Ok(None) => break,
                Err(failed) => Err(failed),
            };
            if let Err(failed) = written {
                return Err(sink.abandon(failed).await);
            }
        }
        sink.finish()?;
        Ok(self.into_response())
    }

    /// The next stretch of the body, those first that were looked at; `None` at its end.
    pub(crate) async fn next(&mut self, until: Until) -> Result<Option<Bytes>, Failed> {
        if let Some(seen) = self.body.pop() {
            return Ok(Some(seen));
        }
        match self.ended.take() {
            Some(ended) => ended.map(|()| None),
            None => self.arrival.chunk(until).await,
        }
    }

    /// From here on it may be silent for so long only.
    pub(crate) fn expect_no_silence(&mut self, idle_timeout: Option<Duration>) {
        if let Arrival::Network(arriving) = &mut self.arrival {
            arriving.idle_timeout = idle_timeout;
        }
    }

    /// The response without its body, which stays here.
    pub(crate) fn headers_only(&mut self) -> Response {
        let mut response = self.head();
        response.headers = self.headers().clone();
        response.removed = self.arrival.removed().to_vec();
        response
    }

    /// What a caller may see of a response that is let go: its body only if all of it is here.
    pub(crate) fn glance(&mut self) -> Response {
        let mut response = self.headers_only();
        if self.is_whole() {
            response.body = self.body.clone();
        }
        response
    }

    /// [`Self::glance`] for the last look: the connection is kept only if the body is whole.
    pub(crate) fn let_go(mut self: Box<Self>) -> Response {
        if !self.is_whole() {
            self.body.clear();
        }
        self.into_response()
    }

    fn is_whole(&self) -> bool {
        matches!(self.ended, Some(Ok(())))
    }

    pub(crate) fn into_response(mut self: Box<Self>) -> Response {
        let mut response = self.head();
        response.headers = self.arrival.take_headers();
        response.removed = self.arrival.take_removed();
        response.body = std::mem::take(&mut self.body);
        response
    }

    /// All but headers, removed ones among them, and body.
    fn head(&mut self) -> Response {
        let mut wish = server_wish::in_headers(self.headers(), self.arrived_wall);
        if wish.is_none() && self.status() >= 400 {
            let headers = self.arrival.headers();
            wish = server_wish::elsewhere(headers, looked_at(&mut self.body), self.arrived_wall);
        }
        Response {
            status: self.status(),
            reason_phrase: self.arrival.reason_phrase(),
            version: self.arrival.version(),
            headers: HeaderMap::new(),
            removed: Vec::new(),
            body: Payload::default(),
            uri: self.uri.clone(),
            retry_after: wish,
        }
    }

    pub(crate) fn over(&self, max_body: u64) -> Failed {
        too_large(format!("The body from {} is over {max_body} bytes", crate::transport::origin(&self.uri)))
    }
}

/// What a decision may look at of a body; one that is too long for that says nothing.
fn looked_at(body: &mut Payload) -> &[u8] {
    if body.len() <= server_wish::MAX_BODY_LOOKED_AT { body.join() } else { &[] }
}
