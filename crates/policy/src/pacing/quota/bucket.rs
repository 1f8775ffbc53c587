//! A quota whose reset is the time until it is full: a bucket that refills all the time.
//!
//! One word says when the bucket will be full (the theoretical arrival time of ITU-T I.371): a request of cost c moves
//! it on by c / rate. So a request is due when that lies no further ahead than the bucket takes to fill, less c / rate.

use std::time::Duration;

use super::{
    IN_HAND, LONGEST, Told,
    place::{LEFT, Place, WHEN},
};
use crate::{
    quota_headers::Quota,
    time::{Timestamp, from_seconds},
};

/// The periods that limits are stated in. A reset in whole seconds only tells which of them it is.
const PERIODS: [f64; 4] = [1.0, 60.0, 3600.0, 86_400.0];
/// What a reset may be off by: they are told in milliseconds.
const RESOLUTION: f64 = 0.001;
/// What is left is told in whole numbers: up to so much less was used.
const CUT_OFF: f64 = 1.0;
/// A part of the bucket is left in it, for requests overtake each other: this, but no more than one request or a
/// hundredth of the bucket. It delays the last request by that, and no other.
const RESERVE: f64 = 0.25;
const RESERVE_OF_LARGE: f64 = 0.01;
/// One answer raises what is left by this part of what it says: others may have overtaken its request.
const RAISE: f64 = 1.0 / 8.0;
/// A rate that changes by more than this is another rate.
const OTHER: f64 = 0.05;
/// No bucket is overdrawn by more than it holds.
const MOST_OWED: f64 = 2.0;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Bucket {
    limit: f64,
    rate: f64,
}

impl Bucket {
    /// `None` while its rate is not known.
    fn read(place: Place<'_>) -> Option<Self> {
        let (limit, rate) = place.sizes();
        (limit >= 1.0 && rate > 0.0).then_some(Self { limit, rate })
    }

    fn takes(&self, amount: f64) -> Duration {
        from_seconds(amount / self.rate)
    }

    /// The latest instant that can be told.
    fn latest(&self, now: Timestamp) -> Timestamp {
        now.after(self.takes(self.limit * MOST_OWED).min(LONGEST))
    }

    fn due(&self, full: Timestamp, need: f64) -> Timestamp {
        let reserve = ((self.limit - 1.0) * RESERVE).clamp(0.0, 1.0_f64.max(self.limit * RESERVE_OF_LARGE));
        let spare = (self.limit - reserve - need).max(0.0);
        full.before(self.takes(spare)).after(IN_HAND)
    }
}

/// When it is full; `None` for what cannot have been told.
fn full(place: Place<'_>, bucket: &Bucket, now: Timestamp) -> Option<Timestamp> {
    let full = Timestamp::from_nanos(place.get(LEFT));
    (full <= bucket.latest(now)).then_some(full)
}

pub(super) fn due(place: Place<'_>, need: f64, now: Timestamp) -> Option<Timestamp> {
    let bucket = Bucket::read(place)?;
    Some(bucket.due(full(place, &bucket, now)?, need)).filter(|due| *due > now)
}

pub(super) fn take(place: Place<'_>, need: f64, now: Timestamp) -> Result<(), Timestamp> {
    let Some(bucket) = Bucket::read(place) else { return Ok(()) };
    let needed = bucket.takes(need.min(bucket.limit));
    loop {
        let old = place.get(LEFT);
        let Some(full) = full(place, &bucket, now) else { return Ok(()) };
        let due = bucket.due(full, need);
        if due > now {
            return Err(due);
        }
        if place.swap(LEFT, old, full.max(now).after(needed).as_nanos()) {
            return Ok(());
        }
    }
}

/// Takes so much whatever is left, or gives it back.
pub(super) fn shift(place: Place<'_>, amount: f64, now: Timestamp) {
    let Some(bucket) = Bucket::read(place) else { return };
    let old = Timestamp::from_nanos(place.get(LEFT));
    let by = bucket.takes(amount.abs());
    let new = if amount < 0.0 { old.before(by) } else { old.max(now).after(by).min(bucket.latest(now)) };
    // Whoever loses here is corrected by the next answer.
    place.swap(LEFT, old.as_nanos(), new.as_nanos());
}

pub(super) fn told(place: Place<'_>, told: &Told<'_>) {
    let known = Bucket::read(place).filter(|_| !told.first);
    let Some(bucket) = bucket_of(told, known) else { return };
    if told.newest {
        place.set_sizes(bucket.limit, bucket.rate);
        place.set(WHEN, told.now.as_nanos());
    }
    let other = known.is_none_or(|known| {
        known.limit != bucket.limit || (known.rate - bucket.rate).abs() > known.rate * OTHER
    });
    let says = full_at(told, &bucket);
    let old = place.get(LEFT);
    let there = Timestamp::from_nanos(old);
    let new = if says > there || (told.newest && (other || there > bucket.latest(told.now))) {
        says
    } else if told.newest {
        there.before(there.since(says).mul_f64(RAISE))
    } else {
        return;
    };
    // Who takes meanwhile wins; the next answer says the same again.
    place.swap(LEFT, old, new.as_nanos());
}

/// Nobody tells whether the server looked when the request came or when it answered. If when it came, then what was
/// sent since is to be taken off; if when it answered, then the time begins there. The later of both is never too soon.
/// Of a bucket that fills while an answer takes its way only the former says anything.
fn full_at(told: &Told<'_>, bucket: &Bucket) -> Timestamp {
    let fills = match told.quota.reset {
        Some(reset) if !told.quota.coarse => reset,
        _ => bucket.takes(used(told.quota, bucket.limit)),
    };
    let when_it_came = told.sent_at.after(fills).after(bucket.takes(told.since));
    let is_slow = told.now.since(told.sent_at) < bucket.takes(bucket.limit);
    let when_it_answered = if is_slow { told.now.after(fills) } else { Timestamp::default() };
    when_it_came.max(when_it_answered).min(bucket.latest(told.now))
}

fn used(quota: &Quota, limit: f64) -> f64 {
    (limit - quota.remaining as f64).max(0.0)
}

fn bucket_of(told: &Told<'_>, known: Option<Bucket>) -> Option<Bucket> {
    if !told.newest {
        return known;
    }
    let limit = told.quota.limit.filter(|limit| *limit > 0)? as f64;
    let known = known.filter(|known| known.limit == f64::from(limit as f32));
    let rate = match told.quota.reset {
        Some(reset) if told.quota.coarse => stated_rate(told.quota, limit, reset, known),
        Some(reset) => rate_of(used(told.quota, limit), reset.as_secs_f64(), known.map(|known| known.rate))?,
        None => known?.rate,
    };
    (rate > 0.0 && rate.is_finite()).then_some(Bucket { limit, rate })
}

/// So much per second, minute, hour or day: the shortest that any reset since the limit changed fits into.
fn stated_rate(quota: &Quota, limit: f64, reset: Duration, known: Option<Bucket>) -> f64 {
    let reset = reset.as_secs_f64();
    let stated = || PERIODS.into_iter().find(|period| reset <= *period);
    let period = quota.window.map(|window| window.as_secs_f64()).or_else(stated).unwrap_or(reset);
    let rate = limit / period.max(PERIODS[0]);
    known.filter(|_| quota.window.is_none()).map_or(rate, |known| rate.min(known.rate))
}

/// The rate lies between two bounds. What is known stays as long as it lies there, too.
pub(super) fn rate_of(used: f64, reset: f64, known: Option<f64>) -> Option<f64> {
    let least = (used - CUT_OFF) / (reset + RESOLUTION);
    let most = used / (reset - RESOLUTION).max(RESOLUTION / 2.0);
    match known {
        Some(known) if used < 1.0 => Some(known),
        Some(known) => Some(known.max(least).min(most)),
        None => (used >= 1.0).then_some(used / reset),
    }
}
