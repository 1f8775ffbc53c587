//! The learned pace: a virtual bucket that is empty at one instant and refills at the pace.
//!
//! One word says up to when the pace is used up. A request of cost c is due c / pace after that, and takes it by
//! moving the word on by as much. So whoever sleeps, dies or loses the race owes nothing.

use std::time::Duration;

use super::{
    gate,
    words::{Word, Words, cost},
};
use crate::time::{Timestamp, from_seconds};

/// Time that nobody used is kept up to so many slots, and half of what the server's bucket holds: timers are late,
/// and what they lose would be lost for good. The server has these tokens, for its bucket was not used either.
const MAX_KEPT_SLOTS: f64 = 4.0;

/// No pace is slower than one in an hour or faster than this.
pub(crate) const PACES: (f64, f64) = (1.0 / 3600.0, 1e9);

/// The pace in cost per second; `None` while nothing is known.
pub(crate) fn pace(words: &Words) -> Option<f64> {
    let pace = words.number(Word::Pace);
    (pace > 0.0).then(|| pace.clamp(PACES.0, PACES.1))
}

/// The size of the server's bucket as far as it is known, at least 1.
pub(crate) fn burst(words: &Words) -> f64 {
    burst_at(words, words.number(Word::Rate))
}

/// The same, if the rate is this: up to the first refusal the server accepted what the bucket held and what was
/// refilled meanwhile.
pub(crate) fn burst_at(words: &Words, rate: f64) -> f64 {
    let took = Duration::from_nanos(words.get(Word::FirstTook)).as_secs_f64();
    (cost(words.get(Word::FirstAccepted)) - rate * took).clamp(1.0, 1e9)
}

/// One slot's length.
pub(crate) fn slot(pace: f64) -> Duration {
    from_seconds(1.0 / pace)
}

/// When a request of so many units is due; `None` when nothing holds it back.
pub(crate) fn due(words: &Words, units: u64, now: Timestamp) -> Option<Timestamp> {
    let pace = pace(words)?;
    Some(Timestamp::from_nanos(used(words, now)).after(from_seconds(cost(units) / pace)))
}

/// Up to when the pace is used up. What lies further ahead than any gate was not written by a refusal: it is now, from
/// now on.
fn used(words: &Words, now: Timestamp) -> u64 {
    let used = words.get(Word::Used);
    if used <= now.after(gate::MAX_SHUT.saturating_mul(2)).as_nanos() {
        return used;
    }
    words.swap(Word::Used, used, now.as_nanos());
    now.as_nanos()
}

/// Takes the slot, if it is due. Says whether others had used the pace up to shortly before.
pub(crate) fn take(words: &Words, units: u64, now: Timestamp) -> Result<bool, Timestamp> {
    let Some(pace) = pace(words) else { return Ok(false) };
    let needed = from_seconds(cost(units) / pace);
    let slot = slot(pace);
    let kept = slot.mul_f64(((burst(words) - 1.0) / 2.0).clamp(0.0, MAX_KEPT_SLOTS));
    loop {
        let old = used(words, now);
        let due = Timestamp::from_nanos(old).after(needed);
        if due > now {
            return Err(due);
        }
        let earliest = now.before(needed.saturating_add(kept));
        let new = Timestamp::from_nanos(old).max(earliest).after(needed);
        if words.swap(Word::Used, old, new.as_nanos()) {
            return Ok(due.after(slot.saturating_mul(2)) > now);
        }
    }
}

/// What was taken is not used after all.
pub(crate) fn give_back(words: &Words, units: u64) {
    if let Some(pace) = pace(words) {
        words.lower(Word::Used, crate::time::nanos(from_seconds(cost(units) / pace)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: u64 = 1_000_000_000_000;

    fn at(millis: u64) -> Timestamp {
        Timestamp::from_nanos(T + millis * 1_000_000)
    }

    #[test]
    fn slots_follow_each_other_and_none_is_kept_without_a_burst() {
        let words = Words::default();
        assert_eq!(take(&words, 1000, at(0)), Ok(false));
        words.set_number(Word::Pace, 10.0);
        words.set(Word::Used, T);
        assert_eq!(take(&words, 1000, at(99)), Err(at(100)));
        assert_eq!(take(&words, 1000, at(100)), Ok(true));
        assert_eq!(take(&words, 1000, at(150)), Err(at(200)));
        // Late by half a slot: the next is a whole slot after it.
        assert_eq!(take(&words, 1000, at(250)), Ok(true));
        assert_eq!(take(&words, 1000, at(349)), Err(at(350)));
        // Long after, one at once.
        assert_eq!(take(&words, 1000, at(5000)), Ok(false));
        assert_eq!(take(&words, 1000, at(5001)), Err(at(5100)));
    }

    #[test]
    fn with_a_burst_what_timers_lose_is_caught_up_with() {
        let words = Words::default();
        words.set_number(Word::Pace, 10.0);
        words.set(Word::FirstAccepted, 5000);
        words.set(Word::Used, T);
        assert_eq!(take(&words, 1000, at(150)), Ok(true));
        assert_eq!(take(&words, 1000, at(200)), Ok(true));
        assert_eq!(take(&words, 1000, at(299)), Err(at(300)));
    }

    #[test]
    fn garbage_holds_nobody_up() {
        let words = Words::default();
        words.set_number(Word::Pace, 10.0);
        words.set(Word::Used, u64::MAX);
        assert_eq!(due(&words, 1000, at(0)), Some(at(100)));
        assert_eq!(take(&words, 1000, at(100)), Ok(true));
        words.set_number(Word::Pace, f64::from_bits(1));
        assert_eq!(pace(&words), Some(PACES.0));
    }

    #[test]
    fn a_cost_waits_as_long_as_it_refills() {
        let words = Words::default();
        words.set_number(Word::Pace, 10.0);
        words.set(Word::Used, T);
        assert_eq!(take(&words, 30_000, at(2999)), Err(at(3000)));
        assert_eq!(take(&words, 1000, at(2999)), Ok(false));
    }
}
