//! A fixed window: so much, then nothing until it is over.

use super::rule::{Align, Limit};

#[derive(Clone, Debug)]
pub struct Window {
    length: u64,
    /// An end of an aligned window; all others are whole lengths away from it.
    anchor: Option<u64>,
    end: Option<u64>,
    used: u64,
}

impl Window {
    /// `now` and `unix` are the moment of the first request on both clocks.
    pub fn new(limit: &Limit, now: u64, unix: u64) -> Self {
        let length = limit.window_ns();
        let anchor = match limit.align {
            Align::Request => None,
            Align::Monotonic => Some(0),
            Align::Unix => Some(now.saturating_add(length - unix % length)),
            Align::Phase(phase) => {
                Some(now.saturating_add(u64::try_from(phase.as_nanos()).unwrap_or(u64::MAX)))
            }
        };
        Self { length, anchor, end: None, used: 0 }
    }

    pub fn advance(&mut self, now: u64) {
        if self.end.is_some_and(|end| end <= now) {
            (self.end, self.used) = (None, 0);
        }
    }

    fn end(&self, now: u64) -> u64 {
        let fresh = || match self.anchor {
            None => now.saturating_add(self.length),
            Some(anchor) if now < anchor => now + ((anchor - now - 1) % self.length + 1),
            Some(anchor) => now.saturating_add(self.length - (now - anchor) % self.length),
        };
        self.end.unwrap_or_else(fresh)
    }

    pub fn wait(&self, now: u64, cost: u64, limit: u64) -> Option<u64> {
        (self.used.saturating_add(cost) > limit).then(|| self.reset(now))
    }

    pub fn take(&mut self, now: u64, cost: u64) {
        self.end = Some(self.end(now));
        self.used = self.used.saturating_add(cost);
    }

    /// What was taken in an earlier window is gone with it.
    pub fn give_back(&mut self, taken_at: u64, amount: u64) {
        if self.end.is_some_and(|end| taken_at >= end.saturating_sub(self.length)) {
            self.used = self.used.saturating_sub(amount);
        }
    }

    pub fn remaining(&self, limit: u64) -> u64 {
        limit.saturating_sub(self.used)
    }

    pub fn reset(&self, now: u64) -> u64 {
        self.end(now).saturating_sub(now)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::limiter::rule::Kind;

    fn window(align: Align, now: u64, unix: u64) -> Window {
        let mut limit = Limit::new(Kind::Window, 2, Duration::from_nanos(100), None);
        limit.align = align;
        Window::new(&limit, now, unix)
    }

    #[test]
    fn ends_a_length_after_its_first_request() {
        let mut window = window(Align::Request, 10, 0);
        assert_eq!((window.remaining(2), window.reset(10)), (2, 100));
        window.take(10, 1);
        window.take(20, 1);
        assert_eq!((window.remaining(2), window.wait(50, 1, 2)), (0, Some(60)));
        window.advance(109);
        assert_eq!(window.wait(109, 1, 2), Some(1));
        window.advance(110);
        assert_eq!((window.wait(110, 2, 2), window.wait(110, 3, 2)), (None, Some(100)));
        window.take(150, 1);
        assert_eq!(window.reset(150), 100);
    }

    #[test]
    fn aligned_ends_lie_on_multiples_whenever_it_is_used() {
        let mut monotonic = window(Align::Monotonic, 1_030, 0);
        assert_eq!((monotonic.reset(1_030), monotonic.reset(1_100)), (70, 100));
        monotonic.take(1_030, 2);
        monotonic.advance(1_350);
        assert_eq!((monotonic.remaining(2), monotonic.reset(1_350)), (2, 50));
        assert_eq!(window(Align::Unix, 1_030, 7_770).reset(1_030), 30);
        assert_eq!(window(Align::Unix, 1_030, 7_700).reset(1_030), 100);
        let phase = window(Align::Phase(Duration::from_nanos(25)), 1_030, 0);
        assert_eq!((phase.reset(1_030), phase.reset(1_055), phase.reset(1_054)), (25, 100, 1));
        let longer = window(Align::Phase(Duration::from_nanos(250)), 1_000, 0);
        assert_eq!((longer.reset(1_000), longer.reset(1_050), longer.reset(1_249)), (50, 100, 1));
    }

    #[test]
    fn gives_back_only_within_the_same_window() {
        let mut window = window(Align::Request, 0, 0);
        window.take(0, 2);
        window.give_back(0, 1);
        assert_eq!(window.remaining(2), 1);
        window.advance(100);
        window.take(100, 2);
        window.give_back(0, 1);
        assert_eq!(window.remaining(2), 0);
    }
}
