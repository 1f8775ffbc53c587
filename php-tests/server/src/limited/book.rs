//! The named limiters, and what they have decided so far.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use super::cost::Price;
use crate::clock::Stamp;
use crate::limiter::{Limiter, Rule, Verdict};

/// The log of decisions is for tests of some minutes; a benchmark must not fill the memory.
const MAX_DECISIONS: usize = 1_000_000;

#[derive(Clone, Copy, Debug)]
struct Decision {
    at: Stamp,
    allowed: bool,
    retry_after: Duration,
    connection: u64,
    cost: u64,
    in_flight: u64,
}

#[derive(Clone, Debug, Default)]
struct Counts {
    accepted: u64,
    refused: u64,
    accepted_cost: u64,
    given_back: u64,
    abandoned: u64,
    first_ns: Option<u64>,
    last_accepted_ns: Option<u64>,
    in_flight: u64,
    max_in_flight: u64,
    refused_in_a_row: u64,
    refused_in_a_row_max: u64,
}

#[derive(Debug, Default)]
struct Named {
    /// Made by the first request.
    limiter: Option<Limiter>,
    counts: Counts,
    decisions: Vec<Decision>,
}

#[derive(Clone, Debug)]
struct Page {
    rule: Rule,
    named: Arc<Mutex<Named>>,
}

#[derive(Debug, Default)]
pub struct Limiters {
    by_name: Mutex<HashMap<String, Page>>,
}

/// The answer to one request.
#[derive(Debug)]
pub struct Decided {
    pub verdict: Verdict,
    pub at: Stamp,
    /// How many have been accepted or refused, as this one was.
    pub count: u64,
    pub place: Option<Place>,
}

/// The place of an accepted request among those in flight, for as long as it lives or until it is answered.
#[derive(Debug)]
pub struct Place {
    named: Arc<Mutex<Named>>,
    taken_at: u64,
    give_back: u64,
    left: AtomicBool,
}

impl Limiters {
    /// Asks the limiter `name`; another rule than before begins a new one.
    pub fn take(&self, name: &str, rule: &Rule, price: &Price, connection: u64) -> Decided {
        let shared = self.named(name, rule);
        let mut named = lock(&shared);
        // Read under the lock: the log is in order of time, and what it shows is what was decided by.
        let at = Stamp::now();
        let now = at.monotonic_ns;
        let limiter = named.limiter.get_or_insert_with(|| Limiter::new(rule, now, at.unix_ns));
        let verdict = limiter.take(now, price.taken);
        let count = named.counts.note(&verdict, now, price.taken);
        if named.decisions.len() < MAX_DECISIONS {
            named.decisions.push(Decision {
                at,
                allowed: verdict.allowed,
                retry_after: verdict.retry_after,
                connection,
                cost: price.taken,
                in_flight: verdict.in_flight,
            });
        }
        drop(named);
        let place = verdict.allowed.then(|| Place {
            named: shared,
            taken_at: now,
            give_back: price.give_back,
            left: AtomicBool::new(false),
        });
        Decided { verdict, at, count, place }
    }

    fn named(&self, name: &str, rule: &Rule) -> Arc<Mutex<Named>> {
        let mut map = lock(&self.by_name);
        if let Some(page) = map.get(name)
            && page.rule == *rule
        {
            return Arc::clone(&page.named);
        }
        let page = Page { rule: rule.clone(), named: Arc::default() };
        let named = Arc::clone(&page.named);
        map.insert(name.to_owned(), page);
        named
    }

    #[must_use]
    pub fn json(&self, name: &str, with_log: bool) -> Value {
        let page = lock(&self.by_name).get(name).cloned();
        page.map_or_else(|| Counts::default().json(name, with_log), |page| page.json(name, with_log))
    }

    /// Those whose name begins with `prefix`, in order of name, without their logs.
    #[must_use]
    pub fn list(&self, prefix: &str) -> Value {
        let map = lock(&self.by_name);
        let mut pages: Vec<(String, Page)> = map
            .iter()
            .filter(|(name, _)| name.starts_with(prefix))
            .map(|(name, page)| (name.clone(), page.clone()))
            .collect();
        drop(map);
        pages.sort_by(|a, b| a.0.cmp(&b.0));
        pages.iter().map(|(name, page)| page.json(name, false)).collect()
    }

    pub fn forget(&self, name: &str) {
        lock(&self.by_name).remove(name);
    }

    pub fn forget_all(&self, prefix: &str) {
        lock(&self.by_name).retain(|name, _| !name.starts_with(prefix));
    }
}

impl Counts {
    /// Returns how many requests had the same verdict.
    fn note(&mut self, verdict: &Verdict, now: u64, cost: u64) -> u64 {
        self.first_ns.get_or_insert(now);
        self.in_flight = verdict.in_flight;
        self.max_in_flight = self.max_in_flight.max(verdict.in_flight);
        if verdict.allowed {
            self.accepted += 1;
            self.accepted_cost = self.accepted_cost.saturating_add(cost);
            self.last_accepted_ns = Some(now);
            self.refused_in_a_row = 0;
            return self.accepted;
        }
        self.refused += 1;
        self.refused_in_a_row += 1;
        self.refused_in_a_row_max = self.refused_in_a_row_max.max(self.refused_in_a_row);
        self.refused
    }

    fn json(&self, name: &str, with_log: bool) -> Value {
        let mut value = json!({
            "name": name,
            "accepted": self.accepted,
            "refused": self.refused,
            "accepted_cost": self.accepted_cost,
            "given_back": self.given_back,
            "abandoned": self.abandoned,
            "first_ns": self.first_ns,
            "last_accepted_ns": self.last_accepted_ns,
            "in_flight": self.in_flight,
            "max_in_flight": self.max_in_flight,
            "refused_in_a_row_max": self.refused_in_a_row_max,
        });
        if with_log && let Some(fields) = value.as_object_mut() {
            fields.insert("log".to_owned(), json!([]));
        }
        value
    }
}

impl Page {
    fn json(&self, name: &str, with_log: bool) -> Value {
        let named = lock(&self.named);
        let counts = named.counts.clone();
        // A copy: writing JSON takes long, and requests wait for the lock.
        let decisions = if with_log { named.decisions.clone() } else { Vec::new() };
        drop(named);
        let mut value = counts.json(name, with_log);
        if let Some(fields) = value.as_object_mut() {
            let limit = self.rule.first;
            fields.insert("kind".to_owned(), json!(limit.kind.name()));
            fields.insert("limit".to_owned(), json!(limit.limit));
            fields.insert("window_ms".to_owned(), json!(nanos(limit.window) / 1_000_000));
            fields.insert("burst".to_owned(), json!(limit.burst));
            if with_log {
                fields.insert("log".to_owned(), decisions.iter().map(Decision::json).collect());
            }
        }
        value
    }
}

impl Decision {
    fn json(&self) -> Value {
        json!({
            "unix_ns": self.at.unix_ns,
            "monotonic_ns": self.at.monotonic_ns,
            "allowed": self.allowed,
            "retry_after_ns": nanos(self.retry_after),
            "connection": self.connection,
            "cost": self.cost,
            "in_flight": self.in_flight,
        })
    }
}

impl Place {
    /// The request is about to be answered. Before and not after: who has the answer finds the place free.
    pub fn leave(&self) {
        self.end(false);
    }

    fn end(&self, abandoned: bool) {
        if self.left.swap(true, Ordering::Relaxed) {
            return;
        }
        let mut named = lock(&self.named);
        let now = Stamp::now().monotonic_ns;
        if let Some(limiter) = &mut named.limiter {
            limiter.end(now, self.taken_at, self.give_back);
            named.counts.in_flight = limiter.in_flight();
        }
        named.counts.given_back = named.counts.given_back.saturating_add(self.give_back);
        named.counts.abandoned += u64::from(abandoned);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.end(true);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
