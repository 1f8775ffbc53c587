//! The request that waits longest for a quota, and that others let go first.
//!
//! One that costs much would wait for ever if all that flows in went to those that cost little. So who has waited long
//! says so, in one word and only for a moment: whoever is killed is not waited for.

use std::time::Duration;

use super::{
    gate::{ASKED_LATER, pack, unpack},
    words::{Word, Words},
};
use crate::time::Timestamp;

/// So long it holds. Who waits for a quota looks again twice as often.
const LEASE: Duration = Duration::from_millis(50);
/// Waits are compared by this.
const STEP_MILLIS: u128 = 100;

fn steps(waited: Duration) -> u16 {
    u16::try_from(waited.as_millis() / STEP_MILLIS).unwrap_or(u16::MAX)
}

/// Says that somebody has waited so long, unless another has waited longer.
pub(crate) fn stand(words: &Words, waited: Duration, now: Timestamp) {
    let old = words.get(Word::Elder);
    let own = steps(waited);
    if standing(old, now).is_none_or(|(longest, _)| longest <= own) {
        words.swap(Word::Elder, old, pack(own, now.after(LEASE)));
    }
}

/// When to look again if somebody has waited longer than this.
pub(crate) fn before(words: &Words, waited: Duration, now: Timestamp) -> Option<Timestamp> {
    let (longest, until) = standing(words.get(Word::Elder), now)?;
    (longest > steps(waited)).then_some(until.min(now.after(LEASE / 2)))
}

/// What lies further ahead than any lease was not written by one.
fn standing(word: u64, now: Timestamp) -> Option<(u16, Timestamp)> {
    let (longest, until) = unpack(word);
    (until > now && until <= now.after(LEASE).after(ASKED_LATER)).then_some((longest, until))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Timestamp {
        Timestamp::from_nanos(1_000_000_000_000 + millis * 1_000_000)
    }

    #[test]
    fn who_waited_longer_goes_first() {
        let (words, long, longer) = (Words::default(), Duration::from_secs(8), Duration::from_secs(9));
        assert_eq!(before(&words, Duration::ZERO, at(0)), None);
        stand(&words, long, at(0));
        assert_eq!(before(&words, Duration::ZERO, at(1)), Some(at(26)));
        assert_eq!(before(&words, long, at(1)), None);
        stand(&words, longer, at(10));
        stand(&words, long, at(20));
        assert_eq!(before(&words, long, at(40)), Some(at(60)));
        // Killed.
        assert_eq!(before(&words, long, at(60)), None);
        words.set(Word::Elder, u64::MAX);
        assert_eq!(before(&words, Duration::ZERO, at(0)), None);
    }
}
