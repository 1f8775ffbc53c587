//! The rate-limited endpoint: what a request asks of which limiter, and how the verdict is answered.

mod book;
mod cost;
mod forms;
mod parameters;
mod quota;
mod wait;

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use serde_json::json;
use sha2::{Digest, Sha256};

pub use book::{Limiters, Place};
use cost::{Cost, Said};

use crate::limiter::Rule;
use crate::query::{self, Query};
use crate::request::{Head, hex};
use crate::step::Step;

/// In place of a model or a key that the request does not have.
const ABSENT: &str = "-";
const KEY_LENGTH: usize = 8;

/// One request to the endpoint, its parameters read. A wrong one has not counted as a request.
#[derive(Debug)]
pub struct Ask {
    name: String,
    by: Vec<By>,
    rule: Rule,
    cost: Cost,
    /// Whether the client is told of costs or of requests.
    says_cost: bool,
    wait: wait::Style,
    refusal: u16,
    refuse_delay: Option<Duration>,
    delay: Option<Duration>,
    jitter_ms: u64,
    quota: quota::Style,
    lie: bool,
}

#[derive(Debug)]
enum By {
    Model,
    Key(String),
}

impl Ask {
    pub fn parse(name: &str, query: &Query, head: &Head) -> Result<Self, String> {
        let used: Option<f64> = query.number("usage")?;
        if used.is_some_and(|used| !(0.0..=1.0).contains(&used)) {
            return Err("usage must be a number from 0 to 1".to_owned());
        }
        let cost = match query.get("cost") {
            Some("body") => Cost::Body { used: used.unwrap_or(1.0) },
            _ => Cost::Fixed(query.number("cost")?.unwrap_or(1)),
        };
        let ms = |name| query.number(name).map(|ms| ms.map(Duration::from_millis));
        let delay = ms("delay")?;
        let lie = match query.get("quota_lie") {
            None => false,
            Some("remaining0") => true,
            Some(other) => return Err(format!("quota_lie={other} is not known")),
        };
        Ok(Self {
            name: query::decode_path(name),
            by: by(query, head)?,
            rule: parameters::rule(query)?,
            cost,
            says_cost: query.get("cost").is_some(),
            wait: wait::Style::parse(query.get("retry_after").unwrap_or("seconds"))?,
            refusal: query.number("status")?.unwrap_or(429),
            refuse_delay: ms("refuse_delay")?.or(delay),
            delay,
            jitter_ms: query.number("jitter_ms")?.unwrap_or(0),
            quota: quota::Style::parse(query.get("quota").unwrap_or(if lie { "x" } else { "none" }))?,
            lie,
        })
    }

    /// Whether the limiter can be asked only when the body is there.
    #[must_use]
    pub fn needs_body(&self) -> bool {
        matches!(self.cost, Cost::Body { .. }) || self.by.iter().any(|by| matches!(by, By::Model))
    }

    /// Decides about the request now and says how to answer it. `length` is that of the whole body.
    #[must_use]
    pub fn decide(
        &self,
        limiters: &Limiters,
        connection: u64,
        body: &[u8],
        length: u64,
    ) -> (Step, Option<Place>) {
        let said = if self.needs_body() { Said::read(body, length) } else { Said::default() };
        let name = self.full_name(&said);
        let price = self.cost.price(&said);
        let mut decided = limiters.take(&name, &self.rule, &price, connection);
        let (verdict, count) = (&mut decided.verdict, decided.count);
        let mut step = if verdict.allowed {
            let mut body = json!({ "ok": true, "count": count });
            if let (Some(usage), Some(fields)) = (price.usage, body.as_object_mut()) {
                fields.insert("usage".to_owned(), usage);
            }
            Step::json(200, &body)
        } else {
            let error = json!({ "type": "rate_limit_error", "message": "Too many requests" });
            let mut step = Step::json(self.refusal, &json!({ "error": error, "count": count }));
            step.headers.extend(self.wait.header(verdict.retry_after, decided.at));
            step
        };
        if self.lie {
            quota::lie(&mut verdict.readings);
        }
        let told =
            quota::Told { readings: &verdict.readings, costs: self.says_cost, at: decided.at, name: &name };
        step.headers.extend(told.headers(self.quota));
        step.delay = if verdict.allowed { self.accept_delay() } else { self.refuse_delay };
        (step, decided.place)
    }

    fn full_name(&self, said: &Said) -> String {
        let mut name = self.name.clone();
        for by in &self.by {
            let part = match by {
                By::Model => said.model.as_deref().unwrap_or(ABSENT),
                By::Key(key) => key,
            };
            name = name + ":" + part;
        }
        name
    }

    fn accept_delay(&self) -> Option<Duration> {
        if self.jitter_ms == 0 {
            return self.delay;
        }
        // Every `RandomState` has other keys, so that its hash of anything is a random number.
        let random = RandomState::new().hash_one(()) % self.jitter_ms.saturating_mul(1_000).saturating_add(1);
        Some(self.delay.unwrap_or_default() + Duration::from_micros(random))
    }
}

fn by(query: &Query, head: &Head) -> Result<Vec<By>, String> {
    let Some(text) = query.get("by") else { return Ok(Vec::new()) };
    let one = |part: &str| match part {
        "model" => Ok(By::Model),
        "key" => Ok(By::Key(key(head.header("authorization")))),
        other => Err(format!("by={other} is neither model nor key")),
    };
    text.split(',').map(one).collect()
}

/// The end of a hash of the Authorization header: it tells keys apart and tells nobody the key.
fn key(authorization: Option<&str>) -> String {
    let Some(value) = authorization else { return ABSENT.to_owned() };
    let hash = hex(&Sha256::digest(value.as_bytes()));
    hash.get(hash.len() - KEY_LENGTH..).unwrap_or_default().to_owned()
}
