//! The memory that the processes of a machine share: words for each key, rings for sliding logs, and places that
//! the kernel frees. It decides nothing.
//!
//! The file belongs to one user, and whoever is that user may write anything to it; so it is read with suspicion
//! and never waited for. Where there can be no file, the same is done in memory of this process.

mod file;
mod label;
mod layout;
mod places;
mod reason;
mod recent;
mod region;
mod slot;
mod target;

#[cfg(test)]
pub(super) mod tests;

use std::{
    cell::{Cell, RefCell},
    hash::{DefaultHasher, Hash, Hasher},
    path::PathBuf,
    rc::Rc,
    time::Duration,
};

use policy::Timestamp;
use rand::Rng;

pub(crate) use label::Label;
pub(crate) use places::PlaceKind;
pub(crate) use slot::{Place, Slot};

use super::SharedMemory;
use crate::{clock, fork, random};
use layout::LAYOUT;
use places::{Places, Range};
use reason::Reason;
use recent::Recent;
use region::Region;
use target::{Identity, Target};

/// After so long the path is looked at again: the file may have been deleted or replaced. (systemd does so when
/// the user's last session ends.)
const LOOK_AGAIN: Duration = Duration::from_secs(5);

/// The first time sooner, for what several processes did at once when they started.
const LOOK_FIRST: Duration = Duration::from_millis(100);

/// Members beyond these are not counted.
const MAX_MEMBERS: u32 = 65_536;

/// What one thread has open.
#[derive(Clone, Debug)]
pub(crate) struct Store(Rc<Opened>);

#[derive(Debug)]
struct Opened {
    choice: SharedMemory,
    layout: u64,
    memory: RefCell<Option<Rc<Memory>>>,
    reason: RefCell<Option<Reason>>,
    /// Of the process that opened the memory: a child opens its own.
    generation: Cell<u32>,
    look_at: Cell<Timestamp>,
}

/// One mapping, kept alive by all that refers to it: after the file was replaced, calls under way go on with the
/// old one.
#[derive(Debug)]
struct Memory {
    region: Region,
    /// Read once: keys must not change when somebody overwrites it.
    secret: [u64; 2],
    places: Places,
    recent: Recent,
    file: Option<(PathBuf, Identity)>,
    /// Something found no room in it.
    is_full: Cell<bool>,
}

#[derive(Clone, Debug)]
pub(crate) struct About {
    /// `None`: this process keeps what it knows to itself.
    pub(crate) path: Option<PathBuf>,
    /// Why it does, why a file that lost its name is not made anew, or what of a file is not shared.
    pub(crate) reason: Option<String>,
    /// How many share it; threads count too.
    pub(crate) processes: u32,
    /// Something did not find room.
    pub(crate) full: bool,
    #[cfg(test)]
    pub(crate) keys: u32,
}

impl Store {
    pub(crate) fn open(choice: &SharedMemory) -> Self {
        Self::open_layout(choice, LAYOUT)
    }

    /// Memory of this process only.
    pub(crate) fn local() -> Self {
        Self::open(&SharedMemory::None)
    }

    fn open_layout(choice: &SharedMemory, layout: u64) -> Self {
        let opened = Opened {
            choice: choice.clone(),
            layout,
            memory: RefCell::new(None),
            reason: RefCell::new(None),
            generation: Cell::new(fork::generation()),
            look_at: Cell::new(clock::roughly_now().after(LOOK_FIRST)),
        };
        opened.renew(true);
        Self(Rc::new(opened))
    }

    /// The slot of a key, made if there is none. The key must be the same number in every process; what is kept is
    /// a hash of it that nobody can foresee. `None`: all slots are taken.
    ///
    /// A slot stays valid for as long as it is held, but belongs to the file as it was: ask again after a wait.
    pub(crate) fn slot(&self, key: u64, label: impl FnOnce() -> Label) -> Option<Slot> {
        let memory = self.0.current()?;
        let Some(index) = memory.find_or_take(key) else {
            memory.is_full.set(true);
            return None;
        };
        memory.region.slot(index).complete_label(label);
        Some(Slot { memory, index })
    }

    /// The slot of a key that some process has used.
    #[cfg(test)]
    pub(crate) fn find(&self, key: u64) -> Option<Slot> {
        let memory = self.0.current()?;
        let index = memory.region.find(memory.keyed(key))?;
        Some(Slot { memory, index })
    }

    /// All slots in use, for people to see.
    pub(crate) fn slots(&self) -> impl Iterator<Item = Slot> + use<> {
        let memory = self.0.current();
        let indices: Vec<usize> = memory.iter().flat_map(|memory| memory.region.keys()).collect();
        indices
            .into_iter()
            .zip(std::iter::repeat(memory))
            .filter_map(|(index, memory)| Some(Slot { memory: memory?, index }))
    }

    pub(crate) fn about(&self) -> About {
        let memory = self.0.current();
        let file = memory.as_ref().and_then(|memory| memory.file.as_ref());
        let told = |reason: &Reason| (!matches!(reason, Reason::Chosen)).then(|| reason.to_string());
        let unlocked = || {
            let memory = memory.as_ref()?;
            let (path, _) = memory.file.as_ref()?;
            let refusal = memory.places.refusal()?;
            Some(format!(
                "cannot lock {}: {refusal}; what waits and is in flight is counted per process",
                path.display()
            ))
        };
        let reason = self.0.reason.borrow().as_ref().and_then(told).or_else(unlocked);
        About {
            path: file.map(|(path, _)| path.clone()),
            reason,
            processes: memory.as_ref().map_or(1, |memory| memory.places.taken(Range::MEMBERS).max(1)),
            full: memory.as_ref().is_none_or(|memory| memory.is_full.get()),
            #[cfg(test)]
            keys: self.slots().count() as u32,
        }
    }
}

impl Opened {
    fn current(&self) -> Option<Rc<Memory>> {
        let now = clock::roughly_now();
        let is_child = self.generation.get() != fork::generation();
        if is_child || now >= self.look_at.get() {
            self.look_at.set(now.after(LOOK_AGAIN));
            self.generation.set(fork::generation());
            self.renew(is_child);
        }
        self.memory.borrow().clone()
    }

    /// Makes sure that the memory is the file that the path names; `anew`: that what is open is not used further.
    fn renew(&self, anew: bool) {
        let before = self.memory.borrow().clone().filter(|_| !anew);
        let opened = Target::of(&self.choice, self.layout).and_then(|target| {
            match before.as_ref().filter(|memory| memory.is_still(&target)) {
                Some(memory) => Ok(Rc::clone(memory)),
                None => Memory::shared(target, self.layout).map(Rc::new),
            }
        });
        let (memory, reason) = match opened {
            Ok(memory) => (Some(memory), None),
            Err(reason) => (before.or_else(|| Memory::local().map(Rc::new)), Some(reason)),
        };
        self.reason.replace(reason);
        // The old one may close files: not while it is lent.
        let before = self.memory.replace(memory);
        drop(before);
    }
}

impl Memory {
    fn shared(target: Target, layout: u64) -> Result<Self, Reason> {
        let shared = file::open(&target, layout)?;
        let places = Places::of(shared.locks);
        // Held until the file is closed.
        places.take(Range::MEMBERS, MAX_MEMBERS);
        let secret = shared.region.secret();
        let file = Some((target.path, shared.identity));
        let (recent, is_full) = Default::default();
        Ok(Self { region: shared.region, secret, places, recent, file, is_full })
    }

    /// `None` where not even that can be had.
    fn local() -> Option<Self> {
        let secret = random::with(|rng| [rng.next_u64(), rng.next_u64()]);
        let (region, places) = (Region::local().ok()?, Places::default());
        let (recent, is_full) = Default::default();
        Some(Self { region, secret, places, recent, file: None, is_full })
    }

    fn is_still(&self, target: &Target) -> bool {
        let named = file::named(target);
        let is_named =
            |(path, identity): &(PathBuf, Identity)| *path == target.path && named == Some(*identity);
        self.file.as_ref().is_some_and(is_named) && self.places.are_intact()
    }

    fn find_or_take(&self, key: u64) -> Option<usize> {
        self.recent.find(&self.region, key).or_else(|| {
            let keyed = self.keyed(key);
            let index = self.region.find_or_take(keyed)?;
            self.recent.note(key, keyed, index);
            Some(index)
        })
    }

    /// What a key is in this memory; never 0.
    fn keyed(&self, key: u64) -> u64 {
        // SipHash; `DefaultHasher` takes no key of its own.
        let mut state = DefaultHasher::new();
        (self.secret, key).hash(&mut state);
        state.finish().max(1)
    }
}
