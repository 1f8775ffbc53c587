//! Which calls have something to do: those are moved on, the others left alone.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Wake, Waker},
};

use super::CallId;

/// The calls of one thread that were woken. Connections and name lookups wake them, the latter from threads of their
/// own.
#[derive(Debug, Default)]
pub(super) struct Ready(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    woken: Vec<CallId>,
    /// Wakes the event loop while it runs.
    driver: Option<Waker>,
}

impl Ready {
    fn with<R>(&self, f: impl FnOnce(&mut State) -> R) -> R {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn set_driver(&self, waker: &Waker) {
        self.with(|state| match &mut state.driver {
            Some(driver) => driver.clone_from(waker),
            None => state.driver = Some(waker.clone()),
        });
    }

    /// The loop does not run any more, and looks at what was woken when it does again.
    pub(super) fn unset_driver(&self) {
        drop(self.with(|state| state.driver.take()));
    }

    pub(super) fn take(&self) -> Vec<CallId> {
        self.with(|state| std::mem::take(&mut state.woken))
    }
}

/// What wakes one call.
#[derive(Debug)]
pub(super) struct Signal {
    ready: Arc<Ready>,
    id: CallId,
    is_listed: AtomicBool,
}

impl Signal {
    /// For a new call, which has its first step to take.
    pub(super) fn raised(ready: &Arc<Ready>, id: CallId) -> Arc<Self> {
        let signal = Arc::new(Self { ready: Arc::clone(ready), id, is_listed: AtomicBool::new(false) });
        signal.wake_by_ref();
        signal
    }

    /// Before the call is moved on: what happens from here on wakes it again.
    pub(super) fn lower(&self) {
        self.is_listed.store(false, Ordering::SeqCst);
    }
}

impl Wake for Signal {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.is_listed.swap(true, Ordering::SeqCst) {
            return;
        }
        let driver = self.ready.with(|state| {
            state.woken.push(self.id);
            state.driver.clone()
        });
        if let Some(driver) = driver {
            driver.wake();
        }
    }
}
