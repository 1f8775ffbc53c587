//! A rate limit as a server keeps it. Values in, values out; the time is passed in.
//!
//! It answers whether one request may pass, when the next one could, and what remains. What is sent to the client
//! (status, Retry-After, quota headers) is the endpoint's business.

mod bucket;
mod rule;
mod sliding;
mod window;

use std::time::Duration;

use bucket::Bucket;
pub use rule::{Align, Change, Counts, Kind, Limit, Rule};
use sliding::Sliding;
use window::Window;

/// What the limiter said about one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub allowed: bool,
    /// Until a refused request of the same cost would pass every limit, as far as the limits of now tell.
    /// Zero for an allowed one, and if only requests in flight are in the way: nobody knows when they end.
    pub retry_after: Duration,
    /// Accepted and not yet ended, with this one.
    pub in_flight: u64,
    /// One for each limit, in the rule's order, after this request.
    pub readings: Vec<Reading>,
}

/// Where one limit stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// With the limit of now.
    pub limit: Limit,
    /// Whole units that would still pass.
    pub remaining: u64,
    /// Until the window ends, the bucket is full, or the oldest leaves the sliding log.
    pub reset: Duration,
}

/// A rule with its state. Times are nanoseconds of any monotonic clock.
#[derive(Clone, Debug)]
pub struct Limiter {
    counters: Vec<Counter>,
    /// Those that are still to come, the next one last, at their times.
    changes: Vec<(u64, u64)>,
    latest: u64,
    in_flight: u64,
}

#[derive(Clone, Debug)]
struct Counter {
    limit: Limit,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    Window(Window),
    Bucket(Bucket),
    Sliding(Sliding),
    Concurrency,
}

impl Limiter {
    /// At the moment of its first request; `unix` is the same moment in Unix time.
    #[must_use]
    pub fn new(rule: &Rule, now: u64, unix: u64) -> Self {
        let changes = rule.changes.iter().rev().map(|change| {
            let after = u64::try_from(change.after.as_nanos()).unwrap_or(u64::MAX);
            (now.saturating_add(after), change.limit.max(1))
        });
        Self {
            counters: rule.limits().map(|limit| Counter::new(*limit, now, unix)).collect(),
            changes: changes.collect(),
            latest: now,
            in_flight: 0,
        }
    }

    /// Takes `cost` (usually 1) at `now`, or refuses and takes nothing. `end` must follow what was allowed.
    pub fn take(&mut self, now: u64, cost: u64) -> Verdict {
        let now = self.advance(now);
        let in_flight = self.in_flight;
        let wait = self.counters.iter().filter_map(|counter| counter.wait(now, cost, in_flight)).max();
        if wait.is_none() {
            self.counters.iter_mut().for_each(|counter| counter.take(now, cost));
            self.in_flight += 1;
        }
        Verdict {
            allowed: wait.is_none(),
            retry_after: Duration::from_nanos(wait.unwrap_or(0)),
            in_flight: self.in_flight,
            readings: self.counters.iter().map(|counter| counter.reading(now, self.in_flight)).collect(),
        }
    }

    /// An allowed request, taken at `taken_at`, is over and did not need `give_back` of its cost.
    pub fn end(&mut self, now: u64, taken_at: u64, give_back: u64) {
        self.advance(now);
        self.in_flight = self.in_flight.saturating_sub(1);
        for counter in self.counters.iter_mut().filter(|c| c.limit.counts == Counts::Costs) {
            match &mut counter.state {
                State::Window(window) => window.give_back(taken_at, give_back),
                State::Bucket(bucket) => bucket.give_back(give_back),
                State::Sliding(sliding) => sliding.give_back(taken_at, give_back),
                State::Concurrency => {}
            }
        }
    }

    #[must_use]
    pub fn in_flight(&self) -> u64 {
        self.in_flight
    }

    /// Time never goes back.
    fn advance(&mut self, now: u64) -> u64 {
        self.latest = self.latest.max(now);
        while let Some((at, limit)) = self.changes.pop_if(|(at, _)| *at <= self.latest) {
            if let Some(first) = self.counters.first_mut() {
                first.advance(at);
                first.limit.limit = limit;
            }
        }
        self.counters.iter_mut().for_each(|counter| counter.advance(self.latest));
        self.latest
    }
}

impl Counter {
    fn new(limit: Limit, now: u64, unix: u64) -> Self {
        let state = match limit.kind {
            Kind::Window => State::Window(Window::new(&limit, now, unix)),
            Kind::Bucket => State::Bucket(Bucket::new(&limit, now)),
            Kind::Sliding => State::Sliding(Sliding::new(&limit)),
            Kind::Concurrency => State::Concurrency,
        };
        Self { limit, state }
    }

    fn advance(&mut self, now: u64) {
        match &mut self.state {
            State::Window(window) => window.advance(now),
            State::Bucket(bucket) => bucket.advance(now, self.limit.limit),
            State::Sliding(sliding) => sliding.advance(now),
            State::Concurrency => {}
        }
    }

    fn cost(&self, cost: u64) -> u64 {
        if self.limit.counts == Counts::Costs { cost } else { 1 }
    }

    /// None if the request passes, else how long it would have to wait.
    fn wait(&self, now: u64, cost: u64, in_flight: u64) -> Option<u64> {
        let (cost, limit) = (self.cost(cost), self.limit.limit);
        match &self.state {
            State::Window(window) => window.wait(now, cost, limit),
            State::Bucket(bucket) => bucket.wait(cost, limit),
            State::Sliding(sliding) => sliding.wait(now, cost, limit),
            State::Concurrency => (in_flight >= limit).then_some(0),
        }
    }

    fn take(&mut self, now: u64, cost: u64) {
        let cost = self.cost(cost);
        match &mut self.state {
            State::Window(window) => window.take(now, cost),
            State::Bucket(bucket) => bucket.take(cost),
            State::Sliding(sliding) => sliding.take(now, cost),
            State::Concurrency => {}
        }
    }

    fn reading(&self, now: u64, in_flight: u64) -> Reading {
        let limit = self.limit.limit;
        let (remaining, reset) = match &self.state {
            State::Window(window) => (window.remaining(limit), window.reset(now)),
            State::Bucket(bucket) => (bucket.remaining(), bucket.reset(limit)),
            State::Sliding(sliding) => (sliding.remaining(limit), sliding.reset(now)),
            State::Concurrency => (limit.saturating_sub(in_flight), 0),
        };
        Reading { limit: self.limit, remaining, reset: Duration::from_nanos(reset) }
    }
}

#[cfg(test)]
mod tests;
