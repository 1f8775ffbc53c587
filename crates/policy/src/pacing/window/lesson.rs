//! What refusals say about a window.

use std::time::Duration;

use super::{
    IN_HAND, LEAST_COUNT, Role, SAME, TRY_EACH, Window, forget, set_sizes,
    state::{Known, State, millis},
};
use crate::{
    pacing::{
        Ticket,
        gate::{self, pack},
        words::{Word, Words},
    },
    time::{Timestamp, from_seconds},
};

/// A token bucket makes wait for one request, rounded up to a second. So only longer waits may be for a window.
const LEAST_WAIT: Duration = Duration::from_secs(2);
/// Of shorter ones whole seconds do not tell the rest from the same wait again.
const LEAST_LENGTH: Duration = Duration::from_secs(3);
/// The tags of so many more would be the same.
const MOST_COUNT: u16 = 1 << 14;
/// A length so near to whole seconds is meant so.
const NEAR: f64 = 0.1;
/// Any other is taken for this longer, because its first request came late.
const LATE: Duration = Duration::from_millis(10);
/// So many ends in a row that came too soon show that it is no window.
const MOST_FAILED: u8 = 3;
/// One more is tried in the second window already: what came first may have been less than all.
const TRY_SOON: u8 = TRY_EACH - 2;

/// A request is about to be sent: is it the first after an end that was named?
pub(crate) fn sent(words: &Words, now: Timestamp) {
    let old = State::read(words);
    if let State::Awaited { end } = old
        && now >= end
    {
        if now.since(end) > SAME {
            // A bucket may have filled meanwhile.
            old.swap(words, State::Unknown);
            return;
        }
        // Until a window is known this word says how many had been sent before it.
        words.set(Word::WindowLeft, words.get(Word::Sends));
        old.swap(words, State::Watched { since: now });
    }
}

/// A refused request. Says whether the window accounts for it: then it teaches nothing else.
pub(crate) fn refused(words: &Words, ticket: &Ticket, wish: Option<Duration>, now: Timestamp) -> bool {
    let Some(wish) = wish.filter(|wish| *wish <= gate::MAX_SHUT) else {
        forget(words);
        return false;
    };
    let state = State::read(words);
    match state {
        State::Unknown => {
            if wish >= LEAST_WAIT {
                state.swap(words, State::Awaited { end: now.after(wish) });
            }
            false
        }
        State::Awaited { end } => {
            let named = now.after(wish);
            if wish >= LEAST_WAIT && named < end {
                state.swap(words, State::Awaited { end: named });
            }
            // A scout that hears the same end again has learned nothing about a rate.
            ticket.scout && named.since(end).max(end.since(named)) <= SAME
        }
        State::Watched { since } => learn(words, ticket, wish, since, now),
        State::Known(known) => correct(words, ticket, wish, &known, now),
    }
}

/// The first refusals after the end that was named.
fn learn(words: &Words, ticket: &Ticket, wish: Duration, since: Timestamp, now: Timestamp) -> bool {
    let state = State::Watched { since };
    if since > now {
        // Nobody has written that.
        state.swap(words, State::Unknown);
    }
    if ticket.sent_at < since {
        return false;
    }
    let sends = words.get(Word::Sends);
    let sent = sends.saturating_sub(words.get(Word::WindowLeft));
    let count = u16::try_from(sent).ok().filter(|count| *count < MOST_COUNT).unwrap_or(0).saturating_sub(1);
    let length = length(now.after(wish).since(since), wish);
    let used_up_soon = ticket.sent_at.since(since) <= wish.saturating_mul(2);
    if count < LEAST_COUNT || wish < LEAST_WAIT || !used_up_soon || length < LEAST_LENGTH {
        state.swap(words, State::Awaited { end: now.after(wish) });
        return false;
    }
    let tag = (sends as u16).wrapping_sub(count.saturating_add(1));
    set_sizes(words, u64::from(count), length);
    words.set(Word::WindowLeft, u64::from(tag) << 48);
    words.set(Word::WindowEnd, pack(tag, since.after(length)));
    let early = if wish.subsec_nanos() == 0 { millis(SAME) } else { 0 };
    let known = Known { early, refused: 1, windows: TRY_SOON, ..Known::default() };
    if !state.swap(words, State::Known(known)) {
        return false;
    }
    // From here on the window holds the requests back, to a better end.
    gate::reopen(words, now);
    true
}

/// From the first request to the named end. Whole seconds were rounded up.
fn length(seen: Duration, wish: Duration) -> Duration {
    let seconds = seen.as_secs_f64();
    let near = seconds.round();
    if wish.subsec_nanos() == 0 {
        return from_seconds((seconds + NEAR / 2.0).floor());
    }
    if (seconds - near).abs() <= NEAR { from_seconds(near) } else { seen.saturating_add(LATE) }
}

/// A refusal while a window is known.
fn correct(words: &Words, ticket: &Ticket, wish: Duration, known: &Known, now: Timestamp) -> bool {
    let named = now.after(wish);
    let window = Window::read(words).filter(|window| {
        // One that ends much later is about something else, or the server always names the same wait.
        window.is_sound(now)
            && (named <= window.end.after(SAME.saturating_mul(2)) || !window.holds(ticket.number))
    });
    let Some(window) = window else {
        forget(words);
        return false;
    };
    match ticket.role {
        Role::Checking if named > window.end.after(SAME).after(IN_HAND) => {
            forget(words);
            return false;
        }
        Role::Early => {
            Known::change(words, |known| (known.early, known.trying) = (known.early / 2, false));
        }
        Role::Counted if window.holds(ticket.number) => {
            let refused = known.refused.saturating_add(1);
            Known::change(words, |known| known.refused = refused);
            window.set_left(words, 0);
            let accepted = window.count(words.get(Word::Sends)).saturating_sub(refused);
            return count(words, &window, known, (u64::from(accepted), wish), named);
        }
        Role::Doubting if window.holds(ticket.number) => {
            Known::change(words, |known| known.refused = known.refused.saturating_add(1));
        }
        _ => {}
    }
    true
}

/// So many were accepted in this window before the refusal.
fn count(
    words: &Words,
    window: &Window,
    known: &Known,
    (accepted, wish): (u64, Duration),
    named: Timestamp,
) -> bool {
    if accepted < window.limit / 2 && wish <= SAME {
        // Those that were sent with the first such are back, too.
        return known.refused > 0 || too_soon(words, window, named, accepted);
    }
    if accepted < u64::from(LEAST_COUNT) || accepted < window.limit / 2 {
        forget(words);
        return false;
    }
    set_sizes(words, accepted, window.length);
    if named < window.end {
        window.set_end(words, window.tag, named);
    }
    true
}

/// The window was not over yet.
fn too_soon(words: &Words, window: &Window, named: Timestamp, accepted: u64) -> bool {
    let Some(known) = Known::read(words) else { return false };
    if known.failed >= MOST_FAILED {
        forget(words);
        return false;
    }
    Known::change(words, |known| {
        known.failed = known.failed.saturating_add(1);
        known.sliding |= known.confirmed && accepted > 0;
    });
    if !known.confirmed && known.early > 0 {
        // The seconds were rounded up.
        set_sizes(words, window.limit, window.length.saturating_add(SAME));
    }
    window.set_end(words, window.tag, named);
    true
}
