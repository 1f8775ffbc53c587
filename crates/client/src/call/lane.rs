//! The lane that the calls of a batch share: so many of them are in flight at once, and one that waits for its turn
//! or its retry is not.

use std::{
    cell::{Cell, RefCell},
    sync::Arc,
};

use policy::Timestamp;
use slab::Slab;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

#[derive(Debug)]
pub struct Lane {
    width: usize,
    free: Arc<Semaphore>,
    /// Until when calls wait.
    waits: RefCell<Slab<Timestamp>>,
    limited: Cell<u64>,
    /// A call waits that has not waited before: there may be room for another.
    has_moved: Cell<bool>,
}

impl Lane {
    /// At least one call at once, at most [`MAX_WIDTH`](Self::MAX_WIDTH).
    #[must_use]
    pub fn new(width: usize) -> Self {
        let width = width.clamp(1, Self::MAX_WIDTH);
        Self {
            width,
            free: Arc::new(Semaphore::new(width)),
            waits: RefCell::default(),
            limited: Cell::new(0),
            has_moved: Cell::new(false),
        }
    }

    pub const MAX_WIDTH: usize = Semaphore::MAX_PERMITS;

    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many calls wait, and hold no place in flight.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waits.borrow().len()
    }

    /// Whether none is in flight.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.free.available_permits() == self.width
    }

    /// Until when the first of them waits, on the clock of [`runtime::now`](crate::runtime::now).
    #[must_use]
    pub fn waiting_until(&self) -> Option<Timestamp> {
        self.waits.borrow().iter().map(|(_, until)| *until).min()
    }

    /// How many 429s have come.
    #[must_use]
    pub fn limited(&self) -> u64 {
        self.limited.get()
    }

    pub(super) fn count_limited(&self) {
        self.limited.set(self.limited.get().saturating_add(1));
    }

    /// Waits for a place in flight. First come, first served.
    pub(super) async fn enter(&self) -> Option<OwnedSemaphorePermit> {
        // Never closed.
        Arc::clone(&self.free).acquire_owned().await.ok()
    }

    pub(crate) fn take_moved(&self) -> bool {
        self.has_moved.take()
    }

    pub(super) fn wait(&self, until: Timestamp) -> Waiting<'_> {
        self.has_moved.set(true);
        Waiting { lane: self, place: self.waits.borrow_mut().insert(until) }
    }
}

/// One call that waits.
#[derive(Debug)]
pub(super) struct Waiting<'a> {
    lane: &'a Lane,
    place: usize,
}

impl Waiting<'_> {
    pub(super) fn set(&self, until: Timestamp) {
        if let Some(own) = self.lane.waits.borrow_mut().get_mut(self.place) {
            *own = until;
        }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.lane.waits.borrow_mut().try_remove(self.place);
    }
}
