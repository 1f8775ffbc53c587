//! A limit on what is in flight at once, that nobody tells.
//!
//! Refusals while the rate is far below what was good before are not about a rate. If as many requests were in flight
//! each time, that many are allowed, and new ones wait until one returns.

use std::time::Duration;

use super::{
    Ticket,
    words::{Word, Words, cost},
};
use crate::time::{Timestamp, from_seconds};

/// So often in a row as many must have been in flight.
const AGREEING: u64 = 2;
/// A refusal at more than this part of the last good rate may be about the rate.
const PART_OF_GOOD: f64 = 0.5;
/// A refusal with less than this part of the learned number in flight has another reason.
const PART_OF_MOST: u32 = 2;
/// One more is tried after so long without a refusal.
const CALM: Duration = Duration::from_secs(30);

/// Whether this refusal is about what is in flight. `others`: how much that was, the refused one excluded.
pub(crate) fn explains(words: &Words, ticket: &Ticket, others: Option<u32>, now: Timestamp) -> bool {
    let Some(others) = others.filter(|others| *others > 0) else { return false };
    match words.at_once() {
        Some(most) if others < most / PART_OF_MOST => forget(words),
        Some(_) => learn(words, others, now),
        None => is_slow(words, ticket) && agrees(words, others) && learn(words, others, now),
    }
}

/// An answer: after a calm time one more is tried.
pub(crate) fn accepted(words: &Words, now: Timestamp) {
    let Some(most) = words.at_once() else { return };
    let due = words.get(Word::AtOnceCalm);
    if now.as_nanos() >= due && words.swap(Word::AtOnceCalm, due, now.after(CALM).as_nanos()) {
        words.swap(Word::AtOnce, u64::from(most), u64::from(most) + 1);
    }
}

fn learn(words: &Words, most: u32, now: Timestamp) -> bool {
    words.set(Word::AtOnce, u64::from(most));
    words.set(Word::AtOnceCalm, now.after(CALM).as_nanos());
    true
}

fn forget(words: &Words) -> bool {
    words.set(Word::AtOnce, 0);
    words.set(Word::AtOnceSeen, 0);
    false
}

/// Counts how often in a row as many were in flight: 32 bits of each.
fn agrees(words: &Words, others: u32) -> bool {
    let old = words.get(Word::AtOnceSeen);
    let (times, last) = (old >> 32, old as u32);
    let times = if last == others { times.saturating_add(1).min(AGREEING) } else { 1 };
    words.set(Word::AtOnceSeen, (times << 32) | u64::from(others));
    times >= AGREEING
}

/// Whether what was accepted since the last refusal came far slower than it did before.
fn is_slow(words: &Words, ticket: &Ticket) -> bool {
    let sent = ticket.serial.saturating_sub(ticket.units).saturating_sub(words.get(Word::EmptySent));
    let refused = words.get(Word::Refused).saturating_sub(words.get(Word::EmptyRefused));
    let since = ticket.sent_at.since(Timestamp::from_nanos(words.get(Word::EmptyAt)));
    let seconds = since.max(from_seconds(1e-3)).as_secs_f64();
    let good = words.number(Word::GoodRate);
    good > 0.0 && cost(sent.saturating_sub(refused)) / seconds < good * PART_OF_GOOD
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Timestamp {
        Timestamp::from_nanos(1_000_000_000_000 + millis * 1_000_000)
    }

    /// A second after the last refusal, 20 a second were good and this many have been accepted.
    fn after(accepted: u64) -> (Words, Ticket) {
        let words = Words::default();
        words.set_number(Word::GoodRate, 20.0);
        words.set(Word::EmptyAt, at(0).as_nanos());
        let units = accepted * 1000 + 1000;
        words.set(Word::Sent, units);
        (words, Ticket { sent_at: at(1000), units: 1000, serial: units, ..Ticket::default() })
    }

    #[test]
    fn learned_from_slow_refusals_that_agree() {
        let (words, ticket) = after(9);
        assert!(!explains(&words, &ticket, Some(5), at(1000)));
        assert!(!explains(&words, &ticket, Some(4), at(1000)));
        assert_eq!(words.at_once(), None);
        assert!(explains(&words, &ticket, Some(4), at(1000)));
        assert_eq!(words.at_once(), Some(4));
        assert!(explains(&words, &ticket, Some(3), at(1000)));
        assert_eq!(words.at_once(), Some(3));
    }

    #[test]
    fn not_from_refusals_at_a_good_rate_or_with_nothing_in_flight() {
        for (accepted, others) in [(10, Some(4)), (9, Some(0)), (9, None)] {
            let (words, ticket) = after(accepted);
            for _ in 0..5 {
                assert!(!explains(&words, &ticket, others, at(1000)));
            }
            assert_eq!(words.at_once(), None);
        }
        let (words, ticket) = after(9);
        words.set(Word::GoodRate, 0);
        assert!((0..5).all(|_| !explains(&words, &ticket, Some(4), at(1000))));
    }

    #[test]
    fn one_more_is_tried_when_it_is_calm() {
        let (words, ticket) = after(9);
        explains(&words, &ticket, Some(4), at(1000));
        explains(&words, &ticket, Some(4), at(1000));
        accepted(&words, at(30_999));
        assert_eq!(words.at_once(), Some(4));
        accepted(&words, at(31_000));
        accepted(&words, at(31_001));
        assert_eq!(words.at_once(), Some(5));
    }

    #[test]
    fn forgotten_when_few_in_flight_are_refused() {
        let (words, ticket) = after(9);
        learn(&words, 8, at(0));
        assert!(!explains(&words, &ticket, Some(3), at(1000)));
        assert_eq!(words.at_once(), None);
    }
}
