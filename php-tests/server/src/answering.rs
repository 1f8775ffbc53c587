//! What becomes of an answer while it is being sent: how much of its body has gone, and whether the client left before its end.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::clock::Stamp;

#[derive(Debug, Default)]
pub struct Answering {
    sent: AtomicU64,
    /// When the client left; 0 if it has not.
    left: AtomicU64,
}

impl Answering {
    pub fn add(&self, bytes: usize) {
        self.sent.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Only the first time counts.
    pub fn client_left(&self) {
        // There was no moment before, or it stays.
        let _ =
            self.left.compare_exchange(0, Stamp::now().monotonic_ns, Ordering::Relaxed, Ordering::Relaxed);
    }

    #[must_use]
    pub fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    #[must_use]
    pub fn left_ns(&self) -> Option<u64> {
        Some(self.left.load(Ordering::Relaxed)).filter(|at| *at > 0)
    }
}
