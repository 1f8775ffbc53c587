//! The gate of a key: shut until an instant after a refusal, and the scout that may find out sooner.
//!
//! One word, `epoch | not-before`: 16 bits that count the reactions to refusals, and 48 bits of
//! microseconds. A request remembers the epoch it was sent in. A refusal of a request sent before the
//! last reaction tells nothing new about the rate, but what it names still moves the gate.

use std::time::Duration;

use super::words::{Word, Words};
use crate::time::Timestamp;

/// No refusal is believed for longer.
pub const MAX_SHUT: Duration = Duration::from_secs(60 * 60);

/// How long a scout keeps others from going. A refusal comes fast, an accepted request may take minutes.
const SCOUT_LEASE: Duration = Duration::from_secs(1);

/// Another process may have read the clock so much later than this one: it is stopped in between, or both run on
/// different processors.
pub(crate) const ASKED_LATER: Duration = Duration::from_secs(1);

const MICROS_BITS: u32 = 48;
const MICROS: u64 = (1 << MICROS_BITS) - 1;

/// What the gate's word says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gate {
    pub(crate) epoch: u16,
    pub(crate) not_before: Timestamp,
}

/// 16 bits of a tag and an instant, cut to the microsecond: less than the way to a server takes.
pub(crate) fn pack(tag: u16, at: Timestamp) -> u64 {
    (u64::from(tag) << MICROS_BITS) | (at.as_nanos() / 1000).min(MICROS)
}

pub(crate) fn unpack(word: u64) -> (u16, Timestamp) {
    ((word >> MICROS_BITS) as u16, Timestamp::from_nanos((word & MICROS).saturating_mul(1000)))
}

impl Gate {
    pub(crate) fn read(words: &Words) -> Self {
        Self::of(words.get(Word::Gate))
    }

    fn of(word: u64) -> Self {
        let (epoch, not_before) = unpack(word);
        Self { epoch, not_before }
    }

    fn word(self) -> u64 {
        pack(self.epoch, self.not_before)
    }

    /// Until when it is shut. What lies further ahead than any refusal is believed was not written by one.
    pub(crate) fn shut(self, now: Timestamp) -> Option<Timestamp> {
        let latest = now.after(MAX_SHUT).after(ASKED_LATER);
        (self.not_before > now && self.not_before <= latest).then_some(self.not_before)
    }
}

/// Shuts the gate until `until` at least. A later time that stands there already stays.
pub(crate) fn shut(words: &Words, until: Timestamp, now: Timestamp) {
    loop {
        let old = words.get(Word::Gate);
        let gate = Gate::of(old);
        if gate.shut(now).is_some_and(|shut| shut >= until) {
            return;
        }
        if words.swap(Word::Gate, old, Gate { not_before: until, ..gate }.word()) {
            return;
        }
    }
}

/// Shuts the gate in answer to a refusal of a request of epoch `epoch`, and begins the next epoch. Only the first
/// refusal of an epoch does: any other is told no.
pub(crate) fn react(words: &Words, epoch: u16, until: Timestamp, now: Timestamp) -> bool {
    let old = words.get(Word::Gate);
    let gate = Gate::of(old);
    let not_before = gate.shut(now).map_or(until, |shut| shut.max(until));
    let new = Gate { epoch: epoch.wrapping_add(1), not_before };
    // Who fails has lost to another refusal, or to what moved the gate: both know enough.
    gate.epoch == epoch && words.swap(Word::Gate, old, new.word())
}

/// Remembers how little was too much, before the gate is shut for it.
pub(crate) fn note_size(words: &Words, units: u64, now: Timestamp) {
    let is_shut = Gate::read(words).shut(now).is_some();
    let least = if is_shut { words.get(Word::GateUnits).min(units) } else { units };
    words.set(Word::GateUnits, least);
}

/// A request that was sent through the shut gate was taken: the gate opens.
pub(crate) fn reopen(words: &Words, now: Timestamp) {
    let old = words.get(Word::Gate);
    let gate = Gate::of(old);
    if gate.shut(now).is_some() {
        // Whoever changed it meanwhile knew something newer.
        words.swap(Word::Gate, old, Gate { not_before: now, ..gate }.word());
        // The others come back paced from here on.
        if words.get(Word::Used) > now.as_nanos() {
            words.set(Word::Used, now.as_nanos());
        }
    }
}

/// Until when somebody is out to find out whether the gate opens.
pub(crate) fn scouting(words: &Words, now: Timestamp) -> Option<Timestamp> {
    let until = Timestamp::from_nanos(words.get(Word::Scout));
    (until > now && until <= now.after(SCOUT_LEASE).after(ASKED_LATER)).then_some(until)
}

/// Takes the scout's role, if nobody has it.
pub(crate) fn become_scout(words: &Words, now: Timestamp) -> bool {
    let old = words.get(Word::Scout);
    scouting(words, now).is_none() && words.swap(Word::Scout, old, now.after(SCOUT_LEASE).as_nanos())
}

/// Gives the role up: the scout is back, refused or not.
pub(crate) fn scout_is_back(words: &Words, refused: bool, now: Timestamp) {
    if refused {
        words.set(Word::ScoutRefused, now.as_nanos());
    }
    words.set(Word::Scout, 0);
}

/// When a scout was last refused; a time that is still to come was written by nobody.
pub(crate) fn scout_refused(words: &Words, now: Timestamp) -> Option<Timestamp> {
    let at = words.get(Word::ScoutRefused);
    (at != 0 && at <= now.after(ASKED_LATER).as_nanos()).then_some(Timestamp::from_nanos(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Timestamp {
        Timestamp::from_nanos(1_000_000_000_000 + millis * 1_000_000)
    }

    #[test]
    fn a_word_holds_both() {
        for (tag, nanos, back) in
            [(0, 0, 0), (1, 1999, 1000), (u16::MAX, 5_000_000, 5_000_000), (7, u64::MAX, MICROS * 1000)]
        {
            assert_eq!(unpack(pack(tag, Timestamp::from_nanos(nanos))), (tag, Timestamp::from_nanos(back)));
        }
    }

    #[test]
    fn one_reaction_per_epoch_and_the_latest_time_stays() {
        let words = Words::default();
        assert_eq!(Gate::read(&words).shut(at(0)), None);
        assert!(react(&words, 0, at(500), at(0)));
        assert_eq!(Gate::read(&words), Gate { epoch: 1, not_before: at(500) });
        // An echo moves the gate and nothing else, and never back.
        assert!(!react(&words, 0, at(900), at(10)));
        shut(&words, at(900), at(10));
        shut(&words, at(700), at(20));
        assert_eq!(Gate::read(&words), Gate { epoch: 1, not_before: at(900) });
        assert_eq!(Gate::read(&words).shut(at(899)), Some(at(900)));
        assert_eq!(Gate::read(&words).shut(at(900)), None);
        reopen(&words, at(100));
        assert_eq!(Gate::read(&words), Gate { epoch: 1, not_before: at(100) });
    }

    #[test]
    fn what_no_refusal_can_have_written_is_open() {
        let words = Words::default();
        words.set(Word::Gate, u64::MAX);
        assert_eq!(Gate::read(&words).shut(at(0)), None);
        shut(&words, at(500), at(0));
        assert_eq!(Gate::read(&words).shut(at(0)), Some(at(500)));
        words.set(Word::Scout, u64::MAX);
        assert_eq!(scouting(&words, at(0)), None);
    }

    #[test]
    fn one_scout_at_a_time_and_not_for_longer_than_a_second() {
        let words = Words::default();
        assert!(become_scout(&words, at(0)));
        assert!(!become_scout(&words, at(999)));
        assert!(become_scout(&words, at(1000)));
        scout_is_back(&words, true, at(1100));
        assert_eq!(scout_refused(&words, at(1200)), Some(at(1100)));
        assert!(become_scout(&words, at(1200)));
    }
}
