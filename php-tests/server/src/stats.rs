//! Counts connections, handshakes and requests of each listener.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value, json};

#[derive(Debug, Default)]
pub struct Counts {
    pub accepted: AtomicU64,
    pub open: AtomicU64,
    pub tls_handshakes: AtomicU64,
    pub tls_failed: AtomicU64,
    pub requests: AtomicU64,
    pub bad_requests: AtomicU64,
}

impl Counts {
    fn json(&self) -> Value {
        let read = |n: &AtomicU64| n.load(Ordering::Relaxed);
        json!({
            "accepted": read(&self.accepted),
            "open": read(&self.open),
            "tls_handshakes": read(&self.tls_handshakes),
            "tls_failed": read(&self.tls_failed),
            "requests": read(&self.requests),
            "bad_requests": read(&self.bad_requests),
        })
    }
}

/// Counts a connection as open for as long as it lives.
#[derive(Debug)]
pub struct Open(Arc<Counts>);

impl Open {
    pub fn new(counts: Arc<Counts>) -> Self {
        counts.accepted.fetch_add(1, Ordering::Relaxed);
        counts.open.fetch_add(1, Ordering::Relaxed);
        Self(counts)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

#[derive(Debug, Default)]
pub struct Stats {
    listeners: Mutex<Vec<(&'static str, Arc<Counts>)>>,
}

impl Stats {
    /// The counts of a listener; the same for its IPv4 and IPv6 sockets.
    pub fn of(&self, listener: &'static str) -> Arc<Counts> {
        let mut all = self.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, counts)) = all.iter().find(|(name, _)| *name == listener) {
            return Arc::clone(counts);
        }
        let counts = Arc::new(Counts::default());
        all.push((listener, Arc::clone(&counts)));
        counts
    }

    #[must_use]
    pub fn json(&self) -> Value {
        let all = self.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        let listeners: Map<String, Value> =
            all.iter().map(|(name, counts)| ((*name).to_owned(), counts.json())).collect();
        json!({ "listeners": listeners })
    }
}
