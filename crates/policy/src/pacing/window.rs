//! Fixed windows that only Retry-After tells of: so many requests, and then none until an instant.
//!
//! The instant that a refusal names makes it a candidate. What is accepted after it until the next refusal is the
//! count, and from its first request to the end that this refusal names is the length. One request that goes before
//! that end tells a window from a bucket whose server always names the same wait. From then on the count is spent
//! without a pace, and its end is waited for instead of being refused.
//!
//! A window may go by a clock or begin with the first request after the last one's end, so the next end is taken to
//! be one length after the first request. By a clock it lies before that. Seconds that were rounded up also hide up
//! to one second, so now and then one request goes before the supposed end and halves what is not known.

mod lesson;
mod state;

use std::time::Duration;

use super::{
    Ticket,
    gate::{self, pack, unpack},
    words::{Word, Words},
};
use crate::time::Timestamp;
use state::{Known, State};

pub(crate) use lesson::{refused, sent};

/// Requests arrive up to so much less apart than they were sent.
const IN_HAND: Duration = Duration::from_millis(2);
/// Ends are named in seconds that were rounded up.
const SAME: Duration = Duration::from_secs(1);
/// Fewer in one window are what a bucket refills while it is waited for.
const LEAST_COUNT: u16 = 4;
/// One goes this part of a window before the end that is named first, but not within the second that is rounded up.
const CHECK_PART: u32 = 3;
const CHECK_LEAST: Duration = Duration::from_millis(1100);
/// The end is known well enough.
const EXACT: Duration = Duration::from_millis(40);
/// Refusals come within this. So long the first request after an end that is not sure goes alone.
const ALONE: Duration = Duration::from_millis(150);
/// So many windows lie between two tries of one request more.
const TRY_EACH: u8 = 8;
/// Once one more was taken, this part of the count more is tried.
const RAISE: u64 = 4;

/// What a request is sent for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Role {
    #[default]
    Counted,
    /// It goes before the supposed end, to find the true one.
    Early,
    /// It goes long before it, to see whether it is one.
    Checking,
    /// It goes although the end lies further ahead than the caller waits.
    Doubting,
}

/// The end and what is left, as the words say it.
#[derive(Clone, Copy, Debug)]
struct Window {
    tag: u16,
    end: Timestamp,
    left: u64,
    when_word: u64,
    left_word: u64,
    limit: u64,
    length: Duration,
}

const LEFT: u64 = (1 << 48) - 1;

impl Window {
    fn read(words: &Words) -> Option<Self> {
        let (when_word, left_word) = (words.get(Word::WindowEnd), words.get(Word::WindowLeft));
        let sizes = words.get(Word::WindowSizes);
        let (tag, end) = unpack(when_word);
        let limit = sizes >> 32;
        let left = if (left_word >> 48) as u16 == tag { left_word & LEFT } else { limit };
        let length = Duration::from_millis(sizes & u64::from(u32::MAX));
        let sound = limit >= u64::from(LEAST_COUNT) && length >= CHECK_LEAST && length <= gate::MAX_SHUT;
        sound.then_some(Self { tag, end, left, when_word, left_word, limit, length })
    }

    /// Nothing that lies further ahead was written by a refusal.
    fn is_sound(&self, now: Timestamp) -> bool {
        self.end <= now.after(gate::MAX_SHUT).after(gate::ASKED_LATER) && self.end != Timestamp::default()
    }

    fn begin(&self) -> Timestamp {
        self.end.before(self.length)
    }

    /// Requests of this window up to this one.
    fn count(&self, number: u64) -> u16 {
        (number as u16).wrapping_sub(self.tag)
    }

    fn holds(&self, number: u64) -> bool {
        self.count(number).cast_signed() > 0
    }

    fn set_left(&self, words: &Words, left: u64) -> bool {
        words.swap(Word::WindowLeft, self.left_word, u64::from(self.tag) << 48 | left.min(LEFT))
    }

    fn set_end(&self, words: &Words, tag: u16, end: Timestamp) -> bool {
        words.swap(Word::WindowEnd, self.when_word, pack(tag, end))
    }
}

fn set_sizes(words: &Words, limit: u64, length: Duration) {
    let millis = u32::try_from(length.as_millis()).unwrap_or(u32::MAX);
    words.set(Word::WindowSizes, limit.min(u64::from(u32::MAX)) << 32 | u64::from(millis));
}

/// The window, if there is one: then there is no pace.
fn known(words: &Words, now: Timestamp) -> Option<(Known, Window)> {
    let known = Known::read(words)?;
    Some((known, Window::read(words).filter(|window| window.is_sound(now))?))
}

pub(crate) fn is_known(words: &Words, now: Timestamp) -> bool {
    known(words, now).is_some()
}

/// How many requests it allows in which time.
pub(crate) fn sizes(words: &Words, now: Timestamp) -> Option<(u64, Duration)> {
    known(words, now).map(|(_, window)| (window.limit, window.length))
}

/// When a request is due; `None` when nothing holds it back.
pub(crate) fn due(words: &Words, now: Timestamp) -> Option<Timestamp> {
    let (known, window) = known(words, now)?;
    blocked(&known, &window, words, now)
}

fn blocked(known: &Known, window: &Window, words: &Words, now: Timestamp) -> Option<Timestamp> {
    let end = window.end.after(IN_HAND);
    if now >= end {
        return None;
    }
    if window.left == 0 {
        let due = tries(known, window).map_or(end, |(due, _)| due);
        return Some(due).filter(|due| *due > now);
    }
    let alone = window.begin().after(ALONE);
    let first = window.holds(words.get(Word::Sends));
    (known.turned && !known.confirmed && first && now < alone).then_some(alone)
}

/// When somebody goes before the end although nothing is left, and what for.
fn tries(known: &Known, window: &Window) -> Option<(Timestamp, Role)> {
    if !known.checked {
        return Some((window.end.before(CHECK_LEAST.max(window.length / CHECK_PART)), Role::Checking));
    }
    let early = known.confirmed && !known.sliding && !known.tried && known.early() >= EXACT;
    early.then(|| (window.end.before(known.early() / 2), Role::Early))
}

/// Takes one of the count.
pub(crate) fn take(words: &Words, now: Timestamp) -> Result<Role, Timestamp> {
    for _ in 0..crate::pacing::ROUNDS {
        let Some((state, window)) = known(words, now) else { return Ok(Role::Counted) };
        if now >= window.end.after(IN_HAND) {
            if window.set_end(words, words.get(Word::Sends) as u16, now.after(window.length)) {
                turn_over(words, &state, &window);
            }
            continue;
        }
        if let Some(due) = blocked(&state, &window, words, now) {
            return Err(due);
        }
        if window.left > 0 {
            if window.set_left(words, window.left.saturating_sub(1)) {
                if state.sliding {
                    window.set_end(words, window.tag, now.after(window.length));
                }
                return Ok(Role::Counted);
            }
        } else if let Some((_, role)) = tries(&state, &window)
            && State::Known(state).swap(words, State::Known(state.trying(role)))
        {
            return Ok(role);
        }
    }
    Ok(Role::Counted)
}

/// Takes one of the count for a request that is sent whatever is left.
pub(crate) fn spend(words: &Words, now: Timestamp) {
    if let Some((_, window)) = known(words, now).filter(|(_, window)| window.left > 0) {
        // Whoever loses here is counted by its refusal.
        window.set_left(words, window.left.saturating_sub(1));
    }
}

/// A window is over: what it has shown about the limit, and what is tried in the next.
fn turn_over(words: &Words, known: &Known, old: &Window) {
    let held = known.refused == 0 && old.left == 0;
    let more = u64::from(known.more);
    let limit = if held { old.limit.saturating_add(more) } else { old.limit };
    set_sizes(words, limit, old.length);
    let windows = known.windows.saturating_add(1);
    let more = match more {
        0 if windows >= TRY_EACH => 1,
        more if held && more > 0 => more.saturating_mul(2).max(limit / RAISE),
        _ => 0,
    };
    Known::change(words, |known| {
        known.turned = true;
        known.windows = if more > 0 { 0 } else { windows };
        known.more = u16::try_from(more).unwrap_or(u16::MAX);
        known.refused = 0;
        // Who was killed before its end never comes back.
        (known.tried, known.trying) = (false, false);
        known.checked = true;
    });
    if let Some(window) = Window::read(words)
        && window.left == window.limit
    {
        window.set_left(words, limit.saturating_add(more).saturating_sub(u64::from(known.trying)));
    }
}

/// An accepted request.
pub(crate) fn accepted(words: &Words, ticket: &Ticket, now: Timestamp) {
    let Some((known, window)) = known(words, now) else { return };
    if matches!(ticket.role, Role::Doubting | Role::Checking) {
        return forget(words);
    }
    if ticket.role == Role::Early {
        let end = ticket.sent_at.after(window.length);
        if now < window.end && ticket.sent_at > window.begin() {
            // The next window has begun.
            if window.set_end(words, ticket.number.wrapping_sub(1) as u16, end) {
                turn_over(words, &known, &window);
            }
        } else if end < window.end {
            window.set_end(words, window.tag, end);
        }
        Known::change(words, |known| (known.early, known.trying) = (known.early / 2, false));
    } else if known.turned && !known.confirmed && window.holds(ticket.number) {
        Known::change(words, |known| (known.confirmed, known.failed) = (true, 0));
    }
}

fn forget(words: &Words) {
    words.set(Word::WindowState, 0);
}

#[cfg(test)]
mod tests;
