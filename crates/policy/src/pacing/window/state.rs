//! How far a window is known: one word, so that each step is one compare-and-swap.

use std::time::Duration;

use super::Role;
use crate::{
    pacing::words::{Word, Words},
    time::{Timestamp, nanos},
};

/// What is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Unknown,
    /// A refusal named this end: what comes after it is watched.
    Awaited {
        end: Timestamp,
    },
    /// The first request after it was sent at `since`.
    Watched {
        since: Timestamp,
    },
    Known(Known),
}

/// What is known of a window besides its end, its length and its limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    /// The true end lies up to so much (ms) before the supposed one.
    pub(super) early: u16,
    /// Requests of this window that were refused.
    pub(super) refused: u16,
    /// How many more than the limit are tried in this window.
    pub(super) more: u16,
    /// Windows since more was tried.
    pub(super) windows: u8,
    /// Ends in a row that came too soon.
    pub(super) failed: u8,
    /// A window has followed the one it was learned in.
    pub(super) turned: bool,
    /// And something in it was accepted.
    pub(super) confirmed: bool,
    /// Each request is free again one length after it was sent, not all of them at once.
    pub(super) sliding: bool,
    /// Somebody has gone long before the first end.
    pub(super) checked: bool,
    /// In this window somebody has gone before the supposed end.
    pub(super) tried: bool,
    /// And is not back.
    pub(super) trying: bool,
}

const PHASE_SHIFT: u32 = 62;
const MICROS: u64 = (1 << 48) - 1;

impl State {
    pub(super) fn read(words: &Words) -> Self {
        Self::of(words.get(Word::WindowState))
    }

    fn of(word: u64) -> Self {
        let at = Timestamp::from_nanos((word & MICROS).saturating_mul(1000));
        match word >> PHASE_SHIFT {
            0 => Self::Unknown,
            1 => Self::Awaited { end: at },
            2 => Self::Watched { since: at },
            _ => Self::Known(Known::of(word)),
        }
    }

    fn word(self) -> u64 {
        let pack = |phase: u64, at: Timestamp| phase << PHASE_SHIFT | (at.as_nanos() / 1000).min(MICROS);
        match self {
            Self::Unknown => 0,
            Self::Awaited { end } => pack(1, end),
            Self::Watched { since } => pack(2, since),
            Self::Known(known) => 3 << PHASE_SHIFT | known.word(),
        }
    }

    pub(super) fn swap(self, words: &Words, new: Self) -> bool {
        words.swap(Word::WindowState, self.word(), new.word())
    }
}

impl Known {
    const fn of(word: u64) -> Self {
        Self {
            early: word as u16,
            refused: (word >> 16) as u16,
            more: (word >> 32) as u16,
            windows: (word >> 48) as u8 & 15,
            failed: (word >> 52) as u8 & 15,
            confirmed: word >> 56 & 1 == 1,
            tried: word >> 57 & 1 == 1,
            trying: word >> 58 & 1 == 1,
            turned: word >> 59 & 1 == 1,
            sliding: word >> 60 & 1 == 1,
            checked: word >> 61 & 1 == 1,
        }
    }

    fn word(self) -> u64 {
        u64::from(self.early)
            | u64::from(self.refused) << 16
            | u64::from(self.more) << 32
            | u64::from(self.windows.min(15)) << 48
            | u64::from(self.failed.min(15)) << 52
            | u64::from(self.confirmed) << 56
            | u64::from(self.tried) << 57
            | u64::from(self.trying) << 58
            | u64::from(self.turned) << 59
            | u64::from(self.sliding) << 60
            | u64::from(self.checked) << 61
    }

    pub(super) fn read(words: &Words) -> Option<Self> {
        match State::read(words) {
            State::Known(known) => Some(known),
            _ => None,
        }
    }

    pub(super) fn change(words: &Words, change: impl Fn(&mut Self)) {
        // Whoever loses this often is one of very many: another's change is as good.
        for _ in 0..8 {
            let Some(old) = Self::read(words) else { return };
            let mut new = old;
            change(&mut new);
            if State::Known(old).swap(words, State::Known(new)) {
                return;
            }
        }
    }

    /// The same once somebody has gone.
    pub(super) fn trying(self, role: Role) -> Self {
        match role {
            Role::Checking => Self { checked: true, ..self },
            _ => Self { tried: true, trying: true, ..self },
        }
    }

    pub(super) const fn early(self) -> Duration {
        Duration::from_millis(self.early as u64)
    }
}

pub(super) fn millis(stretch: Duration) -> u16 {
    u16::try_from(nanos(stretch) / 1_000_000).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_holds_all() {
        let at = Timestamp::from_nanos(1_234_567_000);
        let known = Known {
            early: 500,
            refused: 9,
            more: 1,
            windows: 7,
            failed: 2,
            turned: true,
            confirmed: true,
            sliding: true,
            checked: false,
            tried: true,
            trying: false,
        };
        for state in [
            State::Unknown,
            State::Awaited { end: at },
            State::Watched { since: at },
            State::Known(known),
            State::Known(Known { trying: true, ..Known::default() }),
        ] {
            assert_eq!(State::of(state.word()), state);
        }
        assert_eq!(State::of(0), State::Unknown);
    }
}
