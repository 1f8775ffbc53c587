//! The line of this process at one key: the first of its calls waits for a turn among all processes, the others behind
//! it, without a look at what is shared.

use std::{
    cell::RefCell,
    collections::HashMap,
    sync::{Arc, Weak},
};

use tokio::sync::{Mutex, OwnedMutexGuard};

#[derive(Debug, Default)]
pub(super) struct Lines(RefCell<HashMap<u64, Weak<Mutex<()>>>>);

/// The head of a line, until it is dropped.
#[derive(Debug)]
pub(crate) struct Head {
    _guard: OwnedMutexGuard<()>,
}

impl Lines {
    fn find(&self, key: u64) -> Option<Arc<Mutex<()>>> {
        self.0.borrow().get(&key).and_then(Weak::upgrade)
    }

    /// Whether calls stand in it.
    pub(super) fn is_formed(&self, key: u64) -> bool {
        self.find(key).is_some()
    }

    /// Joins at the end; the future is ready at the head.
    pub(super) fn join(&self, key: u64) -> impl Future<Output = Head> + use<> {
        let line = self.find(key).unwrap_or_else(|| {
            let mut lines = self.0.borrow_mut();
            lines.retain(|_, line| line.strong_count() > 0);
            let line = Arc::default();
            lines.insert(key, Arc::downgrade(&line));
            line
        });
        async move { Head { _guard: line.lock_owned().await } }
    }
}
