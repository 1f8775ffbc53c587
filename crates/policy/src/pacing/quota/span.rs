//! A quota whose reset is the end of a window: so much is left, and then all of it again.
//!
//! Two words carry the same tag as long as they speak of the same window: what is left, and its end. Whoever finds the
//! end past puts the next end there with a new tag; what is left under an older tag is over. So there is no instant at
//! which a kill leaves half of a new window. The tag is the number of requests sent before the window began, so it
//! also tells whether an answer is to a request of this window or of an older one.

use std::time::Duration;

use super::{
    IN_HAND, Told,
    place::{LEFT, Place, WHEN},
};
use crate::{
    pacing::gate::{pack, unpack},
    quota_headers::Quota,
    time::{Timestamp, from_seconds, nanos},
};

/// What is left shares its word with the tag.
const MOST_LEFT: u64 = (1 << 48) - 1;
/// No end is believed that lies further ahead: the longest month.
const LONGEST: Duration = Duration::from_secs(31 * 86_400);
/// An end told in whole seconds is up to so much later than the true one.
const COARSE: Duration = Duration::from_secs(1);

/// What the words say.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    /// The two words as they were read.
    left_word: u64,
    when_word: u64,
    tag: u16,
    end: Timestamp,
    /// `None`: as much as the limit is, which is not known.
    left: Option<f64>,
    limit: f64,
    length: f64,
}

impl Span {
    /// `None` when no end is known.
    fn read(place: Place<'_>, now: Timestamp) -> Option<Self> {
        let (limit, length) = place.sizes();
        let (left_word, when_word) = (place.get(LEFT), place.get(WHEN));
        let (tag, end) = unpack(when_word);
        let old = tag.wrapping_sub((left_word >> 48) as u16).cast_signed() > 0;
        let left = if old { (limit > 0.0).then_some(limit) } else { Some((left_word & MOST_LEFT) as f64) };
        let span = Self { left_word, when_word, tag, end, left, limit, length };
        (end != Timestamp::default() && end <= now.after(LONGEST)).then_some(span)
    }

    fn is_over(&self, now: Timestamp) -> bool {
        now >= self.end.after(IN_HAND)
    }

    /// Whether it is known what comes after it.
    const fn repeats(&self) -> bool {
        self.limit > 0.0 && self.length > 0.0
    }

    fn needs(&self, need: f64) -> f64 {
        if self.limit > 0.0 { need.min(self.limit) } else { need }
    }

    fn lacks(&self, need: f64) -> bool {
        self.left.is_some_and(|left| left < self.needs(need))
    }

    fn holds(&self, request: u64) -> bool {
        (request as u16).wrapping_sub(self.tag).cast_signed() > 0
    }
}

pub(super) fn due(place: Place<'_>, need: f64, now: Timestamp) -> Option<Timestamp> {
    let span = Span::read(place, now)?;
    (!span.is_over(now) && span.lacks(need)).then(|| span.end.after(IN_HAND))
}

pub(super) fn take(place: Place<'_>, need: f64, now: Timestamp) -> Result<(), Timestamp> {
    loop {
        let Some(span) = Span::read(place, now) else { return Ok(()) };
        if span.is_over(now) {
            if !span.repeats() {
                return Ok(());
            }
            // It begins now if windows begin with the first request, and has begun if they go by a clock.
            place.swap(WHEN, span.when_word, pack(place.sent(), now.after(from_seconds(span.length))));
            continue;
        }
        if span.lacks(need) {
            return Err(span.end.after(IN_HAND));
        }
        let Some(left) = span.left else { return Ok(()) };
        if place.swap(LEFT, span.left_word, left_word(span.tag, left - span.needs(need))) {
            return Ok(());
        }
    }
}

/// Takes so much whatever is left, or gives it back.
pub(super) fn shift(place: Place<'_>, amount: f64) {
    let word = place.get(LEFT);
    let new = left_word((word >> 48) as u16, (word & MOST_LEFT) as f64 - amount);
    // Whoever loses here is corrected by the next answer.
    place.swap(LEFT, word, new);
}

fn left_word(tag: u16, left: f64) -> u64 {
    // `as` saturates and takes NaN for zero.
    u64::from(tag) << 48 | (left as u64).min(MOST_LEFT)
}

pub(super) fn told(place: Place<'_>, told: &Told<'_>) {
    let Some(reset) = told.quota.reset else { return };
    let latest = told.now.after(reset);
    let earliest = if told.quota.coarse { before(told.sent_at.after(reset), COARSE) } else { told.sent_at.after(reset) };
    match Span::read(place, told.now).filter(|_| !told.first) {
        Some(span) if earliest <= span.end.after(IN_HAND) => {
            if span.holds(told.number) {
                correct(place, told, &span, (earliest, latest));
            }
        }
        known if told.newest => begin(place, told, known, latest),
        _ => {}
    }
}

/// Another window than the one that is known.
fn begin(place: Place<'_>, told: &Told<'_>, known: Option<Span>, end: Timestamp) {
    let limit = told.quota.limit.unwrap_or(0) as f64;
    place.set_sizes(limit, length(told.quota, known, end));
    let tag = told.number.wrapping_sub(1) as u16;
    place.set(LEFT, left_word(tag, told.quota.remaining as f64 - told.since));
    place.set(WHEN, pack(tag, end));
}

/// As told; or the least distance of two ends, if they were told to the instant.
fn length(quota: &Quota, known: Option<Span>, end: Timestamp) -> f64 {
    let exact = !quota.coarse || quota.reset.is_some_and(|reset| reset.subsec_nanos() != 0);
    let told = quota.window.map(|window| window.as_secs_f64());
    let seen = known.filter(|_| exact).map(|known| end.since(known.end).as_secs_f64());
    let before = known.map(|known| known.length).filter(|length| *length > 0.0);
    told.or(before.into_iter().chain(seen).reduce(f64::min)).unwrap_or(0.0)
}

/// The same window: its end is known better, and what is left.
fn correct(place: Place<'_>, told: &Told<'_>, span: &Span, (earliest, latest): (Timestamp, Timestamp)) {
    let limit = told.quota.limit.unwrap_or(0) as f64;
    let other = told.newest && f64::from(limit as f32) != span.limit;
    if other {
        place.set_sizes(limit, told.quota.window.map_or(span.length, |window| window.as_secs_f64()));
    }
    let end = span.end.min(latest).max(earliest);
    if end != span.end {
        place.swap(WHEN, span.when_word, pack(span.tag, end));
    }
    let most = told.quota.remaining as f64;
    let left = match span.left {
        Some(left) if !other => left.min(most).max(told.least_left()),
        _ => most - told.since,
    };
    if span.left != Some(left) {
        place.swap(LEFT, span.left_word, left_word(span.tag, left));
    }
}

fn before(at: Timestamp, stretch: Duration) -> Timestamp {
    Timestamp::from_nanos(at.as_nanos().saturating_sub(nanos(stretch)))
}
