//! One call that wants to send: may it now, and if not, until when does it wait before it asks again.

use std::time::Duration;

use super::{
    Ask, Class, Knowledge, Ticket,
    claim::{Held, WINDOW},
    elder, pace, quota, window,
    words::{Word, Words},
};
use crate::{backoff::Backoff, options::Settings, time::Timestamp};

/// How often the words are read again while another's answer may end a wait.
const WATCH: Duration = Duration::from_millis(25);
/// The same while nobody is out to find out, but somebody may go.
const GLANCE: Duration = Duration::from_millis(250);

/// How soon a place is looked for again.
const PLACE_SOON: Duration = Duration::from_millis(1);
const PLACE_LATE: Duration = Duration::from_millis(8);

/// Batches let pages go first by this much, while one waits.
const AFTER_WEB: Duration = Duration::from_millis(2);
/// A batch that has waited so many seconds lets no page go first any more.
const AGED: f64 = 5.0;
/// A page that waits says so for this much longer than its slot.
const WEB_LEASE: Duration = Duration::from_millis(3);
/// Of two who wait the longer goes first: the shorter is up to this much behind.
const AFTER_LONGER: Duration = Duration::from_millis(1);
/// Half of that after so many slots.
const FAIR: f64 = 4.0;
/// A scout that has been refused before lets others go first, by this much for each attempt it has made.
const AFTER_FRESH: Duration = Duration::from_micros(200);

/// Who has waited this part of the longest wait for a quota lets nobody go before it.
const ELDER_PART: u32 = 4;

/// What to do now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    Send(Ticket),
    /// Ask again then.
    Wait {
        until: Timestamp,
    },
    /// The deadline comes before it opens.
    OverBudget {
        opens: Timestamp,
    },
    /// Held back for as many waits as there are attempts.
    RateLimited {
        opens: Timestamp,
    },
}

/// The waiting of one call.
#[derive(Clone, Debug)]
pub struct Waiter {
    class: Class,
    deadline: Option<Timestamp>,
    max_wait: Duration,
    max_waits: u32,
    backoff: Backoff,
    /// Waits at a shut gate that are over.
    waits: u32,
    /// Since when the gate is being waited for.
    at_gate: Option<Timestamp>,
    /// Since when a slot is being waited for.
    for_slot: Option<Timestamp>,
    /// Since when a header has held back all of the key: requests sent up to then.
    by_header: Option<(Timestamp, u64)>,
    /// It has waited as long as its own refusal asked.
    has_waited: bool,
}

impl Waiter {
    #[must_use]
    pub fn new(settings: &Settings, class: Class, deadline: Option<Timestamp>) -> Self {
        Self {
            class,
            deadline,
            max_wait: settings.max_retry_after,
            max_waits: settings.max_attempts,
            backoff: settings.backoff.clone(),
            waits: 0,
            at_gate: None,
            for_slot: None,
            by_header: None,
            has_waited: false,
        }
    }

    /// `attempts`: how many requests this call has sent.
    pub fn next(&mut self, known: &Knowledge<'_>, ask: &Ask, attempts: u32, now: Timestamp) -> Next {
        if let Some(shut) = known.shut(now) {
            if let Some(ticket) = known.slip(ask, now) {
                return Next::Send(ticket);
            }
            return self.at_shut_gate(known, ask, shut, attempts, now);
        }
        // Who has waited for the gate has waited for the slot.
        self.for_slot = self.for_slot.or(self.at_gate.take());
        let held = self.held(known, ask, now);
        let turn = held.due.after(self.turn(known, held.due, now));
        if turn > now {
            return self.hold(known, ask, held, turn, now);
        }
        match self.elder(known.scope, now) {
            Some(until) => Next::Wait { until },
            None => self.take(known, ask, now),
        }
    }

    /// Its own request was refused at `now`: waiting for that counts as waiting at the gate.
    pub fn was_refused(&mut self, now: Timestamp) {
        self.at_gate = Some(now);
        self.has_waited = true;
    }

    /// Whether it lets a page go first that waits for a place among those in flight.
    #[must_use]
    pub fn yields(&self, known: &Knowledge<'_>, now: Timestamp) -> bool {
        let waited = now.since(self.for_slot.unwrap_or(now)).as_secs_f64();
        self.class == Class::Batch && waited < AGED && known.is_web_waiting(now)
    }

    /// Others wait for a place, and this one comes after them: whoever has waited looks sooner.
    pub fn queue_up(&mut self, now: Timestamp) -> Next {
        self.for_slot = Some(now);
        self.look_again(now.after(PLACE_LATE).after(PLACE_SOON))
    }

    /// When a place becomes free is not known: only the deadline ends the looking.
    fn look_again(&self, until: Timestamp) -> Next {
        match self.deadline.filter(|deadline| until >= *deadline) {
            Some(opens) => Next::OverBudget { opens },
            None => Next::Wait { until },
        }
    }

    pub fn set_deadline(&mut self, deadline: Option<Timestamp>) {
        self.deadline = deadline;
    }

    /// Whether it has begun to wait.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.for_slot.is_some()
    }

    /// All places among those in flight are taken: when to ask again.
    pub fn next_place(&mut self, known: &Knowledge<'_>, now: Timestamp) -> Next {
        let since = *self.for_slot.get_or_insert(now);
        // Requests take as long as they take: soon at first, then as often as costs little.
        let until = now.after((now.since(since) / 4).clamp(PLACE_SOON, PLACE_LATE));
        let next = self.look_again(until);
        if self.class == Class::Web && matches!(next, Next::Wait { .. }) {
            known.set_web_waiting(until.after(WEB_LEASE));
        }
        next
    }

    fn at_shut_gate(
        &mut self,
        known: &Knowledge<'_>,
        ask: &Ask,
        opens: Timestamp,
        attempts: u32,
        now: Timestamp,
    ) -> Next {
        if self.is_late(opens) {
            return Next::OverBudget { opens };
        }
        let since = *self.at_gate.get_or_insert(now);
        let mut over = since.after(self.max_wait);
        if let Some(refused) = known.scout_refused(now).filter(|refused| *refused > since)
            && now >= over
            && known.scouting(now).is_none()
        {
            // Somebody found out meanwhile, at the cost of an attempt: the next may be sent one wait after that.
            over = refused.after(self.max_wait);
            if now >= since.after(self.backoff.after(self.waits.saturating_add(1))) {
                self.waits = self.waits.saturating_add(1);
                self.at_gate = Some(refused);
            }
            if self.waits >= self.max_waits {
                return Next::RateLimited { opens };
            }
        }
        let over =
            if self.class == Class::Alone { over } else { over.after(AFTER_FRESH.saturating_mul(attempts)) };
        if now >= over
            && let Some(ticket) = known.scout(ask, now)
        {
            return Next::Send(ticket);
        }
        let look = now.after(if known.scouting(now).is_some() || now >= over { WATCH } else { GLANCE });
        let until = if now >= over { look } else { look.min(over) };
        Next::Wait { until: until.min(opens) }
    }

    /// What holds it back besides the gate; a time that is past when nothing does.
    fn held(&self, known: &Knowledge<'_>, ask: &Ask, now: Timestamp) -> Held {
        let units = ask.units();
        let rules = known.given.iter().map(|given| given.due(units, now));
        let pace = if known.is_paced(now) { pace::due(known.scope, units, now) } else { None };
        let own = rules.chain(pace).max().unwrap_or_default();
        let told = quota::due(known.scope, ask, now);
        match told.max(window::due(known.scope, now).map(|due| (due, WINDOW))) {
            Some((due, place)) if due > own => Held { due, by_quota: Some(place) },
            _ => Held { due: own, by_quota: None },
        }
    }

    fn hold(
        &mut self,
        known: &Knowledge<'_>,
        ask: &Ask,
        held: Held,
        turn: Timestamp,
        now: Timestamp,
    ) -> Next {
        if self.is_late(held.due) {
            return Next::OverBudget { opens: held.due };
        }
        self.for_slot.get_or_insert(now);
        if let Some(place) = held.by_quota {
            if now.since(self.waited_from(now)) >= self.max_wait / ELDER_PART {
                elder::stand(known.scope, now.since(self.waited_from(now)), now);
            }
            if now >= self.header_since(known.scope, now).after(self.max_wait) {
                // No header is believed for longer than that. Whoever goes now finds out whether it was true.
                return known
                    .doubt(ask, place, now)
                    .map_or(Next::Wait { until: now.after(WATCH) }, Next::Send);
            }
        } else {
            self.by_header = None;
        }
        // Answers bring new numbers while they hold it back.
        let until = if held.by_quota.is_some() { turn.min(now.after(WATCH)) } else { turn };
        if self.class == Class::Web {
            known.set_web_waiting(until.after(WEB_LEASE));
        }
        Next::Wait { until }
    }

    fn waited_from(&self, now: Timestamp) -> Timestamp {
        self.for_slot.unwrap_or(now)
    }

    /// When to look again if another has waited longer for a quota. A page is not held back by it.
    fn elder(&self, scope: &Words, now: Timestamp) -> Option<Timestamp> {
        let waited = now.since(self.waited_from(now));
        elder::before(scope, waited, now).filter(|_| self.class == Class::Batch)
    }

    /// Since when a header has let nobody go: as long as somebody goes it is a queue that is waited in.
    fn header_since(&mut self, scope: &Words, now: Timestamp) -> Timestamp {
        let sends = scope.get(Word::Sends);
        let (since, before) = self.by_header.unwrap_or((now, sends));
        let since = if before == sends { since } else { now };
        self.by_header = Some((since, sends));
        since
    }

    /// How long after the slot is due this call tries to take it. One that comes later finds it free.
    fn turn(&self, known: &Knowledge<'_>, due: Timestamp, now: Timestamp) -> Duration {
        if self.class == Class::Alone {
            return Duration::ZERO;
        }
        let waited = due.since(self.for_slot.unwrap_or(now)).as_secs_f64();
        let slot = known.slot().as_secs_f64();
        let part = if self.has_waited || slot == 0.0 { 0.0 } else { slot * FAIR / (slot * FAIR + waited) };
        let behind = AFTER_LONGER.mul_f64(part);
        let web = self.class == Class::Batch && waited < AGED && known.is_web_waiting(now);
        if web { behind.saturating_add(AFTER_WEB) } else { behind }
    }

    fn take(&mut self, known: &Knowledge<'_>, ask: &Ask, now: Timestamp) -> Next {
        match known.take(ask, now) {
            Ok(ticket) => {
                self.for_slot = None;
                self.by_header = None;
                self.has_waited = false;
                Next::Send(ticket)
            }
            Err(held) => {
                let turn = held.due.after(self.turn(known, held.due, now));
                self.hold(known, ask, held, turn, now)
            }
        }
    }

    fn is_late(&self, at: Timestamp) -> bool {
        self.deadline.is_some_and(|deadline| at >= deadline)
    }
}
