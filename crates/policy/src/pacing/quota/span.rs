//! A quota whose reset is the end of a window: so much is left, and then all of it again.
//!
//! Two words carry the same tag as long as they speak of the same window: what is left, and its end. Whoever finds the
//! end past puts the next end there with a new tag; what is left under an older tag is over. So there is no instant at
//! which a kill leaves half of a new window. The tag is the number of requests sent before the window began, so it
//! also tells whether an answer is to a request of this window or of an older one.

use std::time::Duration;

use super::{
    IN_HAND, LONGEST, Told,
    left::Left,
    place::{LEFT, Place, WHEN},
};
use crate::{
    pacing::gate::{pack, unpack},
    quota_headers::Quota,
    time::{Timestamp, from_seconds},
};

/// An end told in whole seconds is up to so much later than the true one.
const COARSE: Duration = Duration::from_secs(1);

/// What the words say.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    /// The two words as they were read.
    left_word: u64,
    when_word: u64,
    /// The first of them, of this window.
    word: Option<Left>,
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
        let word = Some(Left::of(left_word)).filter(|left| tag.wrapping_sub(left.tag).cast_signed() <= 0);
        let left = word.map_or((limit > 0.0).then_some(limit), |word| Some(word.left));
        let span = Self { left_word, when_word, word, tag, end, left, limit, length };
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

    /// What stays if so much is left.
    fn with(&self, left: f64) -> u64 {
        self.word.map_or(Left { tag: self.tag, left, start: None }, |word| Left { left, ..word }).word()
    }

    /// Whether a request was sent after the window was found to have begun.
    fn holds(&self, request: u64) -> bool {
        (request as u16).wrapping_sub(self.tag).cast_signed() > 0
    }
}

pub(super) fn due(place: Place<'_>, need: f64, now: Timestamp) -> Option<Timestamp> {
    let span = Span::read(place, now)?;
    (!span.is_over(now) && span.lacks(need)).then(|| span.end.after(IN_HAND))
}

pub(super) fn take(place: Place<'_>, need: f64, now: Timestamp) -> Result<(), Timestamp> {
    for _ in 0..crate::pacing::ROUNDS {
        let Some(span) = Span::read(place, now) else { return Ok(()) };
        if span.is_over(now) {
            if !span.repeats() {
                return Ok(());
            }
            // It begins now if windows begin with the first request, and has begun if they go by a clock.
            let tag = place.sent();
            let fresh = Left { tag, left: span.limit, start: None };
            // In this order: until the second one is done, the next to come does both again.
            if place.swap(LEFT, span.left_word, fresh.word()) {
                place.swap(WHEN, span.when_word, pack(tag, now.after(from_seconds(span.length))));
            }
            continue;
        }
        if span.lacks(need) {
            return Err(span.end.after(IN_HAND));
        }
        let Some(left) = span.left else { return Ok(()) };
        if place.swap(LEFT, span.left_word, span.with(left - span.needs(need))) {
            return Ok(());
        }
    }
    Ok(())
}

/// Whether a request belongs to the window that is known.
pub(super) fn holds(place: Place<'_>, request: u64, now: Timestamp) -> bool {
    Span::read(place, now).is_some_and(|span| span.holds(request))
}

/// Takes so much whatever is left, or gives it back.
pub(super) fn shift(place: Place<'_>, amount: f64) {
    let word = place.get(LEFT);
    let left = Left::of(word);
    // Whoever loses here is corrected by the next answer.
    place.swap(LEFT, word, Left { left: left.left - amount, ..left }.word());
}

pub(super) fn told(place: Place<'_>, told: &Told<'_>) {
    let Some(reset) = told.quota.reset else { return };
    let latest = told.now.after(reset);
    let earliest =
        if told.quota.coarse { told.sent_at.after(reset).before(COARSE) } else { told.sent_at.after(reset) };
    match Span::read(place, told.now).filter(|_| !told.first) {
        Some(span) if earliest <= span.end.after(IN_HAND) => {
            if span.holds(told.number) {
                correct(place, told, &span, (earliest, latest));
            }
            if span.end <= latest.after(IN_HAND) {
                give_back(place, told);
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
    let start = told.quota.remaining as f64;
    place.set(LEFT, Left { tag, left: start - told.others, start: Some(start) }.word());
    place.set(WHEN, pack(tag, end));
}

/// When the window was found to have begun, all that were on their way were taken for not counted yet. Who tells of
/// more than was told then had been counted.
fn give_back(place: Place<'_>, told: &Told<'_>) {
    let word = place.get(LEFT);
    let left = Left::of(word);
    if left.start.is_some_and(|start| told.quota.remaining as f64 > start) {
        place.swap(LEFT, word, Left { left: left.left + told.need, ..left }.word());
    }
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
        // The tag stays, and with it what is left.
        place.swap(WHEN, span.when_word, pack(span.tag, end));
    }
    let most = told.quota.remaining as f64;
    let sure = if told.apart { most - told.since } else { 0.0 };
    // A new limit counts as if it had been there from the beginning.
    let more = if other { limit - span.limit } else { 0.0 };
    let left = match span.left {
        Some(left) if span.limit > 0.0 => (left + more).min(most).max(sure),
        Some(left) => left.min(most).max(sure),
        None => most - told.since,
    };
    if span.left != Some(left) {
        place.swap(LEFT, span.left_word, span.with(left));
    }
}
