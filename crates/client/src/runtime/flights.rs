//! The calls in flight: what each waits for, and what it has to say.

use std::{
    future::Future,
    pin::Pin,
    rc::Rc,
    sync::Arc,
    task::{Context, Waker},
};

use policy::Timestamp;

use super::{CallId, Whose, alarm::Alarm, drive::gone, engine::Engine, ready::Signal};
use crate::{
    Call, Ended, Incoming, Lane, Sink, Step,
    call::{Answer, Outside, Question, run},
    pacing::Pacing,
    world::World,
};

pub(super) type CallFuture = Pin<Box<dyn Future<Output = Ended>>>;

pub(super) struct Flight {
    pub(super) serial: u64,
    /// `None` while it is moved on, and after its end.
    pub(super) future: Option<CallFuture>,
    stage: Stage,
    pub(super) outside: Outside,
    pub(super) signal: Arc<Signal>,
    pub(super) waker: Waker,
    /// Real time and the network; a scripted call never waits for anything but its driver.
    networked: bool,
    /// What its holder sees of its answer.
    incoming: Option<Rc<Incoming>>,
    lane: Option<Rc<Lane>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Something in the event loop will wake it.
    Running,
    Napping(Timestamp),
    /// It has asked something of its driver.
    Asking,
    Over,
}

/// What a call has to say.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "few at a time, and the large one is the usual one")]
pub(super) enum News {
    Asked(Step),
    Moved,
    Ended(Box<Ended>),
}

/// What a driver that has no news has to wait for.
pub(super) enum Outlook {
    /// There will never be any.
    Nothing,
    /// Nothing but an instant.
    Sleep(Timestamp),
    Loop,
}

impl Engine {
    pub(super) fn launch(&mut self, call: Call, world: World, pacing: Pacing, networked: bool) -> CallId {
        // What is sent from inside a hook must not wait for a call that waits for that hook.
        let lines_up = networked && !self.flights.iter().any(|(_, flight)| flight.stage == Stage::Asking);
        let serial = super::engine::next_serial();
        let entry = self.flights.vacant_entry();
        let id = CallId { place: entry.key(), serial };
        let outside = Outside::default();
        let signal = Signal::raised(&self.ready, id);
        let incoming = match &call.sink {
            Sink::Handed(incoming) => Some(Rc::clone(incoming)),
            _ => None,
        };
        let lane = call.lane.clone();
        entry.insert(Flight {
            serial,
            future: Some(Box::pin(run(call, world, pacing, outside.clone(), lines_up))),
            stage: Stage::Running,
            outside,
            waker: Arc::clone(&signal).into(),
            signal,
            networked,
            incoming,
            lane,
        });
        id
    }

    pub(super) fn flight(&mut self, id: CallId) -> Option<&mut Flight> {
        self.flights.get_mut(id.place).filter(|flight| flight.serial == id.serial)
    }

    pub(super) fn remove(&mut self, id: CallId) -> Option<Flight> {
        self.flight(id)?;
        self.news.retain(|(other, _)| *other != id);
        let flight = self.flights.remove(id.place);
        if let Stage::Napping(due) = flight.stage {
            self.naps.remove(&(due, id));
        }
        Some(flight)
    }

    pub(super) fn answer(&mut self, id: CallId, answer: Answer) {
        if let Some(flight) = self.flight(id)
            && flight.outside.answer(answer)
        {
            flight.stage = Stage::Running;
            flight.waker.wake_by_ref();
        }
    }

    /// Wakes the calls whose naps are over.
    pub(super) fn end_naps(&mut self, now: Timestamp) {
        while let Some((due, id)) = self.naps.first().copied().filter(|(due, _)| *due <= now) {
            self.naps.remove(&(due, id));
            self.answer(id, Answer::Napped);
        }
    }

    /// Wakes the task of `cx` at the end of the next nap, or at `until`. `false`: there is no alarm to be had.
    pub(super) fn set_alarm(&mut self, until: Option<Timestamp>, cx: &mut Context<'_>) -> bool {
        let next = self.naps.first().map(|(due, _)| *due);
        let Some(at) = next.into_iter().chain(until).min() else { return true };
        if self.alarm.is_none() {
            self.alarm = Alarm::new().ok();
        }
        let Some(alarm) = &mut self.alarm else { return false };
        alarm.set(at, cx);
        true
    }

    /// The calls that have something to do; those on the network only if `in_loop`.
    pub(super) fn take_woken(&mut self, in_loop: bool) -> Vec<CallId> {
        let mut woken = std::mem::take(&mut self.woken);
        woken.extend(self.ready.take());
        if in_loop {
            return woken;
        }
        let (networked, scripted) =
            woken.into_iter().partition(|id| self.flight(*id).is_some_and(|flight| flight.networked));
        self.woken = networked;
        scripted
    }

    /// Whether calls on the network have something to do: several, or any and there is nothing else to tell.
    pub(super) fn is_worth_a_turn(&mut self) -> bool {
        const SEVERAL: usize = 4;
        let woken = self.ready.take();
        self.woken.extend(woken);
        let has_work = |id: &&CallId| self.flights.get(id.place).is_some_and(Flight::is_networking);
        let count = self.woken.iter().filter(has_work).take(SEVERAL).count();
        count >= SEVERAL || count > 0 && self.news.len() <= 1
    }

    /// After a step that did not end the call. What comes back is to be dropped after the engine is let go.
    pub(super) fn put_back(
        &mut self,
        id: CallId,
        future: CallFuture,
        question: Option<Question>,
    ) -> Option<CallFuture> {
        self.note_moved(id);
        let Some(flight) = self.flight(id) else { return Some(future) };
        match question {
            None if !flight.networked && flight.stage != Stage::Asking => {
                self.end(id, gone());
                return Some(future);
            }
            None => {}
            Some(Question::Step(step)) => {
                flight.stage = Stage::Asking;
                self.news.push_back((id, News::Asked(step)));
            }
            Some(Question::Nap(due)) => {
                flight.stage = Stage::Napping(due);
                self.naps.insert((due, id));
            }
        }
        if let Some(flight) = self.flight(id) {
            flight.future = Some(future);
        }
        None
    }

    fn note_moved(&mut self, id: CallId) {
        if self.flight(id).is_some_and(Flight::has_moved)
            && !self.news.iter().any(|(other, news)| *other == id && matches!(news, News::Moved))
        {
            self.news.push_back((id, News::Moved));
        }
    }

    pub(super) fn end(&mut self, id: CallId, ended: Ended) {
        if let Some(flight) = self.flight(id) {
            flight.stage = Stage::Over;
            self.news.push_back((id, News::Ended(Box::new(ended))));
        }
    }

    /// Ends all that would need the event loop.
    pub(super) fn end_networked(&mut self, ended: impl Fn() -> Ended) {
        let running = |(place, flight): (usize, &Flight)| {
            flight.is_networking().then_some(CallId { place, serial: flight.serial })
        };
        for id in self.flights.iter().filter_map(running).collect::<Vec<_>>() {
            self.end(id, ended());
        }
    }

    pub(super) fn has_news(&self, whose: &Whose<'_>) -> bool {
        self.news.iter().any(|(id, _)| whose.includes(*id))
    }

    pub(super) fn take_news(&mut self, whose: &Whose<'_>) -> Option<(CallId, News)> {
        let position = self.news.iter().position(|(id, _)| whose.includes(*id))?;
        self.news.remove(position)
    }

    /// Whether any call has something to wait for in the event loop.
    pub(super) fn is_networking(&self) -> bool {
        self.flights.iter().any(|(_, flight)| flight.is_networking())
    }

    pub(super) fn outlook(&self, whose: &Whose<'_>, until: Option<Timestamp>) -> Outlook {
        let is_awaited = |(place, flight): (usize, &Flight)| {
            flight.networked
                && matches!(flight.stage, Stage::Running | Stage::Napping(_))
                && whose.includes(CallId { place, serial: flight.serial })
        };
        if !self.flights.iter().any(is_awaited) {
            return Outlook::Nothing;
        }
        if self.is_networking() {
            return Outlook::Loop;
        }
        let next = self.naps.first().map(|(due, _)| *due);
        next.into_iter().chain(until).min().map_or(Outlook::Nothing, Outlook::Sleep)
    }
}

impl Flight {
    fn has_moved(&mut self) -> bool {
        self.incoming.as_ref().is_some_and(|own| own.take_moved())
            || self.lane.as_ref().is_some_and(|lane| lane.take_moved())
    }

    fn is_networking(&self) -> bool {
        self.networked && self.stage == Stage::Running
    }
}
