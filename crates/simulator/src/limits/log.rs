//! A sliding log: at most so many in any period that ends now.

use std::collections::VecDeque;

use super::{Hit, Quota};

#[derive(Clone, Debug)]
pub struct Log {
    count: usize,
    period: f64,
    accepted: VecDeque<f64>,
}

impl Log {
    #[must_use]
    pub const fn new(count: usize, period: f64) -> Self {
        Self { count, period, accepted: VecDeque::new() }
    }

    pub fn hit(&mut self, now: f64) -> Hit {
        while self.accepted.front().is_some_and(|at| now - at >= self.period) {
            self.accepted.pop_front();
        }
        let accepted = self.accepted.len() < self.count;
        if accepted {
            self.accepted.push_back(now);
        }
        let reset = self.accepted.front().map_or(0.0, |at| at + self.period - now);
        let remaining = (self.count - self.accepted.len()) as f64;
        let quota = Quota { limit: self.count as f64, remaining, reset, period: self.period };
        Hit { accepted, opens: if accepted { 0.0 } else { reset }, quota }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_makes_room() {
        let mut log = Log::new(2, 4.0);
        let hits =
            [0.0, 1.0, 3.0, 4.0, 4.5, 5.0].map(|now| log.hit(now)).map(|hit| (hit.accepted, hit.opens));
        assert_eq!(hits, [(true, 0.0), (true, 0.0), (false, 1.0), (true, 0.0), (false, 0.5), (true, 0.0)]);
    }
}
