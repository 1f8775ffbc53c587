//! A final answer as it arrives, between the call that reads it and whoever takes it.

use std::{
    cell::{Ref, RefCell},
    future::poll_fn,
    task::{Poll, Waker},
    time::Duration,
};

use bytes::Bytes;
use policy::{Attempt, Timestamp, server_wish};

use crate::{Payload, Response};

/// What lies here at most of a body that flows: a reader that is slower stops the server.
const AHEAD: usize = 1024 * 1024;

#[derive(Debug)]
pub struct Incoming {
    pub(super) delivery: Delivery,
    state: RefCell<State>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Delivery {
    /// All that is not taken is kept, up to `max_body`. It can be sent for again until something is taken.
    Kept,
    /// No more than [`AHEAD`] is kept, and from its first byte on nothing is sent for again. The deadline is that
    /// of its end.
    Flowing { deadline: Option<Timestamp>, ahead: usize },
}

/// The call as it was when the answer began.
#[derive(Clone, Debug)]
pub struct Begun {
    /// Without its body.
    pub response: Response,
    pub attempts: Vec<Attempt>,
    pub waited: Duration,
    pub elapsed: Duration,
}

#[derive(Debug, Default)]
struct State {
    begun: Option<Box<Begun>>,
    body: Payload,
    received: u64,
    is_taken_from: bool,
    has_moved: bool,
    /// Of a call that waits until there is room again.
    waker: Option<Waker>,
}

impl State {
    fn note_taken(&mut self) {
        self.is_taken_from = true;
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

impl Incoming {
    #[must_use]
    pub fn kept() -> Self {
        Self { delivery: Delivery::Kept, state: RefCell::default() }
    }

    #[must_use]
    pub fn flowing(deadline: Option<Timestamp>) -> Self {
        Self { delivery: Delivery::Flowing { deadline, ahead: AHEAD }, state: RefCell::default() }
    }

    /// As [`flowing`](Self::flowing) for an answer that is in memory anyway.
    #[must_use]
    pub fn flowing_at_once() -> Self {
        let delivery = Delivery::Flowing { deadline: None, ahead: usize::MAX };
        Self { delivery, state: RefCell::default() }
    }

    pub(super) fn is_flowing(&self) -> bool {
        matches!(self.delivery, Delivery::Flowing { .. })
    }

    /// The head of the answer, once it is here and known to be final.
    #[must_use]
    pub fn begun(&self) -> Option<Ref<'_, Begun>> {
        Ref::filter_map(self.state.borrow(), |state| state.begun.as_deref()).ok()
    }

    /// Whether it is a stream that has begun: its attempts are over.
    #[must_use]
    pub fn flows(&self) -> bool {
        self.is_flowing() && self.state.borrow().begun.is_some()
    }

    /// How many bytes of the body have come, taken or not.
    #[must_use]
    pub fn received(&self) -> u64 {
        self.state.borrow().received
    }

    /// The next stretch of the body that is here.
    pub fn take(&self) -> Option<Bytes> {
        let mut state = self.state.borrow_mut();
        let stretch = state.body.pop()?;
        state.note_taken();
        Some(stretch)
    }

    /// All of the body that is here.
    pub fn take_all(&self) -> Payload {
        let mut state = self.state.borrow_mut();
        if !state.body.is_empty() {
            state.note_taken();
        }
        std::mem::take(&mut state.body)
    }

    /// Whether there is more to see than the last time.
    pub(crate) fn take_moved(&self) -> bool {
        std::mem::take(&mut self.state.borrow_mut().has_moved)
    }

    pub(super) fn begin(&self, begun: Begun) {
        let mut state = self.state.borrow_mut();
        state.begun = Some(Box::new(begun));
        state.has_moved = true;
    }

    pub(super) fn push(&self, stretch: Bytes) {
        let mut state = self.state.borrow_mut();
        state.received = state.received.saturating_add(stretch.len() as u64);
        state.body.push(stretch);
        state.has_moved = true;
    }

    pub(super) fn len(&self) -> usize {
        self.state.borrow().body.len()
    }

    /// Shows the whole body, if nothing of it was taken and it is worth a look.
    pub(super) fn look(&self, see: impl FnOnce(&[u8])) {
        let mut state = self.state.borrow_mut();
        if !state.is_taken_from && state.body.len() <= server_wish::MAX_BODY_LOOKED_AT {
            see(state.body.join());
        }
    }

    /// Until there is room for more.
    pub(super) async fn room(&self, ahead: usize) {
        poll_fn(|cx| {
            let mut state = self.state.borrow_mut();
            if state.body.len() < ahead {
                return Poll::Ready(());
            }
            state.waker = Some(cx.waker().clone());
            Poll::Pending
        })
        .await;
    }

    /// Forgets an answer that broke. `false`: some of it was taken.
    pub(super) fn restart(&self) -> bool {
        let mut state = self.state.borrow_mut();
        if state.is_taken_from {
            return false;
        }
        *state = State { has_moved: state.begun.is_some(), ..State::default() };
        true
    }
}
