//! Each process for itself: the hand-written loop, and the same without end.

use policy::{Timestamp, server_wish, time::from_seconds};
use rand::rngs::StdRng;

use crate::{
    clock,
    draw::between,
    pacer::{Call, Got, Pacer, Step},
};

const CAP: f64 = 30.0;
const JITTER: f64 = 0.25;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    Ignored,
    Honoured,
}

#[derive(Debug)]
pub struct Backoff {
    pub wish: Wish,
    pub max_attempts: u32,
}

impl Backoff {
    /// Five attempts, `Retry-After` honoured.
    #[must_use]
    pub const fn hand_written() -> Self {
        Self { wish: Wish::Honoured, max_attempts: 5 }
    }

    #[must_use]
    pub const fn endless(wish: Wish) -> Self {
        Self { wish, max_attempts: u32::MAX }
    }
}

impl Pacer for Backoff {
    fn next(&mut self, _call: &Call, _now: Timestamp) -> Step {
        Step::Send
    }

    fn answered(&mut self, call: &Call, got: &Got<'_>, random: &mut StdRng) -> Step {
        if call.attempts >= self.max_attempts {
            return Step::Lost("LOST: attempts used up");
        }
        let wish = match self.wish {
            Wish::Ignored => None,
            Wish::Honoured => server_wish::in_headers(got.headers, clock::wall(clock::seconds(got.now))),
        };
        let doubled = 0.5 * 2_f64.powi(call.attempts.min(10) as i32 - 1);
        let wait = wish.map_or(doubled, |wish| wish.as_secs_f64()).min(CAP) + between(random, (0.0, JITTER));
        Step::Wait(got.now.after(from_seconds(wait)))
    }
}
