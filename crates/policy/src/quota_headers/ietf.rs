//! `RateLimit` and `RateLimit-Policy` in all forms that draft-ietf-httpapi-ratelimit-headers has had.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, header};

use super::{
    Kind, MAX_QUOTAS, Quota,
    lines::{Limit, every},
    member::{self, Member, Triple},
    reset::Reset,
    sets::OLD_IETF,
};
use crate::decimal::number;

const RATE_LIMIT: &str = "ratelimit";
const POLICY: &str = "ratelimit-policy";

/// The highest bit is set in the number of every policy, so that none is a family's.
const POLICY_BIT: u16 = 1 << 15;

/// Every limit that is told of; none when the field is malformed or comes out of a cache.
pub(super) fn read(headers: &HeaderMap, clock: SystemTime) -> Vec<Quota> {
    if is_stored(headers) {
        return Vec::new();
    }
    let policies = every(headers, POLICY, member::list, member::append);
    if let Some(named) = policies.as_ref().and_then(|policies| named(headers, policies.as_deref())) {
        return named;
    }
    // The older forms stand without their policies.
    let policies = policies.flatten().unwrap_or_default();
    let old = if headers.contains_key(RATE_LIMIT) { triple(headers) } else { OLD_IETF.read(headers, clock) };
    let window = |quota: &Quota| member::window_of(quota.limit?, &policies);
    old.map(|quota| Quota { window: quota.window.or_else(|| window(&quota)), ..quota }).into_iter().collect()
}

/// Whether the answer has been in a cache, so that its limits are of another time.
fn is_stored(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::AGE)
        .iter()
        .any(|age| number(age.as_bytes().trim_ascii()).is_some_and(|age| age > 0))
}

/// `"default";r=50;t=30` with `"default";q=100;w=60` (-08 on). All items or none.
fn named(headers: &HeaderMap, policies: Option<&[Member]>) -> Option<Vec<Quota>> {
    let items = every(headers, RATE_LIMIT, member::list, member::append)??;
    let is_sound = items.iter().all(|item| item.name.is_some() && item.rest.is_some());
    let quotas = items.iter().filter_map(|item| quota(item, policies.unwrap_or_default()));
    is_sound.then(|| quotas.take(MAX_QUOTAS).collect())
}

/// `None` when it counts what is no unit of ours or cannot be.
fn quota(item: &Member, policies: &[Member]) -> Option<Quota> {
    let name = item.name?;
    let policy = policies.iter().find(|policy| policy.name == Some(name));
    Quota {
        id: id(name),
        unit: policy.map_or(item.unit, |policy| policy.unit)?,
        limit: policy.and_then(|policy| policy.quota),
        remaining: item.rest?,
        reset: item.time.map(Duration::from_secs),
        kind: Kind::Window,
        window: policy.and_then(Member::window),
        coarse: true,
    }
    .believed()
}

fn id(name: u64) -> u16 {
    let folded = name ^ (name >> 15) ^ (name >> 30) ^ (name >> 45);
    POLICY_BIT | folded as u16
}

/// `limit=100, remaining=50, reset=5` (-07).
fn triple(headers: &HeaderMap) -> Option<Quota> {
    let told = every(headers, RATE_LIMIT, Triple::read, Triple::stricter)??;
    let limit = told.limit.map(|count| Limit { count, window: None });
    OLD_IETF.quota(told.remaining, limit, told.reset.map(Reset::seconds))
}
