//! What the shared memory looks like, and how a slot and a ring in it are found or taken.
//!
//! All of it is atomic words. No value read here is trusted: another process of the same user may have written
//! anything at any time. No step must be undone: who is killed between two of them leaves at most some words of
//! the arena that nobody will use.

use std::sync::atomic::{
    AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

use super::label::{LABEL_WORDS, Label};

pub(super) use policy::pacing::{WORDS, Words};

/// To be raised with each change of what any word means, those of [`Words`] included. It is in the file's name too:
/// two versions of this library run side by side.
pub(super) const LAYOUT: u64 = 1;

pub(super) const SLOTS: usize = 4096;

/// The longest sliding log.
pub(super) const MAX_RING: u32 = 1000;

const ARENA_WORDS: usize = 2 * 1024 * 1024 / size_of::<AtomicU64>();
const HEADER_WORDS: usize = 4096 / size_of::<AtomicU64>();
const HEADER_USED: usize = 11;

/// In this machine's order of bytes, so that the other order is another magic.
pub(super) const MAGIC: u64 = u64::from_be_bytes(*b"retryclt");

#[derive(Debug)]
#[repr(C)]
pub(super) struct Layout {
    header: Header,
    slots: [SlotWords; SLOTS],
    arena: [AtomicU64; ARENA_WORDS],
}

#[derive(Debug)]
#[repr(C)]
struct Header {
    magic: AtomicU64,
    layout: AtomicU64,
    boot: [AtomicU64; 2],
    size: AtomicU64,
    slots: AtomicU64,
    words: AtomicU64,
    creator: AtomicU64,
    secret: [AtomicU64; 2],
    /// Words of the arena that are given away.
    arena_used: AtomicU64,
    unused: [AtomicU64; HEADER_WORDS - HEADER_USED],
}

#[derive(Debug)]
#[repr(C)]
pub(super) struct SlotWords {
    /// 0: free. Once set it stays.
    key: AtomicU64,
    /// Where its ring begins in the arena, and how many words that has: 32 bits each. 0: it has none.
    ring: AtomicU64,
    /// The first is written last; while it is 0 there is no label.
    label: [AtomicU64; LABEL_WORDS],
    pub(super) words: Words,
}

pub(super) const SIZE: usize = size_of::<Layout>();

const _: () = {
    assert!(size_of::<Header>() == 4096 && align_of::<Layout>() == 8);
    // Whole cache lines: two keys share none.
    assert!(size_of::<SlotWords>() == 128 + 8 * WORDS && size_of::<SlotWords>().is_multiple_of(64));
    assert!(SIZE == 4096 + SLOTS * size_of::<SlotWords>() + 2 * 1024 * 1024);
};

/// What a file must say of itself to be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stamp {
    pub layout: u64,
    pub boot: [u64; 2],
    /// The user that the file belongs to.
    pub creator: u32,
}

impl Layout {
    /// To be called before anybody else can see this memory, which is all zeros.
    pub(super) fn begin(&self, stamp: &Stamp, secret: [u64; 2]) {
        let header = &self.header;
        for (word, value) in header.stamped().into_iter().zip(stamp.values()) {
            word.store(value, Relaxed);
        }
        for (word, value) in header.secret.iter().zip(secret) {
            word.store(value, Relaxed);
        }
    }

    pub(super) fn has(&self, stamp: &Stamp) -> bool {
        self.header.stamped().into_iter().zip(stamp.values()).all(|(word, value)| word.load(Relaxed) == value)
    }

    pub(super) fn secret(&self) -> [u64; 2] {
        self.header.secret.each_ref().map(|word| word.load(Relaxed))
    }

    #[expect(clippy::indexing_slicing, reason = "the remainder is within")]
    pub(super) fn slot(&self, index: usize) -> &SlotWords {
        &self.slots[index % SLOTS]
    }

    /// The slot of this key. It is looked for from where the key points on; as none is ever freed, a free one ends
    /// the search.
    #[cfg(test)]
    pub(super) fn find(&self, key: u64) -> Option<usize> {
        probes(key)
            .map(|index| (index, self.slot(index).key()))
            .take_while(|(_, found)| *found != 0)
            .find_map(|(index, found)| (found == key).then_some(index))
    }

    /// The same, taking the first free slot for it. `None`: all are taken.
    pub(super) fn find_or_take(&self, key: u64) -> Option<usize> {
        probes(key).find(|index| self.slot(*index).is_or_becomes(key))
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = usize> {
        self.slots.iter().enumerate().filter(|(_, slot)| slot.key() != 0).map(|(index, _)| index)
    }

    /// The ring of a slot, of zeros when it is new. `None`: the arena is used up, or something else wrote here.
    pub(super) fn ring(&self, slot: &SlotWords, count: u32) -> Option<&[AtomicU64]> {
        if count == 0 || count > MAX_RING {
            return None;
        }
        let known = match slot.ring.load(Acquire) {
            0 => {
                let taken = self.take_from_arena(count)?;
                // Who loses here leaves what it took unused.
                slot.ring.compare_exchange(0, taken, AcqRel, Acquire).map_or_else(|first| first, |_| taken)
            }
            known => known,
        };
        let (from, length) = (usize::try_from(known >> 32).ok()?, known & u64::from(u32::MAX));
        let to = from.checked_add(count as usize)?;
        self.arena.get(from..to).filter(|_| length == u64::from(count))
    }

    fn take_from_arena(&self, count: u32) -> Option<u64> {
        let end = |from: u64| from.checked_add(u64::from(count)).filter(|end| *end <= ARENA_WORDS as u64);
        // Nothing but the number itself passes from one process to the other.
        let from = self.header.arena_used.fetch_update(Relaxed, Relaxed, end).ok()?;
        Some(from << 32 | u64::from(count))
    }
}

impl Header {
    fn stamped(&self) -> [&AtomicU64; 8] {
        let [boot, boot_rest] = &self.boot;
        [&self.magic, &self.layout, boot, boot_rest, &self.size, &self.slots, &self.words, &self.creator]
    }
}

impl Stamp {
    fn values(&self) -> [u64; 8] {
        let [boot, boot_rest] = self.boot;
        let sizes = [SIZE, SLOTS, WORDS].map(|size| size as u64);
        let [size, slots, words] = sizes;
        [MAGIC, self.layout, boot, boot_rest, size, slots, words, u64::from(self.creator)]
    }
}

impl SlotWords {
    pub(super) fn key(&self) -> u64 {
        // Nothing is published with it: all the rest of a slot means something as zeros.
        self.key.load(Relaxed)
    }

    fn is_or_becomes(&self, key: u64) -> bool {
        match self.key() {
            0 => match self.key.compare_exchange(0, key, Relaxed, Relaxed) {
                Ok(_) => true,
                Err(first) => first == key,
            },
            found => found == key,
        }
    }

    pub(super) fn label(&self) -> Label {
        let [first, rest @ ..] = &self.label;
        // Acquire: with the first word come the others, see `complete_label`.
        let first = first.load(Acquire);
        let mut words = [first; LABEL_WORDS];
        for (word, source) in words.iter_mut().skip(1).zip(rest) {
            *word = if first == 0 { 0 } else { source.load(Relaxed) };
        }
        Label::decode(&words)
    }

    /// Writes the label if whoever took this slot did not come to it.
    pub(super) fn complete_label(&self, label: impl FnOnce() -> Label) {
        let [first, rest @ ..] = &self.label;
        if first.load(Relaxed) != 0 {
            return;
        }
        let [begin, end @ ..] = label().encode();
        for (word, value) in rest.iter().zip(end) {
            word.store(value, Relaxed);
        }
        first.store(begin, Release);
    }
}

/// All slots, from the one that a key points to on.
fn probes(key: u64) -> impl Iterator<Item = usize> {
    // Keys are hashes: their lower bits are as good as any.
    let start = key as usize % SLOTS;
    (start..SLOTS).chain(0..start)
}
