//! What all connections share.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::gates::Gates;
use crate::limited::Limiters;
use crate::log::Logs;
use crate::script::Scripts;
use crate::stats::Stats;

#[derive(Debug, Default)]
pub struct Shared {
    pub scripts: Scripts,
    pub logs: Logs,
    pub gates: Gates,
    pub limiters: Limiters,
    pub stats: Stats,
    connections: AtomicU64,
}

impl Shared {
    /// A connection id, unique over all listeners, from 1.
    pub fn next_connection(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed) + 1
    }
}
