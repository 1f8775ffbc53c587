//! One call and the limits it is under: what it waits for before each send, and what it tells after.

use std::{
    sync::{Arc, atomic::AtomicU64},
    time::Duration,
};

use policy::{
    Outcome, Settings, Timestamp,
    limit::Rule,
    pacing::{self, Ask, Class, Given, Knowledge, Next, Seen, Ticket, Waiter, What},
    quota_headers,
};

use super::{
    Head, Pacing,
    key::Keys,
    store::{Label, Place, PlaceKind, Slot},
    told::{self, Told},
};
use crate::{Limits, Request};

/// Instants here are those of the clock that processes share (CLOCK_BOOTTIME).
#[derive(Debug)]
pub(crate) struct Turn {
    pacing: Pacing,
    settings: Arc<Settings>,
    share: bool,
    is_web: bool,
    max_waiting: Option<u32>,
    keys: Keys,
    ask: Ask,
    waiter: Waiter,
    slots: Option<Slots>,
    waiting: Option<Place>,
    in_flight: Vec<Place>,
    ticket: Option<Ticket>,
    /// Of an answer that may say what it cost.
    answered: Option<Ticket>,
}

/// Where the words are that hold for this call. They belong to the file as it is now.
#[derive(Debug)]
struct Slots {
    scope: Slot,
    account: Option<Slot>,
    /// By rule of the caller's limit.
    rules: Vec<Option<Slot>>,
}

impl Turn {
    pub(crate) fn new(
        pacing: Pacing,
        request: &Request,
        settings: &Arc<Settings>,
        limits: &Limits,
        deadline: Option<Timestamp>,
    ) -> Self {
        let told = Told::by(request);
        let class = if pacing.0.is_private { Class::Alone } else { limits.class };
        Self {
            keys: Keys::of(request, &told, limits.key.as_deref()),
            ask: Ask { cost: limits.cost, tokens: told.tokens },
            waiter: Waiter::new(settings, class, deadline),
            pacing,
            settings: Arc::clone(settings),
            share: limits.share,
            is_web: class == Class::Web,
            max_waiting: limits.max_waiting,
            slots: None,
            waiting: None,
            in_flight: Vec::new(),
            ticket: None,
            answered: None,
        }
    }

    /// Whether a request may be sent now, or when to ask again. `attempts`: how many this call has sent.
    pub(crate) fn next(&mut self, attempts: u32, now: Timestamp) -> Next {
        self.in_flight.clear();
        // Without memory for even one key nothing is known, and nothing held back.
        self.slots = self.find_slots();
        let Some(slots) = &self.slots else { return Next::Send(Ticket::default()) };
        let rules = self.settings.limit.as_ref().map_or(&[][..], |limit| &limit.rules);
        let given: Vec<Given<'_>> = rules.iter().zip(&slots.rules).filter_map(given).collect();
        let known = slots.known(&given);
        if slots.count_places(rules) && self.waiter.yields(&known, now) {
            return self.waiter.next_place(&known, now);
        }
        if slots.count_places(rules) && !self.waiter.is_waiting() && slots.are_awaited() {
            return self.waiter.queue_up(now);
        }
        let Some(places) = slots.places(rules) else { return self.waiter.next_place(&known, now) };
        let next = self.waiter.next(&known, &self.ask, attempts, now);
        if let Next::Send(ticket) = next {
            self.ticket = Some(ticket);
            self.in_flight = places;
            slots.rules.iter().flatten().for_each(|slot| slot.words().count_sent());
        }
        next
    }

    pub(crate) fn set_deadline(&mut self, deadline: Option<Timestamp>) {
        self.waiter.set_deadline(deadline);
    }

    /// Whether calls of this process wait for a turn already.
    pub(crate) fn is_line_formed(&self) -> bool {
        self.pacing.0.lines.is_formed(self.line())
    }

    /// Waits until it is the first of them.
    pub(crate) fn line_up(&self) -> impl Future<Output = Head> + use<> {
        self.pacing.0.lines.join(self.line())
    }

    fn line(&self) -> u64 {
        self.keys.line(self.share, self.settings.limit.as_ref())
    }

    /// When the gate opens, or now, before anything is asked for.
    pub(crate) fn look(&mut self, now: Timestamp) -> Timestamp {
        self.slots = self.find_slots();
        self.opens(now)
    }

    /// When the gate opens, or now.
    pub(crate) fn opens(&self, now: Timestamp) -> Timestamp {
        let gates = self.slots.iter().flat_map(|slots| slots.account.iter().chain([&slots.scope]));
        now.after(gates.map(|slot| slot.words().report(now).shut).max().unwrap_or_default())
    }

    /// Counts this process among those that wait for the key. `false`: enough do already.
    pub(crate) fn begin_waiting(&mut self) -> bool {
        if let (None, Some(slots)) = (&self.waiting, &self.slots) {
            // Pages are counted among themselves: a batch that waits takes none of their places.
            let kind = if self.is_web { PlaceKind::WaitingWeb } else { PlaceKind::Waiting };
            self.waiting = slots.scope.place_among_all(kind, self.max_waiting.unwrap_or(u32::MAX));
            return self.waiting.is_some();
        }
        true
    }

    /// The waiting is over, one way or the other.
    pub(crate) fn end_waiting(&mut self, held: Duration) {
        self.waiting = None;
        if let Some(slots) = &self.slots {
            slots.scope.words().add_held(held);
        }
    }

    /// What came of the request that was sent last; an answer's headers arrived at `now`.
    pub(crate) fn observe(&mut self, outcome: &Outcome<'_>, now: Timestamp) {
        let (Some(ticket), Some(slots)) = (self.ticket.take(), &self.slots) else { return };
        let what = What::of(outcome);
        let in_flight = || slots.scope.taken(PlaceKind::InFlight).saturating_sub(1);
        let refused = matches!(what, What::Refused { .. });
        let quotas = match outcome {
            Outcome::Answer { headers, arrived_wall, .. } => quota_headers::read(headers, *arrived_wall),
            Outcome::Failure(_) => quota_headers::Quotas::default(),
        };
        let is_counted = refused && slots.scope.words().counts_in_flight();
        let seen = Seen { what, quotas: &quotas, in_flight: is_counted.then(in_flight) };
        pacing::observe(&slots.known(&[]), &ticket, &seen, now);
        let tells = what == What::Accepted && slots.scope.words().counts_tokens();
        self.answered = tells.then_some(ticket);
        if refused || matches!(what, What::Overloaded { .. }) {
            self.waiter.was_refused(now);
        }
        if let Outcome::Answer { headers, .. } = outcome
            && let Some(name) = quota_headers::resource(headers)
        {
            self.remember_bucket(name);
        }
    }

    /// Whether the body of the answer is worth a look.
    pub(crate) fn asks_for_body(&self) -> bool {
        self.answered.is_some()
    }

    /// The body of the answer, which may say what it cost.
    pub(crate) fn read(&mut self, body: &[u8]) {
        if let (Some(ticket), Some(slots)) = (self.answered.take(), &self.slots)
            && let Some(cost) = told::spent(body)
        {
            pacing::spent(slots.scope.words(), &ticket, cost);
        }
    }

    /// Nothing of the request is in flight any more.
    pub(crate) fn land(&mut self) {
        self.in_flight.clear();
    }

    /// The scope that the request is of counts against this bucket from now on.
    fn remember_bucket(&self, name: &str) {
        if let Some(slot) = self.slot(self.keys.scope, None) {
            slot.words().set_alias(self.keys.bucket(name));
        }
    }

    fn find_slots(&self) -> Option<Slots> {
        let scope = self.slot(self.keys.scope, None)?;
        let scope = match scope.words().alias() {
            0 => scope,
            bucket => self.slot(bucket, None).unwrap_or(scope),
        };
        let limit = self.settings.limit.as_ref();
        let rules = limit.into_iter().flat_map(|limit| {
            let key = |index| self.keys.rule(limit, index);
            limit.rules.iter().enumerate().map(move |(index, rule)| self.slot(key(index), Some(rule)))
        });
        let rules = rules.collect();
        Some(Slots { scope, account: self.keys.account.and_then(|key| self.slot(key, None)), rules })
    }

    fn slot(&self, key: u64, rule: Option<&Rule>) -> Option<Slot> {
        let words = if let Some(Rule::Window { count, .. }) = rule { *count } else { 0 };
        self.pacing.slot(self.share, key, words, || match rule {
            None => self.keys.label.clone(),
            Some(rule) => Label { scope: super::stats::label_of(rule), ..self.keys.label.clone() },
        })
    }
}

/// The words of a rule. A rule that finds no room for them is not kept.
fn given<'a>((rule, slot): (&'a Rule, &'a Option<Slot>)) -> Option<Given<'a>> {
    let slot = slot.as_ref()?;
    let words: &[AtomicU64] = match *rule {
        Rule::Rate { .. } => slot.words().of_rate(),
        Rule::Window { count, .. } => slot.ring(count)?,
        Rule::Concurrency(_) => return None,
    };
    Some(Given { rule, words })
}

impl Slots {
    fn known<'a>(&'a self, given: &'a [Given<'a>]) -> Knowledge<'a> {
        Knowledge {
            scope: self.scope.words(),
            account: self.account.as_ref().map(|slot| slot.words()),
            tag: self.scope.index() as u16,
            given,
        }
    }

    /// Whether others wait already.
    fn are_awaited(&self) -> bool {
        [PlaceKind::Waiting, PlaceKind::WaitingWeb].into_iter().any(|kind| self.scope.taken(kind) > 0)
    }

    /// Whether it may come to waiting for a place: what is due at an instant needs none.
    fn count_places(&self, rules: &[Rule]) -> bool {
        let is_limited = |rule: &Rule| matches!(rule, Rule::Concurrency(_));
        rules.iter().any(is_limited) || self.scope.words().at_once().is_some()
    }

    /// Takes a place under each limit on what is in flight at once; `None`: one has no place free.
    fn places(&self, rules: &[Rule]) -> Option<Vec<Place>> {
        let mut places = Vec::new();
        for (rule, slot) in rules.iter().zip(&self.rules) {
            if let (Rule::Concurrency(most), Some(slot)) = (rule, slot) {
                places.push(slot.place(PlaceKind::InFlight, *most)?);
            }
        }
        let words = self.scope.words();
        if words.counts_in_flight() {
            places
                .push(self.scope.place_among_all(PlaceKind::InFlight, words.at_once().unwrap_or(u32::MAX))?);
        }
        Some(places)
    }
}
