//! What happens, and in which order.

use std::cmp::Ordering;

use http::HeaderMap;
use policy::Timestamp;

#[derive(Debug)]
pub(crate) enum What {
    Try,
    Arrive { scope: usize, machine: usize, cost: f64, sent: Timestamp },
    Return { accepted: bool, headers: Box<HeaderMap>, sent: Timestamp },
    Finish { scope: usize },
    Kill,
    Stranger,
}

#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) at: Timestamp,
    pub(crate) serial: u64,
    pub(crate) worker: usize,
    /// Which of the processes that were this worker it is for.
    pub(crate) life: u32,
    pub(crate) what: What,
}

impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.serial == other.serial
    }
}

impl Eq for Event {}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The earliest is the greatest, because the heap gives the greatest first.
impl Ord for Event {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.serial).cmp(&(self.at, self.serial))
    }
}
