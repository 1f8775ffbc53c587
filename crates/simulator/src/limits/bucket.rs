//! A token bucket, full at the start. With a burst of 1 it is a leaky bucket. Its rate may change.

use super::{DUST, Hit, Quota};

#[derive(Clone, Debug)]
pub struct Bucket {
    /// From when on which rate, in order; the first from 0.
    steps: Vec<(f64, f64)>,
    burst: f64,
    tokens: f64,
    at: f64,
}

impl Bucket {
    #[must_use]
    pub fn new(rate: f64, burst: f64) -> Self {
        Self::stepping(vec![(0.0, rate)], burst)
    }

    #[must_use]
    pub const fn stepping(steps: Vec<(f64, f64)>, burst: f64) -> Self {
        Self { steps, burst, tokens: burst, at: 0.0 }
    }

    fn rate(&self, now: f64) -> f64 {
        self.steps.iter().rev().find(|(from, _)| *from <= now).map_or(0.0, |(_, rate)| *rate)
    }

    /// What flows in between the last request and `now`, without the burst's bound.
    fn inflow(&self, now: f64) -> f64 {
        let ends = self.steps.iter().skip(1).map(|(from, _)| *from).chain([f64::INFINITY]);
        let pieces = self.steps.iter().zip(ends);
        pieces.map(|((from, rate), end)| rate * (end.min(now) - from.max(self.at)).max(0.0)).sum()
    }

    pub fn hit(&mut self, now: f64, cost: f64) -> Hit {
        self.tokens = (self.tokens + self.inflow(now)).min(self.burst);
        self.at = now;
        let accepted = self.tokens >= cost - DUST;
        if accepted {
            self.tokens -= cost;
        }
        let rate = self.rate(now);
        let opens = if accepted { 0.0 } else { (cost - self.tokens) / rate };
        let quota = Quota {
            limit: self.burst,
            remaining: self.tokens.max(0.0),
            reset: (self.burst - self.tokens) / rate,
            period: self.burst / rate,
        };
        Hit { accepted, opens, quota }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_drains_and_refills() {
        let mut bucket = Bucket::new(10.0, 2.0);
        let quota = |remaining, reset| Quota { limit: 2.0, remaining, reset, period: 0.2 };
        for (now, hit) in [
            (0.0, Hit { accepted: true, opens: 0.0, quota: quota(1.0, 0.1) }),
            (0.0, Hit { accepted: true, opens: 0.0, quota: quota(0.0, 0.2) }),
            (0.0, Hit { accepted: false, opens: 0.1, quota: quota(0.0, 0.2) }),
            (0.05, Hit { accepted: false, opens: 0.05, quota: quota(0.5, 0.15) }),
        ] {
            assert_eq!(bucket.hit(now, 1.0), hit, "{now}");
        }
        assert!(bucket.hit(0.1, 1.0).accepted);
        // Full again, and no fuller.
        assert_eq!(bucket.hit(9.0, 1.0).quota.remaining, 1.0);
    }

    #[test]
    fn costs_are_tokens() {
        let mut bucket = Bucket::new(100.0, 1000.0);
        assert!(bucket.hit(0.0, 900.0).accepted);
        assert_eq!(bucket.hit(0.0, 300.0).opens, 2.0);
        assert!(bucket.hit(0.0, 100.0).accepted);
    }

    #[test]
    fn the_rate_steps() {
        let mut bucket = Bucket::stepping(vec![(0.0, 50.0), (20.0, 25.0), (60.0, 50.0)], 10_000.0);
        assert!(bucket.hit(0.0, 10_000.0).accepted);
        assert_eq!(bucket.hit(61.0, 9000.0).quota.remaining, 1000.0 + 1000.0 + 50.0);
    }
}
