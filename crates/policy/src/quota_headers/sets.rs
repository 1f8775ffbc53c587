//! The families that tell of a limit in one header each for limit, remaining and reset.

use std::time::{Duration, SystemTime};

use http::HeaderMap;

use super::{
    Kind::{self, Full, Window},
    Quota,
    Unit::{self, InputTokens, OutputTokens, Requests, Tokens},
    lines::{Limit, count, every},
    reset::{self, Reader, Reset},
};
use crate::decimal::number;

/// The headers of one limit.
#[derive(Debug)]
pub(super) struct Set {
    id: u16,
    unit: Unit,
    kind: Kind,
    limit: &'static str,
    remaining: &'static str,
    /// The first of them that is there counts.
    resets: &'static [(&'static str, Reader)],
    /// Where the family is defined per that time.
    window: Option<Duration>,
}

/// Anthropic states all its limits per minute (its documentation, "Rate limits").
const MINUTE: Duration = Duration::from_secs(60);

/// OpenAI's names, which Groq, Azure and many others took over.
macro_rules! openai {
    ($id:literal, $unit:expr, $word:literal) => {
        Set {
            id: $id,
            unit: $unit,
            kind: Full,
            limit: concat!("x-ratelimit-limit-", $word),
            remaining: concat!("x-ratelimit-remaining-", $word),
            resets: &[(concat!("x-ratelimit-reset-", $word), reset::any)],
            window: None,
        }
    };
}

macro_rules! anthropic {
    ($id:literal, $unit:expr, $word:literal) => {
        Set {
            id: $id,
            unit: $unit,
            kind: Full,
            limit: concat!("anthropic-ratelimit-", $word, "-limit"),
            remaining: concat!("anthropic-ratelimit-", $word, "-remaining"),
            resets: &[(concat!("anthropic-ratelimit-", $word, "-reset"), reset::date)],
            window: Some(MINUTE),
        }
    };
}

pub(super) const SETS: [Set; 8] = [
    openai!(1, Requests, "requests"),
    openai!(2, Tokens, "tokens"),
    anthropic!(3, Requests, "requests"),
    anthropic!(4, Tokens, "tokens"),
    anthropic!(5, InputTokens, "input-tokens"),
    anthropic!(6, OutputTokens, "output-tokens"),
    // GitHub, Reddit, OpenRouter; Discord's `reset-after` is exact where its `reset` needs a clock.
    Set {
        id: 7,
        unit: Requests,
        kind: Window,
        limit: "x-ratelimit-limit",
        remaining: "x-ratelimit-remaining",
        resets: &[("x-ratelimit-reset-after", reset::delta), ("x-ratelimit-reset", reset::any)],
        window: None,
    },
    // X. Others who write it so tell of spans.
    Set {
        id: 8,
        unit: Requests,
        kind: Window,
        limit: "x-rate-limit-limit",
        remaining: "x-rate-limit-remaining",
        resets: &[("x-rate-limit-reset", reset::any)],
        window: None,
    },
];

/// draft-ietf-httpapi-ratelimit-headers-00 to -06. GitLab's reset is an epoch.
pub(super) const OLD_IETF: Set = Set {
    id: 9,
    unit: Requests,
    kind: Window,
    limit: "ratelimit-limit",
    remaining: "ratelimit-remaining",
    resets: &[("ratelimit-reset", reset::number)],
    window: None,
};

/// Used and allowed, of a leaky bucket whose rate is not told.
const SHOPIFY: &str = "x-shopify-shop-api-call-limit";
const SHOPIFY_ID: u16 = 10;

impl Set {
    pub(super) fn read(&self, headers: &HeaderMap, clock: SystemTime) -> Option<Quota> {
        let remaining = every(headers, self.remaining, count, |one, other| Some(one.min(other)))??;
        let limit = every(headers, self.limit, Limit::read, Limit::smaller)?;
        let reset = match self.resets.iter().find(|(name, _)| headers.contains_key(*name)) {
            Some((name, read)) => every(headers, name, |value| read(value, clock), Reset::longer)?,
            None => None,
        };
        self.quota(remaining, limit, reset)
    }

    pub(super) fn quota(&self, remaining: u64, limit: Option<Limit>, reset: Option<Reset>) -> Option<Quota> {
        // A reset beyond the family's window shows that this limit is for another one.
        let own = self.window.filter(|window| reset.is_none_or(|reset| reset.after <= *window));
        Quota {
            id: self.id,
            unit: self.unit,
            limit: limit.map(|limit| limit.count),
            remaining,
            reset: reset.map(|reset| reset.after),
            kind: self.kind,
            window: limit.and_then(|limit| limit.window).or(own),
            coarse: reset.is_some_and(|reset| reset.coarse),
        }
        .believed()
    }
}

pub(super) fn shopify(headers: &HeaderMap) -> Option<Quota> {
    let fuller = |one: (u64, u64), other: (u64, u64)| Some(if left(other) < left(one) { other } else { one });
    let bucket = every(headers, SHOPIFY, used_of, fuller)??;
    Some(Quota {
        id: SHOPIFY_ID,
        unit: Requests,
        limit: Some(bucket.1),
        remaining: left(bucket),
        reset: None,
        kind: Full,
        window: None,
        coarse: false,
    })
}

/// `32/40`
fn used_of(text: &[u8]) -> Option<(u64, u64)> {
    let mut parts = text.splitn(2, |byte| *byte == b'/');
    Some((number(parts.next()?)?, number(parts.next()?)?))
}

const fn left((used, limit): (u64, u64)) -> u64 {
    limit.saturating_sub(used)
}
