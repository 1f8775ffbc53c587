//! What a thread keeps between calls: the event loop, the connections, what is known about limits, and the calls in
//! flight.

use std::{
    cell::RefCell,
    collections::{BTreeSet, VecDeque},
    io,
    pin::Pin,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use policy::Timestamp;
use slab::Slab;
use tokio::time::Sleep;

use super::{
    CallId,
    alarm::Alarm,
    drive::wake_if_interrupted,
    flights::{Flight, News},
    ready::Ready,
};
use crate::{fork, pacing::Pacing, transport::Pools};

pub(super) struct Engine {
    generation: u32,
    runtime: Option<Rc<tokio::runtime::Runtime>>,
    pub(super) alarm: Option<Alarm>,
    /// The tick of the loop. It stays among the loop's timers: one that becomes the first of them wakes the loop, by a
    /// write, which each call's timeout would do.
    pub(super) tick: Option<Pin<Box<Sleep>>>,
    pub(super) pools: Rc<RefCell<Pools>>,
    pub(super) pacing: Pacing,
    pub(super) flights: Slab<Flight>,
    pub(super) ready: Arc<Ready>,
    /// Taken from `ready`, and not moved on yet.
    pub(super) woken: Vec<CallId>,
    pub(super) naps: BTreeSet<(Timestamp, CallId)>,
    /// What nobody has been told yet, in the order it happened.
    pub(super) news: VecDeque<(CallId, News)>,
}

/// What a thread keeps until it ends, or its process does.
struct Kept(Option<Engine>);

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(engine) = self.0.take() {
            engine.close();
        }
    }
}

/// One count for all threads, and a forked child counts on from its parent's: no id ever names another
/// engine's call.
static SERIALS: AtomicU64 = AtomicU64::new(0);

pub(super) fn next_serial() -> u64 {
    SERIALS.fetch_add(1, Ordering::Relaxed)
}

thread_local! {
    static ENGINE: RefCell<Kept> = const { RefCell::new(Kept(None)) };
}

impl Engine {
    fn new() -> Self {
        Self {
            generation: fork::generation(),
            runtime: None,
            alarm: None,
            tick: None,
            pools: Rc::default(),
            pacing: Pacing::default(),
            flights: Slab::new(),
            ready: Arc::default(),
            woken: Vec::new(),
            naps: BTreeSet::new(),
            news: VecDeque::new(),
        }
    }

    /// A forked child must neither use nor drop what its parent made: the epoll and the sockets are
    /// shared with it, and threads did not come along.
    fn is_ours(&self) -> bool {
        self.generation == fork::generation()
    }

    fn close(mut self) {
        if !self.is_ours() {
            return std::mem::forget(self);
        }
        drop((self.alarm.take(), self.tick.take()));
        // A name lookup that hangs on its thread must not hold up the end.
        if let Some(runtime) = self.runtime.take().and_then(Rc::into_inner) {
            runtime.shutdown_background();
        }
    }

    /// # Errors
    /// The system gives no epoll: it is out of descriptors.
    pub(super) fn runtime(&mut self) -> io::Result<Rc<tokio::runtime::Runtime>> {
        if let Some(runtime) = &self.runtime {
            return Ok(Rc::clone(runtime));
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .on_thread_unpark(wake_if_interrupted)
            .build()?;
        Ok(Rc::clone(self.runtime.insert(Rc::new(runtime))))
    }

    pub(super) fn started_runtime(&self) -> Option<Rc<tokio::runtime::Runtime>> {
        self.runtime.clone()
    }
}

/// Lends this thread's engine; a fork leaves the parent's alone.
pub(super) fn with<R>(f: impl FnOnce(&mut Engine) -> R) -> R {
    ENGINE.with_borrow_mut(|Kept(slot)| {
        if let Some(engine) = slot
            && engine.is_ours()
        {
            return f(engine);
        }
        if let Some(parents) = slot.take() {
            std::mem::forget(parents);
        }
        f(slot.insert(Engine::new()))
    })
}

/// Takes this thread's calls in flight, to be dropped after the engine is let go.
pub(super) fn take_flights() -> Slab<Flight> {
    ENGINE.with_borrow_mut(|Kept(slot)| match slot {
        Some(engine) if engine.is_ours() => {
            engine.naps.clear();
            engine.news.clear();
            std::mem::take(&mut engine.flights)
        }
        _ => Slab::new(),
    })
}

/// Ends this thread's engine.
pub(super) fn close() {
    drop(ENGINE.with_borrow_mut(|kept| Kept(kept.0.take())));
}
