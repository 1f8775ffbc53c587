//! An HTTP proxy: tunnels for CONNECT, forwards absolute-form requests, asks for Basic auth, and logs what it sees.
//!
//! It leads to the loopback only, whatever the name: tests must not reach the world.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::{BufMut, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::TcpStream;

use crate::h1::{After, Arrived, Conn, Exchange};
use crate::request::{Head, Incoming, LOG_BODY, Received, WHOLE_BODY, entry};
use crate::spec::End;
use crate::state::Shared;
use crate::step::{Header, ReadBody, Step};
use crate::wire::{ConnInfo, Wire};

/// The name under which all proxies log.
const LOG: &str = "_proxy";
const VIA: &str = "1.1 test-proxy";

/// Serves one client connection; `auth` is the `user:password` that is asked for.
pub async fn serve<W: Wire>(shared: &Shared, info: &ConnInfo, wire: W, auth: Option<&str>) {
    let mut conn = Conn::new(wire);
    loop {
        // Errors are the client's leaving or the upstream's; both end the connection.
        let Ok(Arrived::Request(mut head)) = conn.head(false).await else { return };
        info.counts.requests.fetch_add(1, Ordering::Relaxed);
        head.index = info.requests.fetch_add(1, Ordering::Relaxed) + 1;
        let proxy = Request { shared, info, head: &head };
        match proxy.decide(auth).await {
            Verdict::Answer(step, note) => {
                let Ok(after) = proxy.answer(&mut conn, &step, note).await else { return };
                if let After::End(end) = after {
                    return conn.end(end, false).await;
                }
            }
            Verdict::Tunnel(upstream) => {
                proxy.log(&Received::new(1), "tunnel");
                return tunnel(conn, upstream).await;
            }
            Verdict::Forward(upstream) => {
                proxy.log(&Received::new(1), "forwarded");
                return forward(conn, upstream, &head).await;
            }
        }
    }
}

enum Verdict {
    Answer(Arc<Step>, &'static str),
    Tunnel(TcpStream),
    Forward(TcpStream),
}

struct Request<'a> {
    shared: &'a Shared,
    info: &'a ConnInfo,
    head: &'a Head,
}

impl Request<'_> {
    async fn decide(&self, auth: Option<&str>) -> Verdict {
        if let Some(wanted) = auth
            && !authorized(self.head, wanted)
        {
            let mut step = Step::plain(407, "text/plain", "proxy authentication required\n");
            step.headers.push(Header::new("Proxy-Authenticate", "Basic realm=\"test-proxy\""));
            return Verdict::Answer(Arc::new(step), "auth_required");
        }
        let tunnel = self.head.method == "CONNECT";
        let Some((host, port)) = destination(&self.head.target, tunnel) else {
            let step = Step::plain(400, "text/plain", "not a request for a proxy\n");
            return Verdict::Answer(Arc::new(step), "forbidden");
        };
        if let Some(turn) = self.shared.scripts.take(host) {
            return Verdict::Answer(turn.step, "scripted");
        }
        let Some(ip) = loopback(host) else {
            let step = Step::plain(403, "text/plain", "not on the loopback\n");
            return Verdict::Answer(Arc::new(step), "forbidden");
        };
        match TcpStream::connect((ip, port)).await {
            Ok(upstream) => {
                // As on every other socket: bytes are passed on when they come.
                let _ = upstream.set_nodelay(true);
                if tunnel { Verdict::Tunnel(upstream) } else { Verdict::Forward(upstream) }
            }
            Err(error) => {
                let step = Step::plain(502, "text/plain", format!("{error}\n"));
                Verdict::Answer(Arc::new(step), "unreachable")
            }
        }
    }

    async fn answer<W: Wire>(
        &self,
        conn: &mut Conn<W>,
        step: &Arc<Step>,
        note: &'static str,
    ) -> io::Result<After> {
        let mut received = Received::new(LOG_BODY);
        let read = conn.body(self.head.incoming, step.read_body, &mut received).await;
        self.log(&received, note);
        read?;
        let (shared, info, head) = (self.shared, self.info, self.head);
        let with = Exchange { shared, info, head, received: &received, place: None };
        let after = conn.play(step, &with).await?;
        Ok(if received.complete || after != After::Next { after } else { After::End(End::Close) })
    }

    fn log(&self, received: &Received, note: &'static str) {
        self.shared.logs.push(LOG, entry(self.head, received, self.info, None, Some(note)));
    }
}

fn authorized(head: &Head, wanted: &str) -> bool {
    let given = head.header("proxy-authorization").and_then(|v| v.split_once(' '));
    given.is_some_and(|(scheme, token)| {
        scheme.eq_ignore_ascii_case("basic") && token.trim() == STANDARD.encode(wanted)
    })
}

/// Host and port of an absolute-form target, or of CONNECT's authority-form.
fn destination(target: &str, tunnel: bool) -> Option<(&str, u16)> {
    let authority = if tunnel {
        target
    } else {
        let (scheme, rest) = target.split_once("://")?;
        if !scheme.eq_ignore_ascii_case("http") {
            return None;
        }
        let authority = rest.split(['/', '?']).next()?;
        authority.rsplit_once('@').map_or(authority, |(_, host)| host)
    };
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, port.parse().ok()?),
        _ if tunnel => return None,
        _ => (authority, 80),
    };
    Some((host.trim_start_matches('[').trim_end_matches(']'), port))
}

/// Where a name leads, if it may lead anywhere.
fn loopback(host: &str) -> Option<IpAddr> {
    if let Ok(ip) = host.parse::<IpAddr>() {
        return ip.is_loopback().then_some(ip);
    }
    let host = host.to_ascii_lowercase();
    let local = host == "localhost" || host.ends_with(".localhost") || host.ends_with(".test");
    local.then_some(IpAddr::V4(Ipv4Addr::LOCALHOST))
}

async fn tunnel<W: Wire>(mut conn: Conn<W>, mut upstream: TcpStream) {
    let start = async {
        conn.write(b"HTTP/1.1 200 Connection Established\r\n\r\n").await?;
        // What the client sent too early belongs to the tunnel.
        upstream.write_all(&conn.buf.split()).await?;
        copy_bidirectional(&mut conn.wire, &mut upstream).await
    };
    if start.await.is_err() {
        // A reset on one side is a reset on the other.
        conn.wire.arm_reset();
        upstream.arm_reset();
    }
}

/// One request, one answer, and the connection ends: the upstream is told so, and the client reads it in the answer.
async fn forward<W: Wire>(mut conn: Conn<W>, mut upstream: TcpStream, head: &Head) {
    match exchange(&mut conn, &mut upstream, head).await {
        Ok(()) => conn.end(End::Close, true).await,
        // A reset on one side is a reset on the other.
        Err(_) => {
            upstream.arm_reset();
            conn.end(End::Reset, true).await;
        }
    }
}

async fn exchange<W: Wire>(conn: &mut Conn<W>, upstream: &mut TcpStream, head: &Head) -> io::Result<()> {
    upstream.write_all(&forwarded_head(head)).await?;
    if head.incoming != Incoming::None {
        if head.expects_continue {
            conn.write(b"HTTP/1.1 100 Continue\r\n\r\n").await?;
        }
        pass_body(conn, upstream, head).await?;
    }
    let mut piece = vec![0; 64 * 1024];
    loop {
        let n = tokio::select! {
            n = upstream.read(&mut piece) => n?,
            // The client's leaving must reach an upstream that says nothing.
            more = conn.fill() => match more? {
                true => continue,
                false => return Err(io::ErrorKind::ConnectionAborted.into()),
            },
        };
        if n == 0 {
            return Ok(());
        }
        conn.write(piece.get(..n).unwrap_or_default()).await?;
    }
}

async fn pass_body<W: Wire>(conn: &mut Conn<W>, upstream: &mut TcpStream, head: &Head) -> io::Result<()> {
    // Read whole and sent with its length: the proxy is for small requests.
    let mut received = Received::new(WHOLE_BODY);
    conn.body(head.incoming, ReadBody::All, &mut received).await?;
    let framing = format!("Content-Length: {}\r\n\r\n", received.kept.len());
    upstream.write_all(framing.as_bytes()).await?;
    upstream.write_all(&received.kept).await
}

/// Origin form, without what is meant for the proxy. With a body the caller ends the head.
fn forwarded_head(head: &Head) -> BytesMut {
    let (path, query) = head.path_and_query();
    let path = if path.is_empty() { "/" } else { path };
    let mut out = BytesMut::new();
    let question = if head.target.contains('?') { "?" } else { "" };
    out.put_slice(format!("{} {path}{question}{query} HTTP/1.1\r\n", head.method).as_bytes());
    for (name, value) in &head.headers {
        let lower = name.to_ascii_lowercase();
        let ours = lower.starts_with("proxy-")
            || matches!(lower.as_str(), "connection" | "content-length" | "transfer-encoding" | "expect");
        if !ours {
            out.put_slice(format!("{name}: ").as_bytes());
            // The log's latin-1 back to bytes.
            out.extend(value.chars().map(|c| u8::try_from(c).unwrap_or(b'?')));
            out.put_slice(b"\r\n");
        }
    }
    out.put_slice(format!("Via: {VIA}\r\nConnection: close\r\n").as_bytes());
    if head.incoming == Incoming::None {
        out.put_slice(b"\r\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations() {
        let cases = [
            ("http://a.test:81/x?y", false, Some(("a.test", 81))),
            ("http://u:p@a.test/x", false, Some(("a.test", 80))),
            ("http://[::1]:81", false, Some(("::1", 81))),
            ("https://a.test/", false, None),
            ("/x", false, None),
            ("a.test:443", true, Some(("a.test", 443))),
            ("a.test", true, None),
        ];
        for (target, tunnel, wanted) in cases {
            assert_eq!(destination(target, tunnel), wanted, "{target}");
        }
    }

    #[test]
    fn only_the_loopback() {
        for host in ["localhost", "x.localhost", "api.test", "127.0.0.9", "::1"] {
            assert!(loopback(host).is_some(), "{host}");
        }
        for host in ["example.com", "10.0.0.1", "localhost.example.com", "test"] {
            assert!(loopback(host).is_none(), "{host}");
        }
    }
}
