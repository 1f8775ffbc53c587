//! What a call waits for before an attempt: a place in the lane of its batch, and its turn under the limits that it is
//! under, as they are known to all.

use std::{rc::Rc, time::Duration};

use policy::{Timestamp, pacing::Next};

use super::{End, Lane, Outside, lane, run::Run};
use crate::{pacing::Head, until::Until, world::World};

impl Run {
    /// Its time counts from its place in the lane on.
    pub(super) async fn begin(&mut self) {
        if self.call.lane.is_none() {
            return;
        }
        self.enter_lane(false).await;
        let (now, shared) = (self.world.now(), self.world.shared_now());
        self.started = now;
        let own = self.call.budget.map(|budget| now.after(budget));
        self.call.deadline = self.call.deadline.into_iter().chain(own).min();
        let shared = self.call.deadline.map(|deadline| World::converted(deadline, now, shared));
        self.turn.set_deadline(shared);
    }

    /// How long the limits held it back.
    pub(super) async fn hold_back(&mut self) -> Result<Duration, End> {
        if self.call.settings.limit.is_some() && self.attempts.is_empty() {
            self.world.prepare(&self.call.request.uri);
        }
        self.enter_lane(!self.attempts.is_empty()).await;
        // Whoever stands in the line of this process came first.
        if self.lines_up && self.turn.is_line_formed() {
            let now = self.world.shared_now();
            let opens = self.turn.look(now);
            let opens = self.here(opens);
            if self.call.deadline.is_some_and(|deadline| opens >= deadline) {
                return Err(self.opens_too_late(opens));
            }
            return Box::pin(self.wait_for_turn(None)).await;
        }
        match self.ask_for_turn() {
            Next::Send(_) => Ok(Duration::ZERO),
            next => Box::pin(self.wait_for_turn(Some(next))).await,
        }
    }

    async fn wait_for_turn(&mut self, first: Option<Next>) -> Result<Duration, End> {
        let began = self.world.now();
        let lane = self.call.lane.clone();
        let waiting = self.begin_wait(lane.as_ref(), None);
        let _head = self.line_up().await;
        let mut next = match first {
            Some(next) => next,
            None => self.ask_in_place().await,
        };
        let is_held = matches!(next, Next::Send(_)) || self.turn.begin_waiting();
        loop {
            match next {
                Next::Send(_) => break,
                Next::Wait { until } => {
                    // It looks again before the gate opens, but goes no sooner.
                    let opens = self.here(self.turn.opens(self.world.shared_now()).max(until));
                    // Enough wait already.
                    if !is_held {
                        return Err(self.rate_limited(opens));
                    }
                    self.place = None;
                    waiting.set(opens);
                    let until = self.here(until);
                    Box::pin(self.world.sleep_until(until, &self.outside)).await;
                }
                Next::OverBudget { opens } => {
                    self.end_hold(began);
                    return Err(self.opens_too_late(self.here(opens)));
                }
                Next::RateLimited { opens } => {
                    self.end_hold(began);
                    return Err(self.rate_limited(self.here(opens)));
                }
            }
            next = self.ask_in_place().await;
        }
        Ok(self.end_hold(began))
    }

    /// A turn is for now: it is asked for by who has a place. Who is too late by now learns when it would have come.
    async fn ask_in_place(&mut self) -> Next {
        self.enter_lane(true).await;
        self.ask_for_turn()
    }

    fn opens_too_late(&mut self, opens: Timestamp) -> End {
        let now = self.world.now();
        let left = self.call.deadline.map_or(Duration::ZERO, |deadline| deadline.since(now));
        self.no_further_attempt(Some(opens.since(now)), opens.since(now), left)
    }

    fn ask_for_turn(&mut self) -> Next {
        self.turn.next(self.attempts.len() as u32, self.world.shared_now())
    }

    /// An instant of the shared clock, here.
    fn here(&self, at: Timestamp) -> Timestamp {
        World::converted(at, self.world.shared_now(), self.world.now())
    }

    fn end_hold(&mut self, began: Timestamp) -> Duration {
        let held = self.world.now().since(began);
        self.waited = self.waited.saturating_add(held);
        self.turn.end_waiting(held);
        held
    }

    /// `None` if the deadline comes first, which the attempt will find out.
    async fn line_up(&self) -> Option<Head> {
        if !self.lines_up {
            return None;
        }
        self.in_time(self.turn.line_up()).await
    }

    /// Waits for a place in flight. What has waited before comes before what is new.
    async fn enter_lane(&mut self, is_again: bool) {
        if let (Some(lane), None) = (&self.call.lane, &self.place) {
            self.place = self.in_time(Rc::clone(lane).enter(is_again)).await;
        }
    }

    async fn in_time<F: Future>(&self, future: F) -> Option<F::Output> {
        match self.call.deadline {
            Some(deadline) => Until::by(Some(deadline)).bound(future).await,
            None => Some(future.await),
        }
    }

    fn begin_wait<'a>(&mut self, lane: Option<&'a Rc<Lane>>, until: Option<Timestamp>) -> Waiting<'a> {
        self.place = None;
        self.outside.set_waiting_until(until);
        Waiting { outside: self.outside.clone(), in_lane: lane.map(|lane| lane.wait(until)) }
    }

    /// Nothing of the attempt is in flight any more.
    pub(super) fn land(&mut self) {
        self.turn.land();
        self.place = None;
    }

    pub(super) async fn sleep(&mut self, due: Timestamp, wait: Duration) {
        self.land();
        let lane = self.call.lane.clone();
        let _waiting = self.begin_wait(lane.as_ref(), Some(due));
        self.world.sleep_until(due, &self.outside).await;
        self.waited = self.waited.saturating_add(wait);
    }
}

/// A call that waits: whoever holds it, and its lane, can see until when.
struct Waiting<'a> {
    outside: Outside,
    in_lane: Option<lane::Waiting<'a>>,
}

impl Waiting<'_> {
    fn set(&self, until: Timestamp) {
        self.outside.set_waiting_until(Some(until));
        self.in_lane.iter().for_each(|waiting| waiting.set(until));
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.outside.set_waiting_until(None);
    }
}
