//! A token bucket, full at the start and refilled evenly.

use super::rule::Limit;

/// Tokens are counted in parts of 1/window_ns, so that refilling is exact integer arithmetic.
#[derive(Clone, Debug)]
pub struct Bucket {
    token: u128,
    full: u128,
    level: u128,
    at: u64,
}

impl Bucket {
    pub fn new(limit: &Limit, now: u64) -> Self {
        let token = u128::from(limit.window_ns());
        let full = u128::from(limit.burst) * token;
        Self { token, full, level: full, at: now }
    }

    /// Refills at `limit` per window.
    pub fn advance(&mut self, now: u64, limit: u64) {
        let elapsed = u128::from(now.saturating_sub(self.at));
        self.level = self.full.min(self.level.saturating_add(elapsed * u128::from(limit)));
        self.at = self.at.max(now);
    }

    pub fn wait(&self, cost: u64, limit: u64) -> Option<u64> {
        let need = self.tokens(cost);
        (need > self.level).then(|| until(need - self.level, limit))
    }

    pub fn take(&mut self, cost: u64) {
        self.level = self.level.saturating_sub(self.tokens(cost));
    }

    pub fn give_back(&mut self, amount: u64) {
        self.level = self.full.min(self.level.saturating_add(self.tokens(amount)));
    }

    fn tokens(&self, count: u64) -> u128 {
        u128::from(count).saturating_mul(self.token)
    }

    /// Whole tokens.
    pub fn remaining(&self) -> u64 {
        u64::try_from(self.level / self.token).unwrap_or(u64::MAX)
    }

    /// Until it is full.
    pub fn reset(&self, limit: u64) -> u64 {
        until(self.full - self.level, limit)
    }
}

/// Rounded up: a client that waits exactly so long must find the token there.
fn until(missing: u128, limit: u64) -> u64 {
    u64::try_from(missing.div_ceil(u128::from(limit))).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::limiter::rule::Kind;

    #[test]
    fn refills_evenly_and_never_above_full() {
        let limit = Limit::new(Kind::Bucket, 10, Duration::from_nanos(1_000), Some(2));
        let mut bucket = Bucket::new(&limit, 5);
        assert_eq!((bucket.remaining(), bucket.reset(10), bucket.wait(3, 10)), (2, 0, Some(100)));
        bucket.take(2);
        assert_eq!((bucket.remaining(), bucket.reset(10), bucket.wait(1, 10)), (0, 200, Some(100)));
        bucket.advance(104, 10);
        assert_eq!((bucket.remaining(), bucket.wait(1, 10)), (0, Some(1)));
        bucket.advance(155, 10);
        assert_eq!((bucket.remaining(), bucket.reset(10), bucket.wait(1, 10)), (1, 50, None));
        bucket.give_back(1);
        assert_eq!((bucket.remaining(), bucket.reset(10)), (2, 0));
    }
}
