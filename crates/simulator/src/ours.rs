//! The code that ships, `policy::pacing`, behind the simulator's trait.

use std::{mem::ManuallyDrop, sync::atomic::AtomicU64};

use http::Method;
use policy::{
    Options, Outcome, Settings, Situation, Timestamp, Verdict, decide,
    idempotency::KeyOrigin,
    limit::Rule,
    pacing::{self, Ask, Class, Given, Knowledge, Next, Seen, Ticket, Waiter, Words},
};
use rand::rngs::StdRng;

use crate::{
    clock,
    pacer::{Call, Got, Pacer, Step},
};

/// All processes of all machines.
#[derive(Debug)]
pub struct Ours {
    settings: Settings,
    machines: Vec<Machine>,
    /// By worker: the call in its hands.
    calls: Vec<Option<Held>>,
}

/// What the processes of one machine share.
#[derive(Debug)]
struct Machine {
    account: Words,
    scopes: Vec<Words>,
    /// By rule of the caller's limit.
    given: Vec<Vec<AtomicU64>>,
}

#[derive(Debug)]
struct Held {
    waiter: Waiter,
    /// While its request is in flight.
    ticket: Option<Ticket>,
    machine: usize,
    scope: usize,
}

impl Ours {
    /// # Panics
    /// When `limit` is none.
    #[must_use]
    pub fn new(machines: usize, scopes: usize, workers: usize, limit: Option<&str>) -> Self {
        let options = Options { limit: limit.map(str::to_owned), ..Options::default() };
        let settings = options.validate().unwrap_or_else(|error| panic!("{error}"));
        let machine = |_| Machine {
            account: Words::default(),
            scopes: (0..scopes).map(|_| Words::default()).collect(),
            given: rules(&settings).map(words_of).collect(),
        };
        Self {
            machines: (0..machines).map(machine).collect(),
            calls: (0..workers).map(|_| None).collect(),
            settings,
        }
    }
}

/// The rules that `policy::pacing` keeps; those of concurrency are the client's.
fn rules(settings: &Settings) -> impl Iterator<Item = &Rule> {
    let all = settings.limit.iter().flat_map(|limit| &limit.rules);
    all.filter(|rule| !matches!(rule, Rule::Concurrency(_)))
}

fn words_of(rule: &Rule) -> Vec<AtomicU64> {
    let count = match *rule {
        Rule::Window { count, .. } => count,
        _ => 1,
    };
    (0..count).map(|_| AtomicU64::new(0)).collect()
}

impl Machine {
    fn given<'a>(&'a self, settings: &'a Settings) -> Vec<Given<'a>> {
        rules(settings).zip(&self.given).map(|(rule, words)| Given { rule, words }).collect()
    }

    fn knows<'a>(&'a self, scope: usize, given: &'a [Given<'a>]) -> Knowledge<'a> {
        Knowledge { scope: &self.scopes[scope], account: Some(&self.account), tag: scope as u16, given }
    }
}

impl Pacer for Ours {
    fn next(&mut self, call: &Call, now: Timestamp) -> Step {
        let same = |held: &&Held| held.machine == call.machine && held.scope == call.scope;
        let in_flight = self.calls.iter().flatten().filter(same).filter(|held| held.ticket.is_some()).count();
        let class = if call.web { Class::Web } else { Class::Batch };
        let held = self.calls[call.worker].get_or_insert_with(|| Held {
            waiter: Waiter::new(&self.settings, class, call.deadline),
            ticket: None,
            machine: call.machine,
            scope: call.scope,
        });
        let machine = &self.machines[call.machine];
        let given = machine.given(&self.settings);
        let known = machine.knows(call.scope, &given);
        let next = if known.scope.at_once().is_some_and(|most| in_flight >= most as usize) {
            held.waiter.next_place(&known, now)
        } else {
            let ask = Ask { cost: Some(call.estimate), tokens: call.estimate };
            held.waiter.next(&known, &ask, call.attempts, now)
        };
        match next {
            Next::Send(ticket) => {
                held.ticket = Some(ticket);
                Step::Send
            }
            Next::Wait { until } => Step::Wait(until),
            Next::OverBudget { .. } => Step::Lost("LOST: over budget"),
            Next::RateLimited { .. } => Step::Lost("LOST: rate limited"),
        }
    }

    fn answered(&mut self, call: &Call, got: &Got<'_>, random: &mut StdRng) -> Step {
        let wall = clock::wall(clock::seconds(got.now));
        let machine = &self.machines[call.machine];
        let given = machine.given(&self.settings);
        let knowledge = machine.knows(call.scope, &given);
        let status = if got.accepted { 200 } else { 429 };
        let what = if got.accepted {
            pacing::What::Accepted
        } else {
            pacing::What::Refused { wish: policy::server_wish::in_headers(got.headers, wall) }
        };
        let quotas = policy::quota_headers::read(got.headers, wall);
        let seen = Seen { what, quotas: &quotas, in_flight: Some(got.in_flight) };
        if let Some(ticket) = self.calls[call.worker].as_mut().and_then(|held| held.ticket.take()) {
            pacing::observe(&knowledge, &ticket, &seen, got.now);
            if got.accepted {
                pacing::spent(knowledge.scope, &ticket, call.cost);
            }
        }
        let situation = Situation {
            method: &Method::POST,
            attempt: call.attempts,
            key: KeyOrigin::Ours,
            now: got.now,
            deadline: call.deadline,
        };
        let outcome =
            Outcome::Answer { status, headers: got.headers, body: &[], arrived: got.now, arrived_wall: wall };
        match decide(&self.settings, &situation, &outcome, random) {
            Verdict::Retry { due, .. } => Step::Wait(due),
            Verdict::Exhausted => Step::Lost("LOST: attempts used up"),
            Verdict::OverBudget { .. } => Step::Lost("LOST: wait over budget"),
            Verdict::End(_) => Step::Lost("answered"),
        }
    }

    fn over(&mut self, worker: usize, killed: bool) {
        let held = self.calls[worker].take();
        if killed {
            // Nothing of a killed process runs any more, no destructor either.
            let _ = ManuallyDrop::new(held);
        }
    }
}
