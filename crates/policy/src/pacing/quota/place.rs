//! The words of one quota.

use std::time::Duration;

use crate::{
    pacing::words::{Word, Words},
    quota_headers::{Kind, Quota, Unit},
    time::Timestamp,
};

/// A quota that nobody told of for so long gives its place to another.
const IDLE: Duration = Duration::from_secs(60 * 60);

const HEAD: usize = 0;
/// What is left, by kind.
pub(super) const LEFT: usize = 1;
/// When there is more; of a bucket: when it was last told of.
pub(super) const WHEN: usize = 2;
/// How much there can be, and the rate or the length of the window.
const SIZES: usize = 3;

const MARK_BITS: u32 = 13;

/// The four words of one quota.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    words: &'a Words,
    first: usize,
}

/// The first of them: 16 bits for the quota's name, 3 for what it is, 13 for the numbers that were told last, and 32
/// for the number of the request whose answer told them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) id: u16,
    pub(super) ignored: bool,
    pub(super) counts_tokens: bool,
    pub(super) kind: Kind,
    pub(super) mark: u16,
    pub(super) number: u32,
}

/// What a quota said when it was doubted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Doubt {
    pub(super) place: usize,
    pub(super) mark: u16,
}

impl Head {
    /// As request `number` told it. What is ignored stays so until it says something else.
    pub(super) fn new(quota: &Quota, old: Option<Self>, number: u64) -> Self {
        let mark = mark(quota);
        Self {
            id: quota.id,
            ignored: old.is_some_and(|old| old.ignored && old.mark == mark),
            counts_tokens: quota.unit != Unit::Requests,
            kind: quota.kind,
            mark,
            number: number as u32,
        }
    }

    /// No quota has the id 0.
    fn of(word: u64) -> Option<Self> {
        (word >> 48 != 0).then_some(Self {
            id: (word >> 48) as u16,
            ignored: word >> 47 & 1 == 1,
            counts_tokens: word >> 46 & 1 == 1,
            kind: if word >> 45 & 1 == 1 { Kind::Window } else { Kind::Full },
            mark: (word >> 32) as u16 & ((1 << MARK_BITS) - 1),
            number: word as u32,
        })
    }

    fn word(self) -> u64 {
        u64::from(self.id) << 48
            | u64::from(self.ignored) << 47
            | u64::from(self.counts_tokens) << 46
            | u64::from(self.kind == Kind::Window) << 45
            | u64::from(self.mark) << 32
            | u64::from(self.number)
    }

    pub(super) const fn doubt(self, place: usize) -> Doubt {
        Doubt { place, mark: self.mark }
    }

    /// Whether request `number` was sent after the one that told this. Numbers may have begun anew.
    pub(super) const fn is_before(self, number: u64) -> bool {
        (number as u32).wrapping_sub(self.number).cast_signed() > 0
    }
}

/// Tells the numbers of an answer from others.
fn mark(quota: &Quota) -> u16 {
    // Fibonacci hashing (Knuth, The Art of Computer Programming, vol. 3, section 6.4).
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let limit = quota.limit.unwrap_or(u64::MAX).wrapping_mul(GOLDEN).rotate_left(32);
    ((limit ^ quota.remaining).wrapping_mul(GOLDEN) >> (64 - MARK_BITS)) as u16
}

impl<'a> Place<'a> {
    pub(super) const fn new(words: &'a Words, number: usize) -> Self {
        Self { words, first: Word::Quotas as usize + number * Word::QUOTA_WORDS }
    }

    /// The place of a quota, and what it was told last; a free one if it has none yet.
    pub(super) fn of(words: &'a Words, id: u16, now: Timestamp) -> Option<(Self, Option<Head>)> {
        let all = || (0..Word::QUOTAS).map(|number| Self::new(words, number));
        let own = all().find_map(|place| Some((place, Some(place.head().filter(|head| head.id == id)?))));
        own.or_else(|| {
            let free = all().find(|place| place.head().is_none_or(|head| place.is_idle(head, now)))?;
            Some((free, None))
        })
    }

    pub(super) fn head(self) -> Option<Head> {
        Head::of(self.get(HEAD))
    }

    pub(super) fn swap_head(self, old: Head, new: Head) -> bool {
        self.swap(HEAD, old.word(), new.word())
    }

    /// Puts a head there if `old` still is; without an old one, whatever is there.
    pub(super) fn put_head(self, old: Option<Head>, new: Head) -> bool {
        let there = old.map_or_else(|| self.get(HEAD), Head::word);
        if old.is_none() {
            self.set_sizes(0.0, 0.0);
            self.words.set_at(self.first + LEFT, 0);
            self.words.set_at(self.first + WHEN, 0);
        }
        self.swap(HEAD, there, new.word())
    }

    fn is_idle(self, head: Head, now: Timestamp) -> bool {
        let at = match head.kind {
            Kind::Full => Timestamp::from_nanos(self.get(WHEN)),
            Kind::Window => super::super::gate::unpack(self.get(WHEN)).1,
        };
        now.since(at) > IDLE
    }

    /// How many requests were sent, as far as a tag tells.
    pub(super) fn sent(self) -> u16 {
        self.words.get(Word::Sends) as u16
    }

    pub(super) fn get(self, word: usize) -> u64 {
        self.words.get_at(self.first + word)
    }

    pub(super) fn set(self, word: usize, value: u64) {
        self.words.set_at(self.first + word, value);
    }

    pub(super) fn swap(self, word: usize, old: u64, new: u64) -> bool {
        self.words.swap_at(self.first + word, old, new)
    }

    /// Two numbers that are finite and not negative; anything else is 0.
    pub(super) fn sizes(self) -> (f64, f64) {
        let word = self.get(SIZES);
        let read = |bits: u32| {
            let value = f64::from(f32::from_bits(bits));
            if value.is_finite() && value > 0.0 { value } else { 0.0 }
        };
        (read((word >> 32) as u32), read(word as u32))
    }

    pub(super) fn set_sizes(self, size: f64, other: f64) {
        let bits = |value: f64| u64::from((value as f32).to_bits());
        self.set(SIZES, bits(size) << 32 | bits(other));
    }
}
