//! The lane that the calls of a batch share: so many of them are in flight at once, and one that waits for its turn
//! or its retry is not.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    future::poll_fn,
    rc::Rc,
    task::{Poll, Waker},
};

use policy::Timestamp;
use slab::Slab;

#[derive(Debug)]
pub struct Lane {
    width: usize,
    free: Cell<usize>,
    /// Those that want a place: what is sent again comes before what was not sent yet.
    again: RefCell<VecDeque<Rc<Spot>>>,
    first: RefCell<VecDeque<Rc<Spot>>>,
    /// Until when calls wait; `None`: for those before them.
    waits: RefCell<Slab<Option<Timestamp>>>,
    limited: Cell<u64>,
    /// A call waits that has not waited before: there may be room for another.
    has_moved: Cell<bool>,
}

/// Where a call stands that wants a place.
#[derive(Debug)]
struct Spot {
    stage: Cell<Stage>,
    waker: RefCell<Option<Waker>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Waiting,
    Called,
    Gone,
}

impl Lane {
    /// At least one call at once.
    #[must_use]
    pub fn new(width: usize) -> Self {
        let width = width.max(1);
        Self {
            width,
            free: Cell::new(width),
            again: RefCell::default(),
            first: RefCell::default(),
            waits: RefCell::default(),
            limited: Cell::new(0),
            has_moved: Cell::new(false),
        }
    }

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
        self.free.get() == self.width
    }

    /// Until when the first of them waits, on the clock of [`runtime::now`](crate::runtime::now).
    #[must_use]
    pub fn waiting_until(&self) -> Option<Timestamp> {
        self.waits.borrow().iter().filter_map(|(_, until)| *until).min()
    }

    /// How many 429s have come.
    #[must_use]
    pub fn limited(&self) -> u64 {
        self.limited.get()
    }

    pub(super) fn count_limited(&self) {
        self.limited.set(self.limited.get().saturating_add(1));
    }

    /// Waits for a place in flight.
    pub(super) async fn enter(self: Rc<Self>, is_again: bool) -> Place {
        if self.free.get() > 0 {
            self.free.set(self.free.get() - 1);
            return Place { lane: self };
        }
        let queue = if is_again { &self.again } else { &self.first };
        let spot = Rc::new(Spot { stage: Cell::new(Stage::Waiting), waker: RefCell::default() });
        queue.borrow_mut().push_back(Rc::clone(&spot));
        let wanted = Wanted { lane: &self, spot: &spot };
        poll_fn(|cx| {
            if spot.stage.get() == Stage::Called {
                return Poll::Ready(());
            }
            spot.waker.replace(Some(cx.waker().clone()));
            Poll::Pending
        })
        .await;
        std::mem::forget(wanted);
        Place { lane: Rc::clone(&self) }
    }

    /// A place is free: for the first who wants it.
    fn release(&self) {
        let next = || self.again.borrow_mut().pop_front().or_else(|| self.first.borrow_mut().pop_front());
        while let Some(spot) = next() {
            if spot.stage.get() == Stage::Waiting {
                spot.stage.set(Stage::Called);
                if let Some(waker) = spot.waker.take() {
                    waker.wake();
                }
                return;
            }
        }
        self.free.set(self.free.get() + 1);
    }

    pub(crate) fn take_moved(&self) -> bool {
        self.has_moved.take()
    }

    pub(super) fn wait(&self, until: Option<Timestamp>) -> Waiting<'_> {
        self.has_moved.set(true);
        Waiting { lane: self, place: self.waits.borrow_mut().insert(until) }
    }
}

/// A wish that is dropped before it was granted, or used.
struct Wanted<'a> {
    lane: &'a Lane,
    spot: &'a Spot,
}

impl Drop for Wanted<'_> {
    fn drop(&mut self) {
        if self.spot.stage.replace(Stage::Gone) == Stage::Called {
            self.lane.release();
        }
    }
}

/// A place in flight.
#[derive(Debug)]
pub(super) struct Place {
    lane: Rc<Lane>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.lane.release();
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
            *own = Some(until);
        }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.lane.waits.borrow_mut().try_remove(self.place);
    }
}
