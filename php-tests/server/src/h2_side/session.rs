//! What the streams of one HTTP/2 connection share: who is still busy, and how the connection is to end.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

use super::tap::Injector;
use crate::spec::End;
use crate::step::Step;

/// What a stream asks of the task that drives its connection.
#[derive(Clone, Copy, Debug)]
pub enum Wish {
    /// GOAWAY in order, after everything that was accepted.
    Shutdown,
    CloseIdleAfter(Duration),
}

#[derive(Debug)]
pub struct Session {
    pub injector: Injector,
    wishes: UnboundedSender<Wish>,
    busy: AtomicUsize,
    gone_away: AtomicBool,
    on_next: Mutex<Option<End>>,
}

impl Session {
    pub fn new(injector: Injector, wishes: UnboundedSender<Wish>) -> Self {
        Self {
            injector,
            wishes,
            busy: AtomicUsize::new(0),
            gone_away: AtomicBool::new(false),
            on_next: Mutex::new(None),
        }
    }

    pub fn begin(&self) {
        self.busy.fetch_add(1, Ordering::AcqRel);
    }

    /// A stream is done, or will never be answered.
    pub fn finish(&self) {
        let left = self.busy.fetch_sub(1, Ordering::AcqRel) - 1;
        if left == 0 && self.gone_away() {
            // Not at once: the last answer is still on its way through the connection's task.
            self.wish(Wish::CloseIdleAfter(Duration::ZERO));
        }
    }

    pub fn is_idle(&self) -> bool {
        self.busy.load(Ordering::Acquire) == 0
    }

    /// Whether GOAWAY excludes every stream that comes from now on.
    pub fn gone_away(&self) -> bool {
        self.gone_away.load(Ordering::Acquire)
    }

    pub fn go_away(&self, last_stream: u32, code: u32) {
        self.gone_away.store(true, Ordering::Release);
        // GOAWAY: 8 bytes, type 7, stream 0 (RFC 9113, section 6.8).
        let mut frame = vec![0, 0, 8, 7, 0, 0, 0, 0, 0];
        frame.extend(last_stream.to_be_bytes());
        frame.extend(code.to_be_bytes());
        self.injector.send(&frame, None);
    }

    pub fn wish(&self, wish: Wish) {
        // Without a receiver the connection has ended already.
        let _ = self.wishes.send(wish);
    }

    /// What the step wants of the connection after its answer.
    pub fn afterwards(&self, step: &Step) {
        if step.close {
            self.wish(Wish::Shutdown);
        }
        if let Some(idle) = step.close_idle_after {
            self.wish(Wish::CloseIdleAfter(idle));
        }
        *self.on_next.lock().unwrap_or_else(PoisonError::into_inner) = step.close_on_next;
    }

    pub fn take_on_next(&self) -> Option<End> {
        self.on_next.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
