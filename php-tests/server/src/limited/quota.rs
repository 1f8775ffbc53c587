//! The quota headers of the many kinds of servers.

use std::time::Duration;

use sha2::{Digest, Sha256};

use super::forms::{
    decimal_seconds, due_decimal, due_ms, due_second, go_duration, groq_duration, whole_seconds,
};
use crate::clock::Stamp;
use crate::dates;
use crate::limiter::{Counts, Kind, Reading};
use crate::request::hex;
use crate::step::Header;

const BARE: [&str; 3] = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];
const LIE: Duration = Duration::from_secs(23 * 3600);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    None,
    X,
    Epoch,
    EpochMs,
    Github,
    Openai,
    Azure,
    Groq,
    Anthropic,
    Draft,
    DraftOld,
    DraftOldest,
    Twitter,
    Discord,
    Shopify,
}

impl Style {
    pub fn parse(name: &str) -> Result<Self, String> {
        Ok(match name {
            "none" => Self::None,
            "x" => Self::X,
            "epoch" => Self::Epoch,
            "epoch-ms" => Self::EpochMs,
            "github" => Self::Github,
            "openai" => Self::Openai,
            "azure" => Self::Azure,
            "groq" => Self::Groq,
            "anthropic" => Self::Anthropic,
            "draft" => Self::Draft,
            "draft-old" => Self::DraftOld,
            "draft-oldest" => Self::DraftOldest,
            "twitter" => Self::Twitter,
            "discord" => Self::Discord,
            "shopify" => Self::Shopify,
            other => return Err(format!("quota={other} is not known")),
        })
    }
}

/// What a proxy invents: nothing remains, for a day to come.
pub fn lie(readings: &mut [Reading]) {
    for reading in readings {
        (reading.remaining, reading.reset) = (0, LIE);
    }
}

/// What there is to tell.
#[derive(Clone, Copy, Debug)]
pub struct Told<'a> {
    /// As of `at`.
    pub readings: &'a [Reading],
    /// Without them what counts costs has counted requests.
    pub costs: bool,
    pub at: Stamp,
    /// The limiter's.
    pub name: &'a str,
}

impl Told<'_> {
    #[must_use]
    pub fn headers(&self, style: Style) -> Vec<Header> {
        let Some(first) = self.readings.first() else { return Vec::new() };
        let at = self.at;
        let (limit, remaining, reset) = (first.limit.limit, first.remaining, first.reset);
        let due = || due_second(reset, at).to_string();
        let three = |names: [&'static str; 3], reset: String| {
            let values = [limit.to_string(), remaining.to_string(), reset];
            names.into_iter().zip(values).map(|(name, value)| Header::new(name, value)).collect::<Vec<_>>()
        };
        match style {
            Style::None => Vec::new(),
            Style::X => three(BARE, decimal_seconds(reset)),
            Style::Epoch => three(BARE, due()),
            Style::EpochMs => three(BARE, due_ms(reset, at).to_string()),
            Style::Github => {
                let mut all = three(BARE, due());
                let used = limit.saturating_sub(remaining);
                all.push(Header::new("x-ratelimit-used", used.to_string()));
                all.push(Header::new("x-ratelimit-resource", "core"));
                all
            }
            Style::Twitter => {
                three(["x-rate-limit-limit", "x-rate-limit-remaining", "x-rate-limit-reset"], due())
            }
            Style::Discord => {
                let names = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
                let mut all = three(names, due_decimal(reset, at));
                all.push(Header::new("X-RateLimit-Reset-After", decimal_seconds(reset)));
                all.push(Header::new("X-RateLimit-Bucket", bucket(self.name)));
                all
            }
            Style::DraftOld => {
                let reset = whole_seconds(reset);
                let value = format!("limit={limit}, remaining={remaining}, reset={reset}");
                vec![Header::new("RateLimit", value)]
            }
            Style::DraftOldest => {
                let names = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
                three(names, whole_seconds(reset).to_string())
            }
            Style::Shopify => {
                let size = first.limit.capacity();
                let value = format!("{}/{size}", size.saturating_sub(remaining));
                vec![Header::new("X-Shopify-Shop-Api-Call-Limit", value)]
            }
            Style::Draft => draft(self.readings),
            Style::Openai => self.by_unit(x_ratelimit, go_duration),
            Style::Groq => self.by_unit(x_ratelimit, groq_duration),
            Style::Azure => self.by_unit(x_ratelimit, |reset| whole_seconds(reset).to_string()),
            Style::Anthropic => self.by_unit(
                |field, unit| format!("anthropic-ratelimit-{unit}-{field}"),
                |reset| dates::rfc3339(due_second(reset, at)),
            ),
        }
    }

    /// The families with a set of headers for requests and one for tokens. Their limit is the most that can remain,
    /// so that `(limit - remaining) / reset` is a bucket's rate.
    fn by_unit(&self, name: impl Fn(&str, &str) -> String, form: impl Fn(Duration) -> String) -> Vec<Header> {
        let mut all = Vec::new();
        for (unit, counts) in [("requests", Counts::Requests), ("tokens", Counts::Costs)] {
            let mut timed = self.readings.iter().filter(|r| r.limit.kind != Kind::Concurrency);
            if let Some(reading) = timed.find(|r| self.counts(r) == counts) {
                all.push(Header::new(name("limit", unit), reading.limit.capacity().to_string()));
                all.push(Header::new(name("remaining", unit), reading.remaining.to_string()));
                all.push(Header::new(name("reset", unit), form(reading.reset)));
            }
        }
        all
    }

    fn counts(&self, reading: &Reading) -> Counts {
        if self.costs { reading.limit.counts } else { Counts::Requests }
    }
}

fn x_ratelimit(field: &str, unit: &str) -> String {
    format!("x-ratelimit-{field}-{unit}")
}

/// All limits, the first is called `default`, the others `1`, `2`, ….
fn draft(readings: &[Reading]) -> Vec<Header> {
    let (mut policies, mut states) = (Vec::new(), Vec::new());
    for (number, reading) in readings.iter().enumerate() {
        if reading.limit.kind == Kind::Concurrency {
            continue;
        }
        let name = if number == 0 { "default".to_owned() } else { number.to_string() };
        let (limit, window) = (reading.limit.limit, whole_seconds(reading.limit.window));
        policies.push(format!("\"{name}\";q={limit};w={window}"));
        states.push(format!("\"{name}\";r={};t={}", reading.remaining, whole_seconds(reading.reset)));
    }
    if policies.is_empty() {
        return Vec::new();
    }
    vec![Header::new("RateLimit-Policy", policies.join(", ")), Header::new("RateLimit", states.join(", "))]
}

/// Names what shares a limit, without telling what it is.
fn bucket(name: &str) -> String {
    hex(Sha256::digest(name.as_bytes()).get(..16).unwrap_or_default())
}
