//! One key's part of the memory.

use std::{ops::Deref, rc::Rc, sync::atomic::AtomicU64};

use super::{
    Label, Memory, PlaceKind,
    layout::{SlotWords, Words},
    places::Range,
};

/// The words of one key, and what else is kept for it.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(super) memory: Rc<Memory>,
    pub(super) index: usize,
}

impl Slot {
    pub(crate) fn words(&self) -> &Words {
        &self.within().words
    }

    pub(crate) fn label(&self) -> Label {
        self.within().label()
    }

    /// Names the key; nothing can be read back from it.
    pub(crate) fn key(&self) -> u64 {
        self.within().key()
    }

    /// Its number, the same in all processes that share the file.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// `count` words, all zeros at first. The count must be the same whenever the slot is used. `None`: no room is
    /// left, or more than 1000 are asked for.
    pub(crate) fn ring(&self, count: u32) -> Option<&[AtomicU64]> {
        let ring = self.memory.region.ring(self.within(), count);
        if ring.is_none() {
            self.memory.is_full.set(true);
        }
        ring
    }

    /// Takes one of `limit` places, or says at once that all are taken.
    pub(crate) fn place(&self, kind: PlaceKind, limit: u32) -> Option<Place> {
        let range = Range::of(kind, self.index);
        let number = self.memory.places.take(range, limit)?;
        Some(Place { memory: Rc::clone(&self.memory), range, number })
    }

    /// The same where others may take places up to other limits. Of two who ask at the same instant both may get one.
    pub(crate) fn place_among_all(&self, kind: PlaceKind, limit: u32) -> Option<Place> {
        // Whoever has a place beyond these has one of as many, too.
        let is_full = limit < u32::MAX && self.taken(kind) >= limit;
        if is_full { None } else { self.place(kind, limit) }
    }

    /// How many places of a kind are taken, by all processes.
    pub(crate) fn taken(&self, kind: PlaceKind) -> u32 {
        self.memory.places.taken(Range::of(kind, self.index))
    }

    pub(super) fn within(&self) -> &SlotWords {
        self.memory.region.slot(self.index)
    }
}

impl Deref for Slot {
    type Target = Words;

    fn deref(&self) -> &Words {
        self.words()
    }
}

/// A place that is taken until this is dropped, or its process ends in any way.
#[derive(Debug)]
pub(crate) struct Place {
    memory: Rc<Memory>,
    range: Range,
    number: u32,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.memory.places.give_back(self.range, self.number);
    }
}
