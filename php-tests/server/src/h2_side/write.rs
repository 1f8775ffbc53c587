//! Plays a step on an HTTP/2 stream.

use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use h2::server::SendResponse;
use h2::{Reason, SendStream};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};

use super::session::{Session, Wish};
use crate::answering::Answering;
use crate::limited::Place;
use crate::reply::Reply;
use crate::request::{Head, Received};
use crate::spec::{Action, Goaway};
use crate::state::Shared;
use crate::step::{Bomb, Header, Length, Step};
use crate::wire::ConnInfo;

const PIECE: u64 = 64 * 1024;
/// More do not fit into a `HeaderMap`.
const MAX_BOMB: u64 = 20_000;
/// RST_STREAM and the connection's end discard what is queued; on loopback this is enough for it to leave.
const BEFORE_RESET: Duration = Duration::from_millis(20);
/// Connection-specific fields, which HTTP/2 does not have (RFC 9113, section 8.2.2).
const HOP_BY_HOP: [&str; 5] =
    ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"];

#[derive(Debug)]
pub struct Exchange<'a> {
    pub shared: &'a Shared,
    pub info: &'a ConnInfo,
    pub session: &'a Session,
    pub head: &'a Head,
    pub received: &'a Received,
    pub place: Option<Place>,
    pub answering: Option<Arc<Answering>>,
}

/// What becomes of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Done,
    /// Stays open and silent until the connection ends.
    Park,
}

pub async fn play(
    respond: &mut SendResponse<Bytes>,
    step: &Arc<Step>,
    with: &Exchange<'_>,
) -> Result<Ending, h2::Error> {
    for informational in &step.informational {
        let mut response = Response::new(());
        *response.status_mut() = StatusCode::from_u16(informational.status).unwrap_or(StatusCode::CONTINUE);
        *response.headers_mut() = fields(informational.headers.iter().map(|h| (&h.name, &h.value)));
        // 101 has no meaning in HTTP/2 and is refused by the crate.
        let _ = respond.send_informational(response);
    }
    if let Some(gate) = &step.hold {
        wait(respond, with.shared.gates.pass(gate)).await?;
    }
    if let Some(delay) = step.delay {
        wait(respond, tokio::time::sleep(delay)).await?;
    }
    if let Some(place) = &with.place {
        place.leave();
    }
    let session = with.session;
    match step.action {
        Action::Drop => session.injector.send(&[], Some(crate::spec::End::Cut)),
        Action::Reset => session.injector.send(&[], Some(crate::spec::End::Reset)),
        Action::Raw => session.injector.send(&step.raw, Some(step.end.unwrap_or_default())),
        Action::Stall => wait(respond, std::future::pending()).await?,
        Action::RefuseStream => {
            let code = step.error_code.unwrap_or(u32::from(Reason::REFUSED_STREAM));
            respond.send_reset(Reason::from(code));
            return Ok(Ending::Done);
        }
        Action::Goaway if step.goaway != Some(Goaway::After) => {
            let below = u32::from(respond.stream_id()).saturating_sub(2);
            session.go_away(step.last_stream.unwrap_or(below), step.error_code.unwrap_or(0));
        }
        _ => {
            answer(respond, &Reply::new(step, with.head, with.received, with.info), with).await?;
            if step.action == Action::Goaway {
                session.wish(Wish::Shutdown);
            }
            session.afterwards(step);
            return Ok(Ending::Done);
        }
    }
    Ok(Ending::Park)
}

/// Waits for `what`, or fails because the client gave the stream up.
async fn wait(respond: &mut SendResponse<Bytes>, what: impl Future<Output = ()>) -> Result<(), h2::Error> {
    tokio::select! {
        () = what => Ok(()),
        reset = poll_fn(|cx| respond.poll_reset(cx)) => Err(reset?.into()),
    }
}

/// As `wait`, once the head has been sent.
async fn pause(stream: &mut SendStream<Bytes>, time: Duration) -> Result<(), h2::Error> {
    tokio::select! {
        () = tokio::time::sleep(time) => Ok(()),
        reset = poll_fn(|cx| stream.poll_reset(cx)) => Err(reset?.into()),
    }
}

async fn answer(
    respond: &mut SendResponse<Bytes>,
    reply: &Reply,
    with: &Exchange<'_>,
) -> Result<(), h2::Error> {
    let step = &reply.step;
    let has_body = reply.may_have_body() && !with.head.is_head();
    let broken = step.action == Action::Half || step.send_bytes.is_some();
    let mut response = Response::new(());
    *response.status_mut() = StatusCode::from_u16(step.status).unwrap_or_default();
    *response.headers_mut() = head_fields(reply);
    let nothing_follows = !has_body
        || (reply.body.len() == 0 && step.trailers.is_empty() && step.body_delay.is_none() && !broken);
    let mut stream = respond.send_response(response, nothing_follows)?;
    if !nothing_follows {
        if let Some(delay) = step.body_delay {
            pause(&mut stream, delay).await?;
        }
        send_body(&mut stream, reply, broken, with.answering.as_deref()).await?;
    }
    if let Some(end) = step.end {
        tokio::time::sleep(BEFORE_RESET).await;
        with.session.injector.send(&[], Some(end));
        // Keeps the stream from being reset before the connection has ended.
        let _ = poll_fn(|cx| stream.poll_reset(cx)).await;
    } else if broken && has_body {
        tokio::time::sleep(BEFORE_RESET).await;
        stream.send_reset(Reason::from(step.error_code.unwrap_or(u32::from(Reason::INTERNAL_ERROR))));
    }
    Ok(())
}

async fn send_body(
    stream: &mut SendStream<Bytes>,
    reply: &Reply,
    broken: bool,
    answering: Option<&Answering>,
) -> Result<(), h2::Error> {
    let step = &reply.step;
    let size = step.chunk_size.or(step.drip.map(|d| d.bytes)).unwrap_or(PIECE);
    let body = reply.body.clone().cut(reply.sent_length());
    let pieces: Box<dyn Iterator<Item = Bytes> + Send> = match &step.chunks {
        Some(list) if !broken => Box::new(list.clone().into_iter()),
        _ => Box::new(body.pieces(size)),
    };
    let mut pieces = pieces.peekable();
    let mut first = true;
    let ends_with_data = !broken && step.trailers.is_empty();
    if ends_with_data && pieces.peek().is_none() {
        return stream.send_data(Bytes::new(), true);
    }
    while let Some(piece) = pieces.next() {
        if let Some(drip) = step.drip.filter(|_| !first) {
            pause(stream, drip.every).await?;
        }
        first = false;
        send_piece(stream, piece, ends_with_data && pieces.peek().is_none(), answering).await?;
    }
    if !broken && !step.trailers.is_empty() {
        let trailers = fields(step.trailers.iter().map(|h: &Header| (&h.name, &h.value)));
        stream.send_trailers(trailers)?;
    }
    Ok(())
}

async fn send_piece(
    stream: &mut SendStream<Bytes>,
    mut data: Bytes,
    last: bool,
    answering: Option<&Answering>,
) -> Result<(), h2::Error> {
    if data.is_empty() && last {
        return stream.send_data(data, true);
    }
    while !data.is_empty() {
        stream.reserve_capacity(data.len());
        match poll_fn(|cx| stream.poll_capacity(cx)).await {
            Some(granted) => {
                let piece = data.split_to(granted?.min(data.len()));
                let length = piece.len();
                stream.send_data(piece, last && data.is_empty())?;
                if let Some(answering) = answering {
                    answering.add(length);
                }
            }
            None => return Err(Reason::CANCEL.into()),
        }
    }
    Ok(())
}

fn head_fields(reply: &Reply) -> HeaderMap {
    let step = &reply.step;
    let mut map = fields(reply.headers.iter().map(|(n, v)| (n, v)));
    let unsaid = step.length == Length::Unsaid
        || step.chunked == Some(true)
        || (step.action == Action::Endless && step.length == Length::True)
        || step.frames_itself();
    if !unsaid && (reply.may_have_body() || matches!(step.length, Length::Claimed(_))) {
        let length = match step.length {
            Length::Claimed(n) => n,
            _ => reply.body.len(),
        };
        map.insert(http::header::CONTENT_LENGTH, HeaderValue::from(length));
    }
    if let Some(bomb) = step.bomb {
        add_bomb(&mut map, bomb);
    }
    map
}

fn add_bomb(map: &mut HeaderMap, bomb: Bomb) {
    let Ok(value) = HeaderValue::from_str(&"a".repeat(bomb.size)) else { return };
    for number in 0..bomb.count.min(MAX_BOMB) {
        if let Ok(name) = HeaderName::try_from(format!("x-bomb-{number}")) {
            map.append(name, value.clone());
        }
    }
}

/// What HTTP/2 cannot carry is left out.
fn fields<'a>(headers: impl Iterator<Item = (&'a Bytes, &'a Bytes)>) -> HeaderMap {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name), HeaderValue::from_bytes(value))
            && !HOP_BY_HOP.contains(&name.as_str())
        {
            map.append(name, value);
        }
    }
    map
}
