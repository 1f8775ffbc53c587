//! What is known about limits, asked before each send and told of each answer.
//!
//! The deciding is `policy::pacing`; here is where its words are kept, how a request finds those it is under, and the
//! places that are counted by locks.

mod key;
mod line;
pub(crate) mod stats;
mod store;
mod told;
mod turn;

#[cfg(test)]
mod tests;

use std::{
    cell::{OnceCell, RefCell},
    collections::BTreeSet,
    path::PathBuf,
    rc::Rc,
    sync::RwLock,
};

pub(crate) use line::Head;
pub(crate) use turn::Turn;

use store::{Slot, Store};

/// Where the knowledge is kept: php.ini's `retry_client.shared_memory`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SharedMemory {
    /// One file per user in /dev/shm.
    Auto,
    /// Each process keeps its own.
    None,
    /// A folder, or the file itself.
    At(PathBuf),
}

static PLACE: RwLock<SharedMemory> = RwLock::new(SharedMemory::Auto);

/// Says where, before the first call. Nothing is opened yet.
pub fn keep_state_at(place: SharedMemory) {
    if let Ok(mut current) = PLACE.write() {
        *current = place;
    }
}

/// The knowledge that one thread has at hand, or one virtual clock.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pacing(Rc<Stores>);

#[derive(Debug, Default)]
struct Stores {
    /// Of this process only: what is not to be shared, or finds no room.
    own: OnceCell<Store>,
    shared: OnceCell<Store>,
    /// Nothing is shared with anybody: a virtual clock's.
    is_private: bool,
    /// The keys of the shared memory that this process has used.
    used: RefCell<BTreeSet<u64>>,
    lines: line::Lines,
}

impl Pacing {
    /// For a virtual clock: shared with no other.
    pub(crate) fn private() -> Self {
        Self(Rc::new(Stores { is_private: true, ..Stores::default() }))
    }

    fn own(&self) -> &Store {
        self.0.own.get_or_init(Store::local)
    }

    fn store(&self, share: bool) -> &Store {
        if !share || self.0.is_private {
            return self.own();
        }
        self.0.shared.get_or_init(|| {
            let place = PLACE.read().map_or(SharedMemory::None, |place| place.clone());
            Store::open(&place)
        })
    }

    /// The slot of a key, with `words` of its own beside; of this process only where the shared memory is full.
    fn slot(&self, share: bool, key: u64, words: u32, label: impl Fn() -> store::Label) -> Option<Slot> {
        let has_room = |slot: &Slot| words == 0 || slot.ring(words).is_some();
        let slot = self.store(share).slot(key, &label).filter(has_room);
        if let Some(slot) = &slot {
            self.0.used.borrow_mut().insert(slot.key());
        }
        slot.or_else(|| self.own().slot(key, label).filter(has_room))
    }
}
