//! How long something may take: up to an instant, and for a length of time.
//!
//! The length counts only while the event loop has its turns. What PHP code does in between (a hook, the body of the
//! caller's loop) is no fault of the server's.

use std::{cell::Cell, pin::pin, time::Duration};

use policy::Timestamp;
use tokio::time::timeout_at;

use crate::clock;

thread_local! {
    static AWAY: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    static LEFT: Cell<Option<Timestamp>> = const { Cell::new(None) };
}

/// The caller has the thread from here on.
pub(crate) fn leave() {
    LEFT.set(Some(clock::now()));
}

/// The thread is back.
pub(crate) fn come_back() {
    if let Some(left) = LEFT.take() {
        AWAY.set(AWAY.get().saturating_add(clock::now().since(left)));
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Until {
    deadline: Option<Timestamp>,
    timeout: Timestamp,
    /// How long the thread had been away when the timeout began.
    away: Duration,
}

impl Until {
    pub(crate) fn new(deadline: Option<Timestamp>, timeout: Timestamp) -> Self {
        Self { deadline, timeout, away: AWAY.get() }
    }

    /// Up to the deadline, however long that is.
    pub(crate) fn by(deadline: Option<Timestamp>) -> Self {
        Self::new(deadline, Timestamp::from_nanos(u64::MAX))
    }

    /// So long from now on.
    pub(crate) fn within(timeout: Duration) -> Self {
        Self::new(None, clock::now().after(timeout))
    }

    pub(crate) fn at_most(self, deadline: Timestamp) -> Self {
        Self { deadline: Some(self.deadline.map_or(deadline, |own| own.min(deadline))), ..self }
    }

    /// The instant, should the thread stay from here on.
    pub(crate) fn at(&self) -> Timestamp {
        let timeout = self.timeout.after(AWAY.get().saturating_sub(self.away));
        self.deadline.map_or(timeout, |deadline| deadline.min(timeout))
    }

    /// What comes of the future; `None` if it takes longer.
    pub(crate) async fn bound<F: Future>(&self, future: F) -> Option<F::Output> {
        let mut future = pin!(future);
        loop {
            match timeout_at(clock::instant(self.at()), future.as_mut()).await {
                Ok(output) => return Some(output),
                Err(_) if clock::now() >= self.at() => return None,
                // The thread has been away meanwhile.
                Err(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_away_is_no_part_of_the_length_but_the_deadline_stands() {
        let now = clock::now();
        let length = Until::new(None, now.after(Duration::from_secs(1)));
        let both = length.at_most(now.after(Duration::from_millis(1010)));
        leave();
        std::thread::sleep(Duration::from_millis(30));
        come_back();
        come_back();
        let later = length.at().since(now);
        assert!(later >= Duration::from_millis(1030) && later < Duration::from_secs(20), "{later:?}");
        assert_eq!(both.at().since(now), Duration::from_millis(1010));
        assert!(Until::within(Duration::from_secs(1)).at().since(now) < later + Duration::from_secs(20));
    }
}
