//! Reads the two clocks a log entry carries. Nothing else in the server asks for the time of day.

use std::time::{SystemTime, UNIX_EPOCH};

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

/// One moment on both clocks, in nanoseconds.
///
/// The monotonic one is CLOCK_MONOTONIC itself, which is what PHP's `hrtime(true)` returns on Linux: a test can
/// compare its own times with the server's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stamp {
    pub unix_ns: u64,
    pub monotonic_ns: u64,
}

impl Stamp {
    #[must_use]
    pub fn now() -> Self {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mono = clock_gettime(ClockId::Monotonic);
        let seconds = u64::try_from(mono.tv_sec).unwrap_or(0);
        let nanos = u64::try_from(mono.tv_nsec).unwrap_or(0);
        Self {
            unix_ns: u64::try_from(wall.as_nanos()).unwrap_or(u64::MAX),
            monotonic_ns: seconds.saturating_mul(1_000_000_000).saturating_add(nanos),
        }
    }

    #[must_use]
    pub fn unix_seconds(&self) -> i64 {
        i64::try_from(self.unix_ns / 1_000_000_000).unwrap_or(i64::MAX)
    }
}
