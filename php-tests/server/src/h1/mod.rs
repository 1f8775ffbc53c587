//! Serves HTTP/1 on one connection: reads a request, takes its step, plays it, and again.

mod chunked;
pub mod conn;
mod quick;
mod read;
mod write;

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

pub use conn::Conn;
pub use read::Arrived;
pub use write::{After, Exchange};

use crate::request::{Head, LOG_BODY, Received, entry};
use crate::route::{first_segment, plan};
use crate::spec::End;
use crate::state::Shared;
use crate::step::{ReadBody, Step};
use crate::wire::{ConnInfo, Wire};

/// How the connection becomes stale, as the last step wished.
#[derive(Clone, Copy, Debug, Default)]
struct Staleness {
    close_idle_after: Option<Duration>,
    close_on_next: Option<End>,
    /// Either of the two: the quick way, which looks at neither, is then closed.
    armed: bool,
}

pub async fn serve<W: Wire>(shared: &Shared, info: &ConnInfo, wire: W) {
    let mut conn = Conn::new(wire);
    // Errors here are the client's leaving, which is ordinary.
    if let Ok(Some((end, unread))) = requests(shared, info, &mut conn).await {
        conn.end(end, unread).await;
    }
}

/// Until the connection ends; `None` if the client ended it.
async fn requests<W: Wire>(
    shared: &Shared,
    info: &ConnInfo,
    conn: &mut Conn<W>,
) -> io::Result<Option<(End, bool)>> {
    let mut stale = Staleness::default();
    let mut quick = quick::Quick::default();
    loop {
        if let Some(idle) = stale.close_idle_after.filter(|_| conn.buf.is_empty()) {
            match tokio::time::timeout(idle, conn.fill()).await {
                Ok(more) => {
                    if !more? {
                        return Ok(None);
                    }
                }
                Err(_) => return Ok(Some((End::Close, false))),
            }
        }
        let mut head = match conn.head(!stale.armed).await? {
            Arrived::Bytes { size, keep_alive } => {
                info.counts.requests.fetch_add(1, Ordering::Relaxed);
                info.requests.fetch_add(1, Ordering::Relaxed);
                quick.answer(conn, size, keep_alive).await?;
                if keep_alive {
                    continue;
                }
                return Ok(Some((End::Close, false)));
            }
            Arrived::Request(head) => head,
            Arrived::Closed => return Ok(None),
            Arrived::Bad(reason) => {
                info.counts.bad_requests.fetch_add(1, Ordering::Relaxed);
                bad_request(conn, &reason).await?;
                return Ok(Some((End::Close, true)));
            }
        };
        info.counts.requests.fetch_add(1, Ordering::Relaxed);
        head.index = info.requests.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(end) = stale.close_on_next {
            return refuse_stale(shared, info, conn, &head, end).await;
        }
        let (after, step, complete) = one(shared, info, conn, &head).await?;
        match after {
            // What was left of a body cannot be told from a next request.
            After::Next if !complete => return Ok(Some((End::Close, true))),
            After::Next => conn.answering = None,
            After::End(end) => return Ok(Some((end, !complete))),
        }
        stale = Staleness {
            close_idle_after: step.close_idle_after,
            close_on_next: step.close_on_next,
            armed: step.close_idle_after.is_some() || step.close_on_next.is_some(),
        };
    }
}

async fn one<W: Wire>(
    shared: &Shared,
    info: &ConnInfo,
    conn: &mut Conn<W>,
    head: &Head,
) -> io::Result<(After, Arc<Step>, bool)> {
    let plan = plan(shared, head, info);
    if let Some(delay) = plan.read_delay() {
        tokio::time::sleep(delay).await;
    }
    if head.expects_continue && plan.read_body() == ReadBody::All {
        conn.write(b"HTTP/1.1 100 Continue\r\n\r\n").await?;
    }
    let mut received = Received::new(plan.keep());
    let read = conn.body(head.incoming, plan.read_body(), &mut received).await;
    // A body that broke off is part of what arrived, so it is logged before the error ends the connection.
    conn.answering = plan.note(shared, head, &received, info);
    read?;
    let (step, place) = plan.finish(shared, head, &received, info).await;
    let with = Exchange { shared, info, head, received: &received, place };
    let after = conn.play(&step, &with).await?;
    Ok((after, step, received.complete))
}

/// A request on a connection that the last step wanted stale: logged, not answered, and no step is used up.
async fn refuse_stale<W: Wire>(
    shared: &Shared,
    info: &ConnInfo,
    conn: &mut Conn<W>,
    head: &Head,
    end: End,
) -> io::Result<Option<(End, bool)>> {
    let mut received = Received::new(LOG_BODY);
    let read = conn.body(head.incoming, ReadBody::All, &mut received).await;
    let name = first_segment(head.path_and_query().0).to_owned();
    conn.answering =
        Some(shared.logs.push(&name, entry(head, &received, info, None, Some("closed_on_next"))));
    read?;
    // What was written belongs to the answer before.
    conn.wrote = false;
    Ok(Some((end, false)))
}

async fn bad_request<W: Wire>(conn: &mut Conn<W>, reason: &str) -> io::Result<()> {
    let body = format!("{reason}\n");
    let head = format!(
        "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    conn.write(head.as_bytes()).await
}
