//! A request as it arrived, the same for HTTP/1 and HTTP/2.

use std::sync::atomic::Ordering;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::clock::Stamp;
use crate::log::Entry;
use crate::wire::ConnInfo;

/// How much of a body the log keeps.
pub const LOG_BODY: usize = 64 * 1024;
/// How much of a body echo and the control endpoints keep.
pub const WHOLE_BODY: usize = 64 * 1024 * 1024;

/// How the request's body is delimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incoming {
    None,
    Length(u64),
    Chunked,
    /// HTTP/2: the stream says when.
    Stream,
}

#[derive(Clone, Debug)]
pub struct Head {
    pub at: Stamp,
    pub method: String,
    pub target: String,
    pub authority: Option<String>,
    pub protocol: &'static str,
    pub headers: Vec<(String, String)>,
    pub head_bytes: Option<usize>,
    pub incoming: Incoming,
    pub keep_alive: bool,
    pub expects_continue: bool,
    /// Place on the connection, from 1.
    pub index: u64,
}

impl Head {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }

    /// Path and query; of an absolute-form target too.
    #[must_use]
    pub fn path_and_query(&self) -> (&str, &str) {
        let target = match self.target.split_once("://") {
            Some((scheme, rest)) if !scheme.contains(['/', '?']) => {
                rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/")
            }
            _ => self.target.as_str(),
        };
        let target = target.split_once('#').map_or(target, |(before, _)| before);
        target.split_once('?').unwrap_or((target, ""))
    }

    #[must_use]
    pub fn is_head(&self) -> bool {
        self.method == "HEAD"
    }
}

/// Bytes to text, one character per byte.
#[must_use]
pub fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|b| char::from(*b)).collect()
}

#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// A body, counted, hashed and kept up to a limit while it arrives.
#[derive(Debug)]
pub struct Received {
    pub length: u64,
    pub kept: Vec<u8>,
    pub complete: bool,
    keep: usize,
    hash: Option<Sha256>,
}

impl Received {
    /// Keeping nothing also means hashing nothing: nobody will ask.
    #[must_use]
    pub fn new(keep: usize) -> Self {
        let hash = (keep > 0).then(Sha256::new);
        Self { length: 0, kept: Vec::new(), complete: false, keep, hash }
    }

    pub fn add(&mut self, bytes: &[u8]) {
        self.length = self.length.saturating_add(bytes.len() as u64);
        if let Some(hash) = &mut self.hash {
            hash.update(bytes);
        }
        let room = self.keep.saturating_sub(self.kept.len()).min(bytes.len());
        self.kept.extend_from_slice(bytes.get(..room).unwrap_or_default());
    }

    #[must_use]
    pub fn sha256(&self) -> String {
        self.hash.clone().map(|h| hex(&h.finalize())).unwrap_or_default()
    }
}

/// The log's view of a request.
#[must_use]
pub fn entry(head: &Head, body: &Received, info: &ConnInfo, step: Option<u64>, note: Option<&str>) -> Entry {
    Entry {
        unix_ns: head.at.unix_ns,
        monotonic_ns: head.at.monotonic_ns,
        step,
        note: note.map(str::to_owned),
        method: head.method.clone(),
        target: head.target.clone(),
        authority: head.authority.clone(),
        protocol: head.protocol.to_owned(),
        headers: head.headers.clone(),
        body_length: body.length,
        body_sha256: body.sha256(),
        body_base64: STANDARD.encode(body.kept.get(..LOG_BODY).unwrap_or(&body.kept)),
        body_complete: body.complete,
        head_bytes: head.head_bytes,
        listener: info.listener.to_owned(),
        connection: info.id,
        index: head.index,
        peer: info.peer.to_string(),
        sent: 0,
        left_ns: None,
    }
}

/// Echo's view of a request: the same and the TLS side, with the whole body.
#[must_use]
pub fn echo(head: &Head, body: &Received, info: &ConnInfo) -> Value {
    let (path, query) = head.path_and_query();
    json!({
        "method": head.method,
        "target": head.target,
        "path": path,
        "query": query,
        "authority": head.authority,
        "protocol": head.protocol,
        "headers": head.headers,
        "body_base64": STANDARD.encode(&body.kept),
        "body_length": body.length,
        "body_sha256": body.sha256(),
        "body_complete": body.complete,
        "listener": info.listener,
        "connection": info.id,
        "index": head.index,
        "connection_requests": info.requests.load(Ordering::Relaxed),
        "peer": info.peer.to_string(),
        "tls": info.tls,
        "unix_ns": head.at.unix_ns,
        "monotonic_ns": head.at.monotonic_ns,
    })
}
