//! What is known of a key, for people and for metrics.

use std::time::Duration;

use super::{Words, gate::Gate, pace, window, words::Word};
use crate::time::Timestamp;

/// One key as it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// Cost per second; `None`: not paced.
    pub rate: Option<f64>,
    /// So many requests in so long, where a window was learned: then there is no rate.
    pub window: Option<(u64, Duration)>,
    /// How long the gate stays shut.
    pub shut: Duration,
    pub sent: u64,
    pub accepted: u64,
    pub refused: u64,
    pub held: Duration,
}

impl Words {
    #[must_use]
    pub fn report(&self, now: Timestamp) -> Report {
        let window = window::sizes(self, now);
        Report {
            rate: pace::pace(self).filter(|_| window.is_none()),
            window,
            shut: Gate::read(self).shut(now).map_or(Duration::ZERO, |until| until.since(now)),
            sent: self.get(Word::Sends),
            accepted: self.get(Word::Accepts),
            refused: self.get(Word::Refusals),
            held: Duration::from_nanos(self.get(Word::Held)),
        }
    }
}
