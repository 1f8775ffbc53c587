//! One HTTP/2 stream: reads the request, takes its step, logs it and has it played.

use std::future::poll_fn;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use h2::RecvStream;
use h2::server::SendResponse;
use http::Request;

use super::session::Session;
use super::write::{self, Ending, Exchange};
use crate::clock::Stamp;
use crate::request::{Head, Incoming, LOG_BODY, Received, entry, latin1};
use crate::route::{first_segment, plan};
use crate::state::Shared;
use crate::step::ReadBody;
use crate::wire::ConnInfo;

pub async fn serve(
    shared: &Shared,
    info: &ConnInfo,
    session: &Session,
    request: Request<RecvStream>,
    mut respond: SendResponse<Bytes>,
) {
    if session.gone_away() {
        // Above the GOAWAY's last stream: as if it had never arrived.
        session.finish();
        park(&mut respond).await;
        return;
    }
    // An error is the client's leaving, or a connection that ended as the step wanted.
    let ending = one(shared, info, session, request, &mut respond).await.unwrap_or(Ending::Done);
    session.finish();
    if ending == Ending::Park {
        park(&mut respond).await;
    }
}

/// Keeps the stream open and silent: dropping it would send RST_STREAM.
async fn park(respond: &mut SendResponse<Bytes>) {
    let _ = poll_fn(|cx| respond.poll_reset(cx)).await;
}

async fn one(
    shared: &Shared,
    info: &ConnInfo,
    session: &Session,
    request: Request<RecvStream>,
    respond: &mut SendResponse<Bytes>,
) -> Result<Ending, h2::Error> {
    let mut head = head(&request);
    info.counts.requests.fetch_add(1, Ordering::Relaxed);
    head.index = info.requests.fetch_add(1, Ordering::Relaxed) + 1;
    let mut incoming = request.into_body();
    if let Some(end) = session.take_on_next() {
        let mut received = Received::new(LOG_BODY);
        let read = body(&mut incoming, ReadBody::All, &mut received).await;
        let name = first_segment(head.path_and_query().0);
        shared.logs.push(name, entry(&head, &received, info, None, Some("closed_on_next")));
        session.injector.send(&[], Some(end));
        return read.map(|()| Ending::Park);
    }
    let plan = plan(shared, &head, info);
    if let Some(delay) = plan.read_delay() {
        tokio::time::sleep(delay).await;
    }
    let mut received = Received::new(plan.keep());
    let read = body(&mut incoming, plan.read_body(), &mut received).await;
    let answering = plan.note(shared, &head, &received, info);
    read?;
    let (step, place) = plan.finish(shared, &head, &received, info).await;
    let with = Exchange { shared, info, session, head: &head, received: &received, place, answering };
    // `incoming` lives until here: a body that is not wanted is not a reason to reset the stream.
    let ending = write::play(respond, &step, &with).await;
    if let Some(answering) = with.answering.filter(|_| ending.is_err()) {
        answering.client_left();
    }
    ending
}

fn head(request: &Request<RecvStream>) -> Head {
    let at = Stamp::now();
    let uri = request.uri();
    let target = uri.path_and_query().map_or_else(|| uri.to_string(), ToString::to_string);
    let headers: Vec<(String, String)> = request
        .headers()
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), latin1(value.as_bytes())))
        .collect();
    let host = || headers.iter().find(|(n, _)| n == "host").map(|(_, v)| v.clone());
    Head {
        at,
        method: request.method().to_string(),
        target,
        authority: uri.authority().map(ToString::to_string).or_else(host),
        protocol: "HTTP/2",
        headers,
        head_bytes: None,
        incoming: Incoming::Stream,
        keep_alive: true,
        expects_continue: false,
        index: 0,
    }
}

async fn body(stream: &mut RecvStream, how: ReadBody, received: &mut Received) -> Result<(), h2::Error> {
    let limit = match how {
        ReadBody::All => u64::MAX,
        ReadBody::UpTo(n) => n,
    };
    while received.length < limit {
        let Some(data) = stream.data().await else { break };
        let data = data?;
        stream.flow_control().release_capacity(data.len())?;
        received.add(&data);
    }
    received.complete = stream.is_end_stream();
    Ok(())
}
