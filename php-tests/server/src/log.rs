//! Remembers what arrived for each name, and lets a caller wait until enough has.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::answering::Answering;

/// One request as it arrived. Bytes that are not ASCII are decoded as latin-1: one character per byte.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// When the head had been parsed.
    pub unix_ns: u64,
    pub monotonic_ns: u64,
    /// Which step the request took (counted from 0, with `times`); none if it took no step.
    pub step: Option<u64>,
    /// Why it took no step, if so.
    pub note: Option<String>,
    pub method: String,
    pub target: String,
    pub authority: Option<String>,
    /// `HTTP/1.0`, `HTTP/1.1` or `HTTP/2`.
    pub protocol: String,
    pub headers: Vec<(String, String)>,
    pub body_length: u64,
    pub body_sha256: String,
    /// The first 64 KiB of the body.
    pub body_base64: String,
    /// False if the client left before the body's end, or the step did not read it all.
    pub body_complete: bool,
    /// Size of the request's head on the wire; none under HTTP/2.
    pub head_bytes: Option<usize>,
    pub listener: String,
    pub connection: u64,
    /// Place of the request on its connection, from 1.
    pub index: u64,
    pub peer: String,
    /// Bytes of the answer's body that have been sent so far.
    pub sent: u64,
    /// When the client left before the answer's end, on the monotonic clock.
    pub left_ns: Option<u64>,
}

/// An entry, and what goes on telling of its answer.
type Logged = (Entry, Arc<Answering>);

#[derive(Debug)]
pub struct Logs {
    by_name: Mutex<HashMap<String, Vec<Logged>>>,
    /// Counts pushes of all names; only a signal to look again.
    changes: watch::Sender<u64>,
}

impl Default for Logs {
    fn default() -> Self {
        Self { by_name: Mutex::default(), changes: watch::Sender::new(0) }
    }
}

impl Logs {
    /// What is returned goes on telling of the answer.
    pub fn push(&self, name: &str, entry: Entry) -> Arc<Answering> {
        let answering = Arc::new(Answering::default());
        let mut map = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        map.entry(name.to_owned()).or_default().push((entry, Arc::clone(&answering)));
        drop(map);
        self.changes.send_modify(|n| *n = n.wrapping_add(1));
        answering
    }

    /// In the order of arrival of the heads: bodies may have ended in another order.
    #[must_use]
    pub fn get(&self, name: &str) -> Vec<Entry> {
        let map = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        let told = |(entry, answering): &Logged| Entry {
            sent: answering.sent(),
            left_ns: answering.left_ns(),
            ..entry.clone()
        };
        let mut entries: Vec<Entry> = map.get(name).into_iter().flatten().map(told).collect();
        drop(map);
        entries.sort_by_key(|e| e.monotonic_ns);
        entries
    }

    pub fn clear(&self, name: &str) {
        self.by_name.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
    }

    /// The log as soon as it has `count` entries, or what there is when `timeout` is over.
    pub async fn wait(&self, name: &str, count: usize, timeout: Duration) -> Vec<Entry> {
        let mut changes = self.changes.subscribe();
        let enough = async { while self.count(name) < count && changes.changed().await.is_ok() {} };
        // A timeout is an answer too: the caller sees how many there are.
        let _ = tokio::time::timeout(timeout, enough).await;
        self.get(name)
    }

    fn count(&self, name: &str) -> usize {
        self.by_name.lock().unwrap_or_else(PoisonError::into_inner).get(name).map_or(0, Vec::len)
    }
}
