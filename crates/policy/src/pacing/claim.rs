//! What one call asks of all that is known, and how it takes its part of each.

use std::time::Duration;

use super::{
    Ask, Given, Knowledge, Ticket,
    gate::{self, Gate},
    pace, quota,
    window::{self, Role},
    words::{Word, Words},
};
use crate::time::Timestamp;

/// The place of what is held back by a learned window: after those of the quotas.
pub(super) const WINDOW: usize = Word::QUOTAS;

/// What holds a call back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) due: Timestamp,
    /// The quota that asks for it.
    pub(super) by_quota: Option<usize>,
}

impl Knowledge<'_> {
    /// Whether the learned pace holds. What is limited by a window, or by what is in flight, has none.
    pub(super) fn is_paced(&self, now: Timestamp) -> bool {
        !window::is_known(self.scope, now) && self.scope.at_once().is_none()
    }

    /// Where a page that waits says so. The caller's own limit counts for the whole account.
    fn web(&self) -> impl Iterator<Item = &Words> {
        [self.scope].into_iter().chain(self.account.filter(|_| !self.given.is_empty()))
    }

    pub(super) fn set_web_waiting(&self, until: Timestamp) {
        self.web().for_each(|words| words.set(Word::Web, until.as_nanos()));
    }

    /// Whether a page waits for the next slot.
    pub(super) fn is_web_waiting(&self, now: Timestamp) -> bool {
        let latest = now.after(gate::MAX_SHUT).after(gate::ASKED_LATER);
        let until = self.web().map(|words| Timestamp::from_nanos(words.get(Word::Web)));
        until.into_iter().any(|until| until > now && until <= latest)
    }

    /// Until when its own gate or that of its account is shut.
    pub(super) fn shut(&self, now: Timestamp) -> Option<Timestamp> {
        self.gates().filter_map(|words| Gate::read(words).shut(now)).max()
    }

    /// How far slots lie apart.
    pub(super) fn slot(&self) -> Duration {
        let given = self.given.iter().filter_map(Given::interval);
        given.chain(pace::pace(self.scope).map(pace::slot)).max().unwrap_or(Duration::from_secs(1))
    }

    fn gates(&self) -> impl Iterator<Item = &Words> {
        self.account.into_iter().chain([self.scope])
    }

    /// Those of the gates that are shut; a scout goes through all of them.
    fn shut_gates(&self, now: Timestamp) -> impl Iterator<Item = &Words> {
        self.gates().filter(move |words| Gate::read(words).shut(now).is_some())
    }

    pub(super) fn scouting(&self, now: Timestamp) -> Option<Timestamp> {
        self.shut_gates(now).filter_map(|words| gate::scouting(words, now)).max()
    }

    pub(super) fn scout_refused(&self, now: Timestamp) -> Option<Timestamp> {
        self.shut_gates(now).filter_map(|words| gate::scout_refused(words, now)).max()
    }

    pub(super) fn scout(&self, ask: &Ask, now: Timestamp) -> Option<Ticket> {
        let free = || self.shut_gates(now).all(|words| gate::become_scout(words, now));
        Some(Ticket { scout: true, ..self.pass(ask, false, now, free)? })
    }

    /// One that costs less than what the gate is shut for may pass, one at a time.
    pub(super) fn slip(&self, ask: &Ask, now: Timestamp) -> Option<Ticket> {
        let scope_alone = self.account.is_none_or(|account| Gate::read(account).shut(now).is_none());
        let is_small = ask.units() < self.scope.get(Word::GateUnits);
        let free = || scope_alone && is_small && gate::become_scout(self.scope, now);
        Some(Ticket { small: true, ..self.pass(ask, false, now, free)? })
    }

    pub(super) fn doubt(&self, ask: &Ask, place: usize, now: Timestamp) -> Option<Ticket> {
        let doubts = quota::doubt(self.scope, place);
        let role = if place == WINDOW { Role::Doubting } else { Role::Counted };
        let free = || gate::become_scout(self.scope, now);
        Some(Ticket { scout: true, doubts, role, ..self.pass(ask, true, now, free)? })
    }

    /// Goes although the gate or a header holds it back, if it is `free` to. The caller's own limit holds all the same.
    fn pass(&self, ask: &Ask, busy: bool, now: Timestamp, free: impl FnOnce() -> bool) -> Option<Ticket> {
        let units = ask.units();
        let given_due = self.given.iter().all(|given| given.due(units, now) <= now);
        (given_due && free() && self.take_given(units, now).is_ok()).then(|| {
            quota::spend(self.scope, ask, now);
            window::spend(self.scope, now);
            self.ticket(ask, busy, now)
        })
    }

    /// Takes a slot of each that has slots, or of none. The pace comes first: there others try at the same time.
    pub(super) fn take(&self, ask: &Ask, now: Timestamp) -> Result<Ticket, Held> {
        let units = ask.units();
        let own = |due| Held { due, by_quota: None };
        let paced = self.is_paced(now);
        let busy = paced && pace::take(self.scope, units, now).map_err(own)?;
        let rest = self.take_given(units, now).map_err(own).and_then(|()| {
            let told = quota::take(self.scope, ask, now);
            let told = told.map_err(|(due, place)| Held { due, by_quota: Some(place) });
            let role = told.and_then(|()| {
                window::take(self.scope, now).map_err(|due| Held { due, by_quota: Some(WINDOW) })
            });
            role.inspect_err(|_| self.given.iter().for_each(|given| given.give_back(units, now)))
        });
        match rest {
            Ok(role) => Ok(Ticket { role, ..self.ticket(ask, busy, now) }),
            Err(held) => {
                if paced {
                    pace::give_back(self.scope, units);
                }
                Err(held)
            }
        }
    }

    /// Takes a slot of each of the caller's rules, or of none. Who is killed in between has used some up.
    fn take_given(&self, units: u64, now: Timestamp) -> Result<(), Timestamp> {
        for (index, given) in self.given.iter().enumerate() {
            if let Err(due) = given.take(units, now) {
                self.given.iter().take(index).for_each(|taken| taken.give_back(units, now));
                return Err(due);
            }
        }
        Ok(())
    }

    fn ticket(&self, ask: &Ask, busy: bool, now: Timestamp) -> Ticket {
        let scope = self.scope;
        let gap = now.since(Timestamp::from_nanos(scope.get(Word::LastSent)));
        super::note_busy(scope, now);
        window::sent(scope, now);
        let units = ask.units();
        let asked = quota::tokens(scope, ask);
        Ticket {
            sent_at: now,
            epoch: Gate::read(scope).epoch,
            units,
            serial: scope.add(Word::Sent, units),
            number: scope.add(Word::Sends, 1),
            refusals: scope.get(Word::Refusals),
            gap,
            tokens: scope.add(Word::Tokens, asked as u64),
            asked,
            guessed: if ask.cost.is_some() { 0.0 } else { ask.tokens },
            scout: false,
            small: false,
            doubts: None,
            busy,
            role: Role::Counted,
            pace: pace::pace(scope).unwrap_or(0.0),
        }
    }
}
