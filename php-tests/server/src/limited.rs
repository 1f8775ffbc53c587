//! The rate-limited endpoint: named limiters, what their answers look like, and what they have decided so far.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use crate::clock::Stamp;
use crate::dates;
use crate::limiter::{Kind, Limit, Limiter, Verdict};
use crate::query::Query;
use crate::step::{Header, Step};

/// The log of decisions is for tests of some minutes; a benchmark must not fill the memory.
const MAX_DECISIONS: usize = 1_000_000;

#[derive(Clone, Copy, Debug)]
struct Decision {
    at: Stamp,
    allowed: bool,
    retry_after: Duration,
    connection: u64,
}

#[derive(Debug)]
struct Named {
    limiter: Limiter,
    accepted: u64,
    refused: u64,
    decisions: Vec<Decision>,
}

#[derive(Debug, Default)]
pub struct Limiters {
    by_name: Mutex<HashMap<String, Named>>,
}

impl Limiters {
    /// Asks the limiter `name`; another rule than before begins a new one.
    fn take(&self, name: &str, limit: Limit, cost: u64, at: Stamp, connection: u64) -> (Verdict, u64) {
        let mut map = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = || Named { limiter: Limiter::new(limit), accepted: 0, refused: 0, decisions: Vec::new() };
        let named = map.entry(name.to_owned()).or_insert_with(fresh);
        if named.limiter.limit() != limit {
            *named = fresh();
        }
        let verdict = named.limiter.take(at.monotonic_ns, cost);
        let count = if verdict.allowed { &mut named.accepted } else { &mut named.refused };
        *count += 1;
        let count = *count;
        if named.decisions.len() < MAX_DECISIONS {
            let decision =
                Decision { at, allowed: verdict.allowed, retry_after: verdict.retry_after, connection };
            named.decisions.push(decision);
        }
        (verdict, count)
    }

    #[must_use]
    pub fn json(&self, name: &str) -> Value {
        let map = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(named) = map.get(name) else {
            return json!({ "name": name, "accepted": 0, "refused": 0, "log": [] });
        };
        let limit = named.limiter.limit();
        let log: Vec<Value> = named
            .decisions
            .iter()
            .map(|d| {
                json!({
                    "unix_ns": d.at.unix_ns,
                    "monotonic_ns": d.at.monotonic_ns,
                    "allowed": d.allowed,
                    "retry_after_ns": u64::try_from(d.retry_after.as_nanos()).unwrap_or(u64::MAX),
                    "connection": d.connection,
                })
            })
            .collect();
        json!({
            "name": name,
            "kind": match limit.kind { Kind::Window => "window", Kind::Bucket => "bucket" },
            "limit": limit.limit,
            "window_ms": u64::try_from(limit.window.as_millis()).unwrap_or(u64::MAX),
            "burst": limit.burst,
            "accepted": named.accepted,
            "refused": named.refused,
            "log": log,
        })
    }

    pub fn forget(&self, name: &str) {
        self.by_name.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
    }
}

/// Decides about one request now and says how to answer it.
pub fn answer(
    limiters: &Limiters,
    name: &str,
    query: &Query,
    at: Stamp,
    connection: u64,
) -> Result<Step, String> {
    let kind = match query.get("kind").unwrap_or("window") {
        "window" => Kind::Window,
        "bucket" => Kind::Bucket,
        other => return Err(format!("kind={other} is neither window nor bucket")),
    };
    let limit = query.number("limit")?.unwrap_or(10);
    let window = Duration::from_millis(query.number("window_ms")?.unwrap_or(1000));
    let limit = Limit::new(kind, limit, window, query.number("burst")?);
    let cost = query.number("cost")?.unwrap_or(1);
    // Read before the limiter is asked: a wrong parameter must not count as a request.
    let style = query.get("retry_after").unwrap_or("seconds");
    let refusal = query.number("status")?.unwrap_or(429);
    let delay = query.number("delay")?.map(Duration::from_millis);
    retry_after(style, Duration::ZERO, at)?;
    quota(query.get("quota"), limit, Duration::ZERO, 0, at)?;

    let (verdict, count) = limiters.take(name, limit, cost, at, connection);
    let mut step = if verdict.allowed {
        Step::json(200, &json!({ "ok": true, "count": count }))
    } else {
        let error = json!({ "type": "rate_limit_error", "message": "Too many requests" });
        Step::json(refusal, &json!({ "error": error, "count": count }))
    };
    if !verdict.allowed {
        step.headers.extend(retry_after(style, verdict.retry_after, at)?);
    }
    step.headers.extend(quota(query.get("quota"), limit, verdict.reset, verdict.remaining, at)?);
    step.delay = delay;
    Ok(step)
}

fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

/// The first whole second of the wall clock at which `wait` is over.
fn due_second(wait: Duration, at: Stamp) -> i64 {
    let wait = u64::try_from(wait.as_nanos()).unwrap_or(u64::MAX);
    i64::try_from(at.unix_ns.saturating_add(wait).div_ceil(1_000_000_000)).unwrap_or(i64::MAX)
}

fn retry_after(style: &str, wait: Duration, at: Stamp) -> Result<Option<Header>, String> {
    let (name, value) = match style {
        "none" => return Ok(None),
        "seconds" | "window-end" => ("Retry-After", whole_seconds(wait).to_string()),
        "fraction" => ("Retry-After", format!("{:.3}", (wait + Duration::from_micros(500)).as_secs_f64())),
        "ms" => ("retry-after-ms", wait.as_nanos().div_ceil(1_000_000).to_string()),
        "date" => ("Retry-After", dates::http_date(due_second(wait, at))),
        fixed if fixed.parse::<f64>().is_ok() => ("Retry-After", fixed.to_owned()),
        other => return Err(format!("retry_after={other} is not known")),
    };
    Ok(Some(Header::new(name, value)))
}

fn quota(
    style: Option<&str>,
    limit: Limit,
    reset: Duration,
    remaining: u64,
    at: Stamp,
) -> Result<Vec<Header>, String> {
    let (count, left) = (limit.limit, remaining);
    let window = whole_seconds(limit.window);
    let pairs: Vec<(&'static str, String)> = match style.unwrap_or("none") {
        "none" => Vec::new(),
        "x" => vec![
            ("x-ratelimit-limit", count.to_string()),
            ("x-ratelimit-remaining", left.to_string()),
            ("x-ratelimit-reset", format!("{:.3}", reset.as_secs_f64())),
        ],
        "epoch" => vec![
            ("x-ratelimit-limit", count.to_string()),
            ("x-ratelimit-remaining", left.to_string()),
            ("x-ratelimit-reset", due_second(reset, at).to_string()),
        ],
        "openai" => vec![
            ("x-ratelimit-limit-requests", count.to_string()),
            ("x-ratelimit-remaining-requests", left.to_string()),
            ("x-ratelimit-reset-requests", format!("{}ms", reset.as_nanos().div_ceil(1_000_000))),
        ],
        "anthropic" => vec![
            ("anthropic-ratelimit-requests-limit", count.to_string()),
            ("anthropic-ratelimit-requests-remaining", left.to_string()),
            ("anthropic-ratelimit-requests-reset", dates::rfc3339(due_second(reset, at))),
        ],
        "draft" => vec![
            ("RateLimit-Policy", format!("\"default\";q={count};w={window}")),
            ("RateLimit", format!("\"default\";r={left};t={}", whole_seconds(reset))),
        ],
        other => return Err(format!("quota={other} is not known")),
    };
    Ok(pairs.into_iter().map(|(name, value)| Header::new(name, value)).collect())
}
