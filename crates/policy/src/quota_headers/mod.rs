//! What the quota headers of an answer say: how much of which limit is left, and until when.
//!
//! Only what is told and believable: no rate is derived here, no clock read. A family with a malformed
//! value says nothing at all, so that half of it is never taken for the whole.

mod go_duration;
mod ietf;
mod lines;
mod member;
mod reset;
mod sets;

use std::{
    ops::Deref,
    time::{Duration, SystemTime},
};

use http::{HeaderMap, HeaderName};

use crate::{http_date, time::from_wide_nanos};

/// Quotas kept of one answer. No API is known to tell of more; a longer list is cut.
const MAX_QUOTAS: usize = 8;

/// No reset is believed that is not before this, and no window that is longer.
const LONGEST_MONTH: Duration = Duration::from_secs(31 * 86_400);

/// GitHub's and Discord's names for the bucket that a request counts against.
static RESOURCE_HEADERS: [HeaderName; 2] =
    [HeaderName::from_static("x-ratelimit-resource"), HeaderName::from_static("x-ratelimit-bucket")];

const MAX_RESOURCE_LENGTH: usize = 64;

/// The periods that limits are stated in, shortest first.
const PERIODS: [Duration; 4] =
    [Duration::from_secs(1), Duration::from_secs(60), Duration::from_secs(3600), Duration::from_secs(86_400)];

/// One limit that an answer's headers told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Which limit of which family: the same number on each answer for the same header set, never 0,
    /// and at most once in an answer.
    pub id: u16,
    pub unit: Unit,
    /// As told; never less than `remaining`.
    pub limit: Option<u64>,
    pub remaining: u64,
    /// From the arrival of the headers; `None`: not told or not believable. Greater than zero, less
    /// than 31 days.
    pub reset: Option<Duration>,
    /// What `reset` means.
    pub kind: Kind,
    /// The length of the window, where the headers name it or the family is defined so. Greater than zero, at most
    /// 31 days.
    pub window: Option<Duration>,
    /// `reset` was told in whole seconds: a rate derived from it would be far off.
    pub coarse: bool,
}

/// What a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Requests,
    Tokens,
    InputTokens,
    OutputTokens,
}

/// What the reset of a quota is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The time until the bucket is full again: rate = (limit − remaining) / reset.
    Full,
    /// The time until the window starts over.
    Window,
}

impl Quota {
    /// When nothing is left: how long until one more call may pass; `None` while something is left or
    /// nothing can be said. Of a bucket of tokens nothing can be said: what a call costs is not told.
    #[must_use]
    pub fn wait(&self) -> Option<Duration> {
        let reset = self.reset.filter(|_| self.remaining == 0)?;
        match self.kind {
            Kind::Window => Some(reset),
            Kind::Full if self.unit == Unit::Requests => {
                let limit = u128::from(self.limit.filter(|limit| *limit > 0)?);
                Some(from_wide_nanos(self.period(reset).as_nanos().div_ceil(limit)).min(reset))
            }
            Kind::Full => None,
        }
    }

    /// How long an empty bucket takes to fill. Whole seconds only tell which period the limit is for.
    fn period(&self, reset: Duration) -> Duration {
        let stated = || PERIODS.into_iter().find(|period| reset <= *period);
        if self.coarse { self.window.or_else(stated).unwrap_or(reset) } else { reset }
    }

    /// Without a reset that cannot be; `None` when more is left than there is.
    fn believed(mut self) -> Option<Self> {
        self.reset = self.reset.filter(|reset| !reset.is_zero() && *reset < LONGEST_MONTH);
        self.coarse &= self.reset.is_some();
        self.limit.is_none_or(|limit| self.remaining <= limit).then_some(self)
    }
}

/// The limits that one answer told of, at most eight.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quotas(Vec<Quota>);

impl Deref for Quotas {
    type Target = [Quota];

    fn deref(&self) -> &[Quota] {
        &self.0
    }
}

impl Quotas {
    /// Of a limit that is told of twice the smaller rest and the longer reset.
    fn add(&mut self, quota: Quota) {
        if let Some(known) = self.0.iter_mut().find(|known| known.id == quota.id) {
            known.remaining = known.remaining.min(quota.remaining);
            if quota.reset > known.reset {
                (known.reset, known.coarse) = (quota.reset, quota.coarse);
            }
        } else if self.0.len() < MAX_QUOTAS {
            self.0.push(quota);
        }
    }
}

/// Every limit that the headers of an answer tell of. `now` is the local wall clock at their arrival.
#[must_use]
pub fn read(headers: &HeaderMap, now: SystemTime) -> Quotas {
    let mut found = Quotas::default();
    if headers.keys().any(|name| may_tell(name.as_str())) {
        let clock = http_date::server_clock(headers, now);
        for set in &sets::SETS {
            set.read(headers, clock).into_iter().for_each(|quota| found.add(quota));
        }
        ietf::read(headers, clock).into_iter().for_each(|quota| found.add(quota));
        sets::shopify(headers).into_iter().for_each(|quota| found.add(quota));
    }
    found
}

/// A glance, so that an answer without quotas costs no look-up. It may let other names through.
fn may_tell(name: &str) -> bool {
    matches!(
        name.as_bytes(),
        [b'x', b'-', b'r', b'a', b't', b'e', ..]
            | [b'r', b'a', b't', b'e', b'l', ..]
            | [b'a', b'n', b't', b'h', b'r', ..]
            | [b'x', b'-', b's', b'h', b'o', ..]
    )
}

/// The name of the bucket that the answer counts against: at most 64 bytes of visible ASCII.
#[must_use]
pub fn resource(headers: &HeaderMap) -> Option<&str> {
    let mut values = RESOURCE_HEADERS.iter().filter_map(|name| headers.get(name));
    values.find_map(|value| {
        let name = value.as_bytes().trim_ascii();
        let is_name =
            (1..=MAX_RESOURCE_LENGTH).contains(&name.len()) && name.iter().all(u8::is_ascii_graphic);
        std::str::from_utf8(name).ok().filter(|_| is_name)
    })
}

#[cfg(test)]
mod tests;
