//! The lines of one header, read as one value.

use std::time::Duration;

use http::HeaderMap;

use super::member;
use crate::decimal::decimal;

/// What all lines of a header say, two at a time made one by `join`. `None` when a line is malformed
/// or does not agree with another; `Some(None)` when there is no line.
pub(super) fn every<T>(
    headers: &HeaderMap,
    name: &str,
    read: impl Fn(&[u8]) -> Option<T>,
    join: impl Fn(T, T) -> Option<T>,
) -> Option<Option<T>> {
    let values = headers.get_all(name);
    values.iter().try_fold(None, |found, value| {
        let next = read(value.as_bytes().trim_ascii())?;
        Some(Some(match found {
            Some(found) => join(found, next)?,
            None => next,
        }))
    })
}

/// A number of requests or tokens; a fraction is cut off (Reddit tells of `598.0`).
pub(super) fn count(text: &[u8]) -> Option<u64> {
    decimal(text).map(|(whole, _)| whole)
}

/// How many are allowed, and in what time where that is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limit {
    pub(super) count: u64,
    pub(super) window: Option<Duration>,
}

impl Limit {
    /// A number, or the number and the policies it comes from: `10, 10;w=1, 50;w=60`
    /// (draft-ietf-httpapi-ratelimit-headers-03 section 3.1; Envoy says it in `x-ratelimit-limit`).
    pub(super) fn read(text: &[u8]) -> Option<Self> {
        if let Some(count) = count(text) {
            return Some(Self { count, window: None });
        }
        let members = member::list(text)?;
        let count = members.first()?.number?;
        Some(Self { count, window: member::window_of(count, &members) })
    }

    /// Of two the smaller.
    pub(super) fn smaller(self, other: Self) -> Option<Self> {
        Some(if other.count < self.count { other } else { self })
    }
}
