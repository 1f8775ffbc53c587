//! A sliding log: every acceptance is remembered for a window's length.

use std::collections::VecDeque;

use super::rule::Limit;

#[derive(Clone, Debug)]
pub struct Sliding {
    length: u64,
    taken: VecDeque<(u64, u64)>,
    sum: u64,
}

impl Sliding {
    pub fn new(limit: &Limit) -> Self {
        Self { length: limit.window_ns(), taken: VecDeque::new(), sum: 0 }
    }

    pub fn advance(&mut self, now: u64) {
        while let Some((at, cost)) = self.taken.front().copied()
            && at.saturating_add(self.length) <= now
        {
            self.sum -= cost;
            self.taken.pop_front();
        }
    }

    /// Until enough has left the log; a cost above the limit waits for all of it, and then again.
    pub fn wait(&self, now: u64, cost: u64, limit: u64) -> Option<u64> {
        let mut over = self.sum.saturating_add(cost).checked_sub(limit).filter(|over| *over > 0)?;
        let mut leaves = now.saturating_add(self.length);
        for (at, cost) in &self.taken {
            leaves = at.saturating_add(self.length);
            over = over.saturating_sub(*cost);
            if over == 0 {
                break;
            }
        }
        Some(leaves.saturating_sub(now))
    }

    pub fn take(&mut self, now: u64, cost: u64) {
        self.taken.push_back((now, cost));
        // It cannot overflow: what would exceed the limit was refused.
        self.sum += cost;
    }

    pub fn give_back(&mut self, taken_at: u64, mut amount: u64) {
        let from = self.taken.partition_point(|(at, _)| *at < taken_at);
        for (_, cost) in self.taken.range_mut(from..).take_while(|(at, _)| *at == taken_at) {
            let part = amount.min(*cost);
            *cost -= part;
            self.sum -= part;
            amount -= part;
        }
    }

    pub fn remaining(&self, limit: u64) -> u64 {
        limit.saturating_sub(self.sum)
    }

    /// Until the oldest leaves.
    pub fn reset(&self, now: u64) -> u64 {
        self.taken.front().map_or(0, |(at, _)| at.saturating_add(self.length).saturating_sub(now))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::limiter::rule::Kind;

    #[test]
    fn forgets_each_acceptance_a_length_later() {
        let mut log = Sliding::new(&Limit::new(Kind::Sliding, 3, Duration::from_nanos(100), None));
        assert_eq!((log.remaining(3), log.reset(0), log.wait(0, 4, 3)), (3, 0, Some(100)));
        for at in [0, 40, 50] {
            assert_eq!(log.wait(at, 1, 3), None);
            log.take(at, 1);
        }
        assert_eq!((log.remaining(3), log.reset(60)), (0, 40));
        assert_eq!(
            (log.wait(60, 1, 3), log.wait(60, 2, 3), log.wait(60, 9, 3)),
            (Some(40), Some(80), Some(90))
        );
        log.advance(99);
        assert_eq!(log.wait(99, 1, 3), Some(1));
        log.advance(100);
        assert_eq!((log.remaining(3), log.wait(100, 1, 3), log.reset(100)), (1, None, 40));
    }

    #[test]
    fn gives_back_what_one_moment_took() {
        let mut log = Sliding::new(&Limit::new(Kind::Sliding, 10, Duration::from_nanos(100), None));
        log.take(0, 5);
        log.take(7, 2);
        log.take(7, 2);
        log.give_back(7, 3);
        assert_eq!(log.remaining(10), 4);
        log.advance(100);
        log.give_back(0, 5);
        assert_eq!(log.remaining(10), 9);
    }
}
