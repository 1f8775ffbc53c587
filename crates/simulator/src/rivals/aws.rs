//! The adaptive mode of the AWS SDKs, with botocore's constants
//! (`botocore/retries/{adaptive,bucket,throttling}.py`), without an end.

use policy::{Timestamp, time::from_seconds};
use rand::rngs::StdRng;

use crate::{
    clock,
    draw::between,
    pacer::{Call, Got, Pacer, Step},
};

const MIN_RATE: f64 = 0.5;
const MIN_CAPACITY: f64 = 1.0;
const SMOOTH: f64 = 0.8;
const BETA: f64 = 0.7;
const SCALE: f64 = 0.4;
/// The rate is measured in halves of a second.
const MEASURE: f64 = 0.5;
const MAX_BACKOFF: f64 = 20.0;

#[derive(Clone, Debug, Default)]
struct Limiter {
    enabled: bool,
    fill_rate: f64,
    capacity: f64,
    tokens: f64,
    refilled: Option<f64>,
    measured: f64,
    measure_from: f64,
    count: f64,
    max_rate: f64,
    throttled: f64,
}

impl Limiter {
    fn refill(&mut self, now: f64) {
        if let Some(before) = self.refilled {
            self.tokens = self.capacity.min(self.tokens + (now - before) * self.fill_rate);
        }
        self.refilled = Some(now);
    }

    fn update(&mut self, now: f64, accepted: bool) {
        let half = (now / MEASURE).floor() * MEASURE;
        self.count += 1.0;
        if half > self.measure_from {
            let rate = self.count / (half - self.measure_from);
            self.measured = rate * SMOOTH + self.measured * (1.0 - SMOOTH);
            (self.count, self.measure_from) = (0.0, half);
        }
        let calculated = if accepted {
            let window = (self.max_rate * (1.0 - BETA) / SCALE).cbrt();
            let since = now - self.throttled - window;
            SCALE * since.powi(3) + self.max_rate
        } else {
            let rate = if self.enabled { self.measured.min(self.fill_rate) } else { self.measured };
            (self.max_rate, self.throttled, self.enabled) = (rate, now, true);
            rate * BETA
        };
        self.refill(now);
        let rate = calculated.min(2.0 * self.measured);
        self.fill_rate = rate.max(MIN_RATE);
        self.capacity = rate.max(MIN_CAPACITY);
        self.tokens = self.tokens.min(self.capacity);
    }
}

#[derive(Debug)]
pub struct Aws {
    limiters: Vec<Limiter>,
}

impl Aws {
    #[must_use]
    pub fn per_process(workers: usize) -> Self {
        Self { limiters: vec![Limiter::default(); workers] }
    }

    #[must_use]
    pub fn shared() -> Self {
        Self { limiters: vec![Limiter::default()] }
    }

    fn limiter(&mut self, worker: usize) -> &mut Limiter {
        let count = self.limiters.len();
        &mut self.limiters[worker % count]
    }
}

impl Pacer for Aws {
    fn next(&mut self, call: &Call, now: Timestamp) -> Step {
        let limiter = self.limiter(call.worker);
        if !limiter.enabled {
            return Step::Send;
        }
        limiter.refill(clock::seconds(now));
        if limiter.tokens >= 1.0 - 1e-6 {
            limiter.tokens -= 1.0;
            return Step::Send;
        }
        Step::Wait(now.after(from_seconds((1.0 - limiter.tokens) / limiter.fill_rate)))
    }

    fn answered(&mut self, call: &Call, got: &Got<'_>, random: &mut StdRng) -> Step {
        self.limiter(call.worker).update(clock::seconds(got.now), got.accepted);
        let most = 2_f64.powi(call.attempts.min(10) as i32 - 1).min(MAX_BACKOFF);
        Step::Wait(got.now.after(from_seconds(between(random, (0.0, most)))))
    }
}
