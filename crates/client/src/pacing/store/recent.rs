//! Where the keys used last are, so that they need not be hashed and looked for again.

use std::cell::Cell;

use super::layout::Layout;

const ENTRIES: usize = 16;

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    /// What the key is in this memory; 0: no entry.
    keyed: u64,
    index: usize,
}

#[derive(Debug, Default)]
pub(super) struct Recent([Cell<Entry>; ENTRIES]);

impl Recent {
    pub(super) fn find(&self, layout: &Layout, key: u64) -> Option<usize> {
        let entry = self.entry(key).get();
        // Somebody may have overwritten the memory since.
        let is_there = || layout.slot(entry.index).key() == entry.keyed;
        (entry.keyed != 0 && entry.key == key && is_there()).then_some(entry.index)
    }

    pub(super) fn note(&self, key: u64, keyed: u64, index: usize) {
        self.entry(key).set(Entry { key, keyed, index });
    }

    #[expect(clippy::indexing_slicing, reason = "the remainder is within")]
    fn entry(&self, key: u64) -> &Cell<Entry> {
        // Keys are hashes: their lower bits are as good as any.
        &self.0[key as usize % ENTRIES]
    }
}
