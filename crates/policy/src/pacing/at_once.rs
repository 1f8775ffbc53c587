//! A limit on what is in flight at once, that nobody tells.
//!
//! A rate is refused when a bucket is empty, whatever is in flight then. If as many requests were in flight at one
//! refusal as at the next, it is they that are limited: new ones wait until one returns, and nothing is paced.

use std::time::Duration;

use super::words::{Word, Words};
use crate::time::Timestamp;

/// So often in a row as many must have been in flight. By chance it happens to a slow server's bucket three times.
const AGREEING: u64 = 4;
/// So few are in flight at most refusals by a rate of a fast server.
const LEAST: u32 = 3;
/// So often in a row a refusal with less in flight than is allowed says that something else is limited.
const CONTRADICTIONS: u64 = 2;
/// One more is tried after so long without a refusal.
const CALM: Duration = Duration::from_secs(8);

/// Whether this refusal is about what is in flight. `others`: how much that was, the refused one excluded.
pub(crate) fn explains(words: &Words, others: Option<u32>, now: Timestamp) -> bool {
    let Some(others) = others else { return false };
    match words.at_once() {
        Some(most) if others >= most => learn(words, others, now),
        Some(_) if counted(words, 0) >= CONTRADICTIONS => forget(words),
        Some(_) if others >= LEAST => learn(words, others, now),
        Some(_) => forget(words),
        None => others >= LEAST && counted(words, others) >= AGREEING && begin(words, others, now),
    }
}

/// An answer: after a calm time one more is tried.
pub(crate) fn accepted(words: &Words, now: Timestamp) {
    let Some(most) = words.at_once() else { return };
    let due = words.get(Word::AtOnceCalm);
    if now.as_nanos() >= due && words.swap(Word::AtOnceCalm, due, now.after(CALM).as_nanos()) {
        words.swap(Word::AtOnce, u64::from(most), u64::from(most) + 1);
        words.set(Word::AtOnceSeen, 0);
    }
}

fn begin(words: &Words, most: u32, now: Timestamp) -> bool {
    words.set(Word::AtOnceSeen, 0);
    learn(words, most, now)
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

/// How often in a row this number has come up, now included: 32 bits of each.
fn counted(words: &Words, number: u32) -> u64 {
    let old = words.get(Word::AtOnceSeen);
    let (times, last) = (old >> 32, old as u32);
    let times = if last == number { times.saturating_add(1).min(u64::from(u32::MAX)) } else { 1 };
    words.set(Word::AtOnceSeen, (times << 32) | u64::from(number));
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Timestamp {
        Timestamp::from_nanos(1_000_000_000_000 + millis * 1_000_000)
    }

    fn learned(most: u32) -> Words {
        let words = Words::default();
        assert!((1..AGREEING).all(|_| !explains(&words, Some(most), at(0))));
        assert!(explains(&words, Some(most), at(0)));
        words
    }

    #[test]
    fn learned_from_refusals_in_a_row_that_agree() {
        let words = Words::default();
        for (others, explained) in
            [(5, false), (5, false), (4, false), (5, false), (5, false), (5, false), (5, true)]
        {
            assert_eq!(explains(&words, Some(others), at(0)), explained);
        }
        assert_eq!(words.at_once(), Some(5));
    }

    #[test]
    fn not_with_next_to_nothing_in_flight_or_when_nobody_counts() {
        for others in [Some(0), Some(2), None] {
            let words = Words::default();
            assert!((0..5).all(|_| !explains(&words, others, at(0))));
            assert_eq!(words.at_once(), None);
        }
    }

    #[test]
    fn one_more_is_tried_when_it_is_calm_and_refused_again() {
        let words = learned(4);
        accepted(&words, at(7_999));
        assert_eq!(words.at_once(), Some(4));
        accepted(&words, at(8_000));
        accepted(&words, at(8_001));
        assert_eq!(words.at_once(), Some(5));
        assert!(explains(&words, Some(4), at(8_100)));
        assert_eq!(words.at_once(), Some(4));
    }

    #[test]
    fn forgotten_when_less_is_refused_twice_in_a_row() {
        let words = learned(8);
        assert!(explains(&words, Some(7), at(0)));
        assert_eq!(words.at_once(), Some(7));
        assert!(!explains(&words, Some(6), at(0)));
        assert_eq!(words.at_once(), None);
        let words = learned(8);
        assert!(!explains(&words, Some(1), at(0)));
        assert_eq!(words.at_once(), None);
    }
}
