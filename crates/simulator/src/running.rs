//! The event loop: who does what when.

use std::{
    collections::{BinaryHeap, VecDeque},
    fmt,
    io::{self, Write},
    process,
};

use http::HeaderMap;
use policy::Timestamp;
use rand::{SeedableRng, rngs::StdRng};

use crate::{
    clock,
    draw::{between, exponential, index},
    event::{Event, What},
    pacer::{Call, Got, Pacer, Step},
    run::Run,
    world::{Job, World},
};

/// A killed worker's job begins again in a new process after this.
const RESTART: f64 = 0.06;

/// More than any sound run has.
const MOST_EVENTS: u64 = 20_000_000;

#[derive(Debug, Default)]
struct Hand {
    /// Counts the processes that were this worker.
    life: u32,
    call: Option<Call>,
    job: Option<Job>,
    in_flight: bool,
}

pub(crate) struct Running<'a> {
    world: World,
    pacer: &'a mut dyn Pacer,
    random: StdRng,
    events: BinaryHeap<Event>,
    serial: u64,
    hands: Vec<Hand>,
    /// By machine and scope: when the first answer arrived that told of a limit.
    first_news: Vec<Option<Timestamp>>,
    left: usize,
    run: Run,
}

impl<'a> Running<'a> {
    pub(crate) fn new(world: World, pacer: &'a mut dyn Pacer, seed: u64) -> Self {
        let machines = world.machines();
        Self {
            random: StdRng::seed_from_u64(seed),
            events: BinaryHeap::new(),
            serial: 0,
            hands: world.workers.iter().map(|_| Hand::default()).collect(),
            first_news: vec![None; machines * world.scopes],
            left: world.queues.iter().map(VecDeque::len).sum(),
            run: Run::new(machines, world.queues.len()),
            world,
            pacer,
        }
    }

    pub(crate) fn into_run(self) -> Run {
        self.run
    }

    pub(crate) fn all(&mut self) {
        for worker in 0..self.hands.len() {
            self.take(worker, 0.0);
        }
        if let Some(every) = self.world.kill_every {
            self.push(every, 0, What::Kill);
        }
        if self.world.stranger > 0.0 {
            let first = exponential(&mut self.random, self.world.stranger);
            self.push(first, 0, What::Stranger);
        }
        while self.left > 0
            && let Some(event) = self.events.pop()
        {
            let now = clock::seconds(event.at);
            if now > self.world.horizon || self.serial > MOST_EVENTS {
                self.run.unfinished = self.left as u64;
                return;
            }
            self.handle(event, now);
        }
    }

    fn handle(&mut self, event: Event, now: f64) {
        let worker = event.worker;
        let alive = self.hands.get(worker).is_some_and(|hand| hand.life == event.life);
        match event.what {
            What::Try if alive => self.ask(worker, event.at, now),
            What::Arrive { scope, machine, cost, sent } => {
                self.arrive(worker, event.life, (scope, machine), cost, sent, now);
            }
            What::Return { accepted, headers, sent } if alive => {
                self.receive(worker, event.at, accepted, &headers, sent);
            }
            What::Try | What::Return { .. } => {}
            What::Finish { scope } => self.world.server.finish(scope),
            What::Kill => self.kill(now),
            What::Stranger => {
                let answer = self.world.server.hit(0, now, 1.0);
                self.note(
                    now,
                    usize::MAX,
                    format_args!("{}", if answer.accepted { "accepted" } else { "refused" }),
                );
                let next = now + exponential(&mut self.random, self.world.stranger);
                self.push(next, 0, What::Stranger);
            }
        }
    }

    /// The worker takes the next job.
    fn take(&mut self, worker: usize, now: f64) {
        let spec = self.world.workers[worker];
        if let Some(job) = self.world.queues[spec.queue].pop_front() {
            let begins =
                job.ready.max(now) + if now == 0.0 { between(&mut self.random, (0.0, 0.002)) } else { 0.0 };
            self.begin(worker, job, begins);
        }
    }

    fn begin(&mut self, worker: usize, job: Job, at: f64) {
        let spec = self.world.workers[worker];
        let hand = &mut self.hands[worker];
        hand.job = Some(job);
        hand.in_flight = false;
        hand.call = Some(Call {
            worker,
            machine: spec.machine,
            scope: spec.queue.min(self.world.scopes - 1),
            web: spec.web,
            cost: job.cost,
            estimate: job.estimate,
            deadline: job.budget.map(|budget| clock::stamp(job.ready + budget)),
            attempts: 0,
        });
        self.push(at, worker, What::Try);
    }

    fn ask(&mut self, worker: usize, at: Timestamp, now: f64) {
        let Some(call) = self.hands[worker].call else { return };
        match self.pacer.next(&call, at) {
            Step::Send => {
                let hand = &mut self.hands[worker];
                hand.in_flight = true;
                if let Some(call) = &mut hand.call {
                    call.attempts += 1;
                }
                self.run.sends += 1;
                self.note(now, worker, format_args!("send {}", call.attempts + 1));
                let arrives = now + between(&mut self.random, self.world.arrival);
                let (scope, machine, cost) = (call.scope, call.machine, call.cost);
                self.push(arrives, worker, What::Arrive { scope, machine, cost, sent: at });
            }
            step => self.wait_or_lose(worker, step, at, now),
        }
    }

    fn wait_or_lose(&mut self, worker: usize, step: Step, at: Timestamp, now: f64) {
        match step {
            Step::Wait(until) => {
                let until = clock::seconds(until.max(at));
                self.note(now, worker, format_args!("wait {:.4}", until - now));
                self.run.waits += 1;
                let wakes = until + between(&mut self.random, self.world.late);
                self.push(wakes, worker, What::Try);
            }
            Step::Lost(why) => {
                self.note(now, worker, format_args!("{why}"));
                self.run.lost += 1;
                self.done(worker, now);
            }
            Step::Send => self.push(now, worker, What::Try),
        }
    }

    /// A request reaches the server, whether or not its worker still lives.
    fn arrive(
        &mut self,
        worker: usize,
        life: u32,
        (scope, machine): (usize, usize),
        cost: f64,
        sent: Timestamp,
        now: f64,
    ) {
        let answer = self.world.server.hit(scope, now, cost);
        let took = if answer.accepted {
            self.run.accepted[machine] += 1;
            self.world.latency * between(&mut self.random, (0.8, 1.2))
        } else {
            self.run.refused += 1;
            if self.first_news[machine * self.world.scopes + scope].is_none_or(|first| sent < first) {
                self.run.first_contact += 1;
            }
            self.world.refusal_latency
        };
        self.note(now, worker, format_args!("{}", if answer.accepted { "accepted" } else { "REFUSED" }));
        if answer.accepted {
            self.push(now + took, worker, What::Finish { scope });
        }
        let what = What::Return { accepted: answer.accepted, headers: Box::new(answer.headers), sent };
        self.serial += 1;
        self.events.push(Event { at: clock::stamp(now + took), serial: self.serial, worker, life, what });
    }

    fn receive(
        &mut self,
        worker: usize,
        at: Timestamp,
        accepted: bool,
        headers: &HeaderMap,
        sent: Timestamp,
    ) {
        let now = clock::seconds(at);
        let Some(call) = self.hands[worker].call else { return };
        self.hands[worker].in_flight = false;
        let same = |hand: &&Hand| {
            hand.in_flight
                && hand.call.is_some_and(|other| (other.machine, other.scope) == (call.machine, call.scope))
        };
        let in_flight = self.hands.iter().filter(same).count() as u32;
        let got = Got { accepted, headers, now: at, sent, in_flight };
        let step = self.pacer.answered(&call, &got, &mut self.random);
        self.note(now, worker, format_args!("answer {} {headers:?}", if accepted { 200 } else { 429 }));
        if !accepted || self.world.server.quota.is_some() {
            self.first_news[call.machine * self.world.scopes + call.scope].get_or_insert(at);
        }
        if accepted {
            self.run.served(&call, self.world.workers[worker].queue, now);
            if let Some(job) = self.hands[worker].job.filter(|_| call.web) {
                self.run.pages.push(now - job.ready);
            }
            self.done(worker, now);
        } else {
            self.run.max_attempts = self.run.max_attempts.max(call.attempts);
            self.wait_or_lose(worker, step, at, now);
        }
    }

    fn done(&mut self, worker: usize, now: f64) {
        self.pacer.over(worker, false);
        self.left -= 1;
        let hand = &mut self.hands[worker];
        (hand.call, hand.job, hand.in_flight) = (None, None, false);
        self.take(worker, now);
    }

    /// kill -9 of a random worker, which may have nothing to do.
    fn kill(&mut self, now: f64) {
        let worker = index(&mut self.random, self.hands.len());
        if let Some(job) = self.hands[worker].job {
            self.note(now, worker, format_args!("KILLED"));
            self.pacer.over(worker, true);
            self.hands[worker].life += 1;
            self.begin(worker, job, now + RESTART);
        }
        let next = now + self.world.kill_every.unwrap_or(f64::INFINITY);
        self.push(next, 0, What::Kill);
    }

    fn push(&mut self, at: f64, worker: usize, what: What) {
        self.serial += 1;
        let life = self.hands[worker].life;
        self.events.push(Event { at: clock::stamp(at), serial: self.serial, worker, life, what });
    }

    fn note(&self, now: f64, worker: usize, what: fmt::Arguments<'_>) {
        if !self.world.trace {
            return;
        }
        let who = if worker == usize::MAX { "stranger".to_owned() } else { format!("worker {worker:2}") };
        // Whoever reads only the beginning closes the pipe.
        if writeln!(io::stdout(), "{now:12.5}  {who}  {what}").is_err() {
            process::exit(0);
        }
    }
}
