//! It knows the limit, shares it among all, and reserves nothing: what timers and networks leave to anybody.

use policy::{Timestamp, time::from_seconds};
use rand::rngs::StdRng;

use crate::{
    clock,
    pacer::{Call, Got, Pacer, Step},
};

/// Kept in hand against the jitter of arrival.
const GUARD: f64 = 0.000_75;

#[derive(Clone, Copy, Debug)]
pub enum Knows {
    Rate {
        rate: f64,
        burst: f64,
    },
    /// `phase` is one of its boundaries.
    Window {
        count: f64,
        period: f64,
        phase: f64,
    },
}

#[derive(Debug)]
pub struct Oracle {
    knows: Knows,
    /// Rate: when the bucket is full again (GCRA). Window: when it ends.
    until: f64,
    used: f64,
}

impl Oracle {
    #[must_use]
    pub const fn new(knows: Knows) -> Self {
        Self { knows, until: f64::NEG_INFINITY, used: 0.0 }
    }
}

impl Pacer for Oracle {
    fn next(&mut self, call: &Call, now: Timestamp) -> Step {
        let at = clock::seconds(now);
        let opens = match self.knows {
            Knows::Rate { rate, burst } => {
                // A hair of slack: the clock counts whole nanoseconds.
                let opens = self.until - (burst - call.cost) / rate + GUARD;
                if at + 1e-8 >= opens {
                    self.until = self.until.max(at) + call.cost / rate;
                    return Step::Send;
                }
                opens
            }
            Knows::Window { count, period, phase } => {
                if at + 1e-8 >= self.until {
                    let index = ((at - phase) / period + 1e-6).floor();
                    self.until = (index + 1.0).mul_add(period, phase);
                    self.used = 0.0;
                }
                // A request sent in the last moment arrives in the next window.
                if self.used + call.cost <= count && at < self.until - GUARD {
                    self.used += call.cost;
                    return Step::Send;
                }
                self.until
            }
        };
        Step::Wait(now.after(from_seconds(opens - at)))
    }

    fn answered(&mut self, _call: &Call, got: &Got<'_>, _random: &mut StdRng) -> Step {
        Step::Wait(got.now)
    }
}
