//! The row of words that holds what is known of one key, and how a word is read and changed.
//!
//! Any word may hold anything: other processes write them, and one of them may have been killed. So
//! nothing read from here is trusted to be finite, in range, or in step with another word.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// How many words one key has.
pub const WORDS: usize = 80;

/// The knowledge of one key. All zeros: nothing is known.
#[derive(Debug)]
#[repr(transparent)]
pub struct Words([AtomicU64; WORDS]);

impl Default for Words {
    fn default() -> Self {
        Self([const { AtomicU64::new(0) }; WORDS])
    }
}

/// What each word means. Instants are in nanoseconds, amounts in [`units`], rates in units per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Word {
    /// `epoch | not-before`, see [`super::gate`].
    Gate,
    /// When the scout's role is free again.
    Scout,
    /// When a scout was last refused.
    ScoutRefused,
    /// The least that was refused since the gate is shut (units): what costs less may pass, one at a time.
    GateUnits,
    /// Until when a person's request waits for the next slot.
    Web,
    /// Which scope of this account was refused last, and when: 16 and 48 bits as in the gate.
    RefusedScope,

    /// The instant up to which the pace is used up, see [`super::pace`].
    Used,
    /// The rate that is run at (f64).
    Pace,
    /// The rate that refusals have told (f64).
    Rate,
    /// The last of them that was measured well (f64).
    GoodRate,
    Mode,
    /// 1: nothing was accepted between the last two refusals.
    Nothing,
    /// When the next probe may begin.
    ProbeAt,
    /// When the last refusal came that no probe had asked for.
    Unexpected,
    /// When the last reaction's refused request was sent: the server's bucket was empty then.
    EmptyAt,
    /// What had been accepted up to then: [`Word::Sent`] less [`Word::Refused`].
    EmptyAccepted,
    /// Which of the marks is the newest.
    NewestMark,
    /// What was accepted up to the first refusal (units), and how long that took (ns).
    FirstAccepted,
    FirstTook,
    /// Since when requests came without a long pause.
    BusySince,
    /// [`Word::Sent`] at that instant.
    BusySent,
    LastSent,

    /// Units sent and refused since the beginning.
    Sent,
    Refused,

    /// For people: requests, not units.
    Sends,
    Accepts,
    Refusals,
    /// Nanoseconds that requests of this key were held back.
    Held,
    /// The key of the bucket that the server named for this scope.
    Alias,

    /// A window learned from Retry-After: see [`super::window`].
    WindowState,
    WindowEnd,
    WindowLeft,
    WindowSizes,

    /// How long the request waits that others let go first, and until when they do: 16 and 48 bits as in the gate.
    Elder,
    /// Tokens asked for since the beginning, as guessed.
    Tokens,
    /// What they cost against that (f64).
    TokenRatio,

    /// The most that may be in flight (0: no limit known), see [`super::at_once`].
    AtOnce,
    /// How much was in flight at the last slow refusals, and how often in a row.
    AtOnceSeen,
    /// When one more may be tried.
    AtOnceCalm,

    /// Later instants, and what had been accepted up to each: see [`super::measure`].
    Marks,
    /// Quotas of [`Word::QUOTA_WORDS`] words each, see [`super::quota`].
    Quotas = Self::Marks as usize + Self::MARKS * Self::MARK_WORDS,
}

impl Word {
    pub(crate) const MARKS: usize = 6;
    pub(crate) const MARK_WORDS: usize = 2;
    pub(crate) const QUOTAS: usize = 4;
    pub(crate) const QUOTA_WORDS: usize = 4;
}

const _: () = assert!(Word::Quotas as usize + Word::QUOTAS * Word::QUOTA_WORDS <= WORDS);

impl Words {
    /// The one word that a rate of the caller's own limit needs.
    #[must_use]
    pub fn of_rate(&self) -> &[AtomicU64] {
        self.0.get(Word::Used as usize..=Word::Used as usize).unwrap_or_default()
    }

    /// Another key that stands for this one; 0: none does.
    #[must_use]
    pub fn alias(&self) -> u64 {
        self.get(Word::Alias)
    }

    pub fn set_alias(&self, key: u64) {
        self.set(Word::Alias, key);
    }

    /// The most that may be in flight at once; `None`: no such limit is known.
    #[must_use]
    pub fn at_once(&self) -> Option<u32> {
        u32::try_from(self.get(Word::AtOnce)).ok().filter(|most| *most > 0)
    }

    /// Whether what is in flight is worth counting: something was refused.
    #[must_use]
    pub fn counts_in_flight(&self) -> bool {
        self.get(Word::Refusals) > 0
    }

    /// Whether what a request cost in tokens is worth knowing.
    #[must_use]
    pub fn counts_tokens(&self) -> bool {
        super::quota::counts_tokens(self)
    }

    /// A request of this key was held back so long.
    pub fn add_held(&self, held: Duration) {
        self.add(Word::Held, crate::time::nanos(held));
    }

    /// A request was sent under a limit of the caller's own.
    pub fn count_sent(&self) {
        self.add(Word::Sends, 1);
    }

    fn word(&self, index: usize) -> &AtomicU64 {
        // In range for every `Word` and quota by the assertion above.
        self.0.get(index).unwrap_or(&self.0[0])
    }

    pub(crate) fn get(&self, word: Word) -> u64 {
        self.get_at(word as usize)
    }

    pub(crate) fn set(&self, word: Word, value: u64) {
        self.set_at(word as usize, value);
    }

    pub(crate) fn get_at(&self, index: usize) -> u64 {
        self.word(index).load(Relaxed)
    }

    pub(crate) fn set_at(&self, index: usize, value: u64) {
        self.word(index).store(value, Relaxed);
    }

    /// Puts `new` there if `old` still is.
    pub(crate) fn swap(&self, word: Word, old: u64, new: u64) -> bool {
        self.swap_at(word as usize, old, new)
    }

    pub(crate) fn swap_at(&self, index: usize, old: u64, new: u64) -> bool {
        self.word(index).compare_exchange(old, new, Relaxed, Relaxed).is_ok()
    }

    /// Adds and returns the sum.
    pub(crate) fn add(&self, word: Word, amount: u64) -> u64 {
        self.word(word as usize).fetch_add(amount, Relaxed).wrapping_add(amount)
    }

    /// Takes off, down to 0.
    pub(crate) fn lower(&self, word: Word, amount: u64) {
        self.lower_at(word as usize, amount);
    }

    pub(crate) fn lower_at(&self, index: usize, amount: u64) {
        let _ = self.word(index).fetch_update(Relaxed, Relaxed, |old| Some(old.saturating_sub(amount)));
    }

    /// A number that is finite and not negative; anything else is 0.
    pub(crate) fn number(&self, word: Word) -> f64 {
        let value = f64::from_bits(self.get(word));
        if value.is_finite() && value > 0.0 { value } else { 0.0 }
    }

    pub(crate) fn set_number(&self, word: Word, value: f64) {
        self.set(word, value.to_bits());
    }

    /// Raises a number from what it was when read; whoever changed it meanwhile wins.
    pub(crate) fn change_number(&self, word: Word, old: f64, new: f64) -> bool {
        self.swap(word, old.to_bits(), new.to_bits())
    }
}

/// Units of an amount of cost: thousandths, so that sums are exact and no number grows out of 64 bits.
const UNIT: f64 = 1000.0;

/// What a request costs where requests are counted.
pub(crate) const ONE: u64 = UNIT as u64;

/// A cost in units, at least one of them.
pub(crate) fn units(cost: f64) -> u64 {
    // `as` saturates and takes NaN for zero.
    // To the nearest: `round` would be a call of libm.
    ((cost * UNIT + 0.5) as u64).clamp(1, 1 << 50)
}

/// Units as a cost.
pub(crate) fn cost(units: u64) -> f64 {
    units as f64 / UNIT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_reads_as_zero() {
        let words = Words::default();
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -0.0, 0.0] {
            words.set_number(Word::Pace, value);
            assert_eq!(words.number(Word::Pace), 0.0);
        }
        words.set_number(Word::Pace, 0.25);
        assert_eq!(words.number(Word::Pace), 0.25);
    }

    #[test]
    fn amounts() {
        for (amount, expected) in
            [(1.0, 1000), (0.5, 500), (0.0, 1), (f64::NAN, 1), (-3.0, 1), (1e300, 1 << 50), (2.9999, 3000)]
        {
            assert_eq!(units(amount), expected, "{amount}");
        }
        assert_eq!(cost(2500), 2.5);
    }
}
