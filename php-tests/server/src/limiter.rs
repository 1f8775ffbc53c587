//! A rate limit as a server keeps it: a fixed window or a token bucket. Values in, values out; the time is passed in.
//!
//! It answers whether one request may pass and when the next one could. What is sent to the client
//! (status, Retry-After, quota headers) is the endpoint's business.

use std::time::Duration;

/// How the limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `limit` requests, then nothing until the window that began with the first of them is over.
    Window,
    /// Up to `burst` requests at once, refilled evenly at `limit` per `window`.
    Bucket,
}

/// The rule itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    pub kind: Kind,
    pub limit: u64,
    pub window: Duration,
    /// The bucket's size; a window has none.
    pub burst: u64,
}

impl Limit {
    /// A limit of zero or an empty window would divide by zero below: both become one.
    #[must_use]
    pub fn new(kind: Kind, limit: u64, window: Duration, burst: Option<u64>) -> Self {
        let limit = limit.max(1);
        let window = window.max(Duration::from_nanos(1));
        Self { kind, limit, window, burst: burst.unwrap_or(limit).max(1) }
    }

    fn window_ns(&self) -> u128 {
        self.window.as_nanos()
    }
}

/// What the limiter said about one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub allowed: bool,
    /// Whole requests that would still pass right now.
    pub remaining: u64,
    /// Until a refused request of the same cost would pass; zero for an allowed one.
    pub retry_after: Duration,
    /// Until the window ends, or until the bucket is full.
    pub reset: Duration,
}

/// One limit with its state. Times are nanoseconds of any monotonic clock.
#[derive(Clone, Debug)]
pub struct Limiter {
    limit: Limit,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    Window {
        started: Option<u64>,
        used: u64,
    },
    /// Tokens are counted in parts of 1/window_ns, so that refilling is exact integer arithmetic.
    Bucket {
        level: u128,
        at: Option<u64>,
    },
}

impl Limiter {
    #[must_use]
    pub fn new(limit: Limit) -> Self {
        let state = match limit.kind {
            Kind::Window => State::Window { started: None, used: 0 },
            Kind::Bucket => State::Bucket { level: u128::from(limit.burst) * limit.window_ns(), at: None },
        };
        Self { limit, state }
    }

    #[must_use]
    pub fn limit(&self) -> Limit {
        self.limit
    }

    /// Takes `cost` (usually 1) at `now`, or refuses and takes nothing.
    pub fn take(&mut self, now: u64, cost: u64) -> Verdict {
        let limit = self.limit;
        match &mut self.state {
            State::Window { started, used } => take_window(limit, started, used, now, cost),
            State::Bucket { level, at } => take_bucket(limit, level, at, now, cost),
        }
    }
}

fn take_window(limit: Limit, started: &mut Option<u64>, used: &mut u64, now: u64, cost: u64) -> Verdict {
    let length = u64::try_from(limit.window_ns()).unwrap_or(u64::MAX);
    let begin = match *started {
        Some(begin) if now.saturating_sub(begin) < length => begin,
        _ => {
            *used = 0;
            now
        }
    };
    *started = Some(begin);
    let allowed = used.saturating_add(cost) <= limit.limit;
    if allowed {
        *used = used.saturating_add(cost);
    }
    let reset = Duration::from_nanos(begin.saturating_add(length).saturating_sub(now));
    Verdict {
        allowed,
        remaining: limit.limit.saturating_sub(*used),
        retry_after: if allowed { Duration::ZERO } else { reset },
        reset,
    }
}

fn take_bucket(limit: Limit, level: &mut u128, at: &mut Option<u64>, now: u64, cost: u64) -> Verdict {
    let token = limit.window_ns();
    let full = u128::from(limit.burst) * token;
    let elapsed = u128::from(now.saturating_sub(at.unwrap_or(now)));
    *level = full.min(level.saturating_add(elapsed.saturating_mul(u128::from(limit.limit))));
    *at = Some(now.max(at.unwrap_or(now)));
    let need = u128::from(cost).saturating_mul(token);
    let allowed = *level >= need;
    if allowed {
        *level -= need;
    }
    // Rounded up: a client that waits exactly this long must find the token there.
    let until = |missing: u128| {
        let nanos = missing.div_ceil(u128::from(limit.limit));
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    };
    Verdict {
        allowed,
        remaining: u64::try_from(*level / token).unwrap_or(u64::MAX),
        retry_after: if allowed { Duration::ZERO } else { until(need - *level) },
        reset: until(full - *level),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    #[test]
    fn a_window_lets_its_count_through_and_names_its_end() {
        let mut limiter = Limiter::new(Limit::new(Kind::Window, 2, Duration::from_millis(100), None));
        assert_eq!(limiter.take(10 * MS, 1).remaining, 1);
        assert!(limiter.take(20 * MS, 1).allowed);
        let refused = limiter.take(50 * MS, 1);
        assert!(!refused.allowed);
        assert_eq!(refused.retry_after, Duration::from_millis(60));
        assert!(!limiter.take(110 * MS - 1, 1).allowed);
        assert!(limiter.take(110 * MS, 1).allowed);
    }

    #[test]
    fn a_bucket_starts_full_and_refills_evenly() {
        let mut limiter = Limiter::new(Limit::new(Kind::Bucket, 10, Duration::from_secs(1), Some(2)));
        assert!(limiter.take(0, 1).allowed);
        assert!(limiter.take(0, 1).allowed);
        let refused = limiter.take(0, 1);
        assert_eq!((refused.allowed, refused.retry_after), (false, Duration::from_millis(100)));
        assert!(!limiter.take(100 * MS - 1, 1).allowed);
        assert!(limiter.take(100 * MS, 1).allowed);
        assert_eq!(limiter.take(10_000 * MS, 1).remaining, 1);
    }

    #[test]
    fn a_wait_of_retry_after_is_always_enough() {
        for (limit, window) in [(3, 1_000_000_007), (7, 10), (40, 4_000_000_000)] {
            let mut limiter =
                Limiter::new(Limit::new(Kind::Bucket, limit, Duration::from_nanos(window), None));
            let mut now = 5;
            for _ in 0..200 {
                let verdict = limiter.take(now, 1);
                now += u64::try_from(verdict.retry_after.as_nanos()).unwrap();
                assert!(verdict.allowed || limiter.take(now, 1).allowed);
            }
        }
    }
}
