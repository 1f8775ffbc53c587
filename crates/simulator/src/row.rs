//! One row of the table: a world, what is best in it, and what must be reached.

use std::collections::VecDeque;

use rand::{SeedableRng, rngs::StdRng};

use crate::{
    draw::{between, lognormal},
    limits::Limit,
    optimum,
    ours::Ours,
    pacer::Pacer,
    quota::Family,
    rivals::{Aws, Backoff, Knows, Oracle, Wish},
    run::Run,
    server::{Says, Server},
    world::{Job, Worker, World},
};

/// A timer of `clock_nanosleep`, and the worst one.
pub const SHARP: (f64, f64) = (0.000_05, 0.000_2);
pub const BLUNT: (f64, f64) = (0.000_1, 0.001_9);

/// From send to the server's counter.
const ARRIVAL: (f64, f64) = (0.000_1, 0.000_8);

#[derive(Clone, Copy, Debug)]
pub enum Costs {
    One,
    /// Lognormal with this mean and coefficient of variation, between these; the caller's estimate is off by up to
    /// this factor to either side.
    Tokens {
        mean: f64,
        cv: f64,
        least: f64,
        most: f64,
        off: f64,
    },
}

#[derive(Clone, Debug)]
pub struct Queue {
    pub jobs: usize,
    pub costs: Costs,
    pub workers: usize,
    /// Pages that come at this many a second; otherwise all jobs are there at the start.
    pub pages: Option<f64>,
}

/// The least time in which a limit lets all through.
#[derive(Clone, Debug)]
pub enum Best {
    Bucket { steps: Vec<(f64, f64)>, burst: f64 },
    Window { steps: Vec<(f64, f64)>, period: f64, first_end: f64 },
    Log { count: f64, period: f64 },
    AtOnce(f64),
}

/// `None` asks nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Target {
    /// Makespan / optimum.
    pub ratio: Option<f64>,
    /// The ratio may also be this part of accepted / jobs.
    pub of_accepted: bool,
    /// 429s per 100 sends after the first contact.
    pub per_100: Option<f64>,
    /// 429s after the first contact.
    pub later: Option<f64>,
    /// 429s, the first contact included.
    pub all: Option<f64>,
    /// Of the fair share, for the machine that got least.
    pub share: Option<f64>,
}

#[derive(Clone, Debug)]
pub struct Row {
    pub group: &'static str,
    pub name: String,
    /// By scope.
    pub limits: Vec<Limit>,
    pub best: Vec<Best>,
    pub says: Says,
    pub quota: Option<Family>,
    /// By scope; a second queue with a single limit shares it.
    pub queues: Vec<Queue>,
    pub machines: usize,
    pub latency: f64,
    pub refusal_latency: f64,
    pub late: (f64, f64),
    pub kill_every: Option<f64>,
    pub stranger: f64,
    /// The caller's own limit.
    pub given: Option<&'static str>,
    pub knows: Option<Knows>,
    pub target: Target,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    Ours,
    HandWritten,
    EndlessBackoff,
    EndlessRetryAfter,
    AwsPerProcess,
    AwsShared,
    Oracle,
}

impl Who {
    pub const RIVALS: [Self; 6] = [
        Self::HandWritten,
        Self::EndlessBackoff,
        Self::EndlessRetryAfter,
        Self::AwsPerProcess,
        Self::AwsShared,
        Self::Oracle,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ours => "RetryClient",
            Self::HandWritten => "hand-written loop",
            Self::EndlessBackoff => "backoff without end",
            Self::EndlessRetryAfter => "Retry-After without end",
            Self::AwsPerProcess => "AWS adaptive, each process",
            Self::AwsShared => "AWS adaptive, shared",
            Self::Oracle => "oracle",
        }
    }
}

/// A run and its measure.
#[derive(Debug)]
pub struct Measured {
    pub run: Run,
    pub optimum: f64,
    pub ratio: f64,
}

impl Row {
    /// `None` when this pacer has no sense in this row.
    #[must_use]
    pub fn run(&self, who: Who, seed: u64, trace: bool) -> Option<Measured> {
        let mut pacer = self.pacer(who)?;
        let random = &mut StdRng::seed_from_u64(seed ^ 0x005e_ed0f_10b5);
        let queues: Vec<VecDeque<Job>> = self.queues.iter().map(|queue| queue.draw(random)).collect();
        let optima = self.optima(&queues);
        let longest = optima.iter().copied().fold(0.0, f64::max);
        let world = World {
            server: Server { limits: self.limits.clone(), says: self.says, quota: self.quota },
            workers: self.workers(),
            queues,
            scopes: self.limits.len(),
            latency: self.latency,
            refusal_latency: self.refusal_latency,
            late: self.late,
            arrival: ARRIVAL,
            kill_every: self.kill_every,
            stranger: self.stranger,
            horizon: longest.mul_add(10.0, 100.0),
            trace,
        };
        let run = world.run(&mut *pacer, seed);
        let ratios = optima.iter().enumerate().map(|(queue, optimum)| {
            let end = if optima.len() == 1 { run.makespan } else { run.queue_ends[queue] };
            end / optimum
        });
        let ratio = if run.unfinished > 0 { f64::INFINITY } else { ratios.fold(0.0, f64::max) };
        Some(Measured { run, optimum: longest, ratio })
    }

    #[must_use]
    pub fn jobs(&self) -> f64 {
        self.queues.iter().map(|queue| queue.jobs).sum::<usize>() as f64
    }

    fn pacer(&self, who: Who) -> Option<Box<dyn Pacer>> {
        let workers = self.workers().len();
        Some(match who {
            Who::Ours => Box::new(Ours::new(self.machines, self.limits.len(), workers, self.given)),
            Who::HandWritten => Box::new(Backoff::hand_written()),
            Who::EndlessBackoff => Box::new(Backoff::endless(Wish::Ignored)),
            Who::EndlessRetryAfter if self.says == Says::Nothing => return None,
            Who::EndlessRetryAfter => Box::new(Backoff::endless(Wish::Honoured)),
            Who::AwsPerProcess => Box::new(Aws::per_process(workers)),
            Who::AwsShared => Box::new(Aws::shared()),
            Who::Oracle => Box::new(Oracle::new(self.knows?)),
        })
    }

    fn workers(&self) -> Vec<Worker> {
        let of_queue = |(number, queue): (usize, &Queue)| {
            let web = queue.pages.is_some();
            let machines = self.machines;
            (0..queue.workers).map(move |worker| Worker { queue: number, machine: worker % machines, web })
        };
        self.queues.iter().enumerate().flat_map(of_queue).collect()
    }

    /// By limit. A queue beyond the limits shares the last one, and its jobs count there.
    fn optima(&self, queues: &[VecDeque<Job>]) -> Vec<f64> {
        let last = self.limits.len() - 1;
        let of_limit = |(number, best): (usize, &Best)| {
            let mine = |queue: usize| queue.min(last) == number;
            let jobs =
                || queues.iter().enumerate().filter(|(queue, _)| mine(*queue)).flat_map(|(_, jobs)| jobs);
            let total: f64 = jobs().map(|job| job.cost).sum();
            let specs = self.queues.iter().enumerate().filter(|(queue, _)| mine(*queue));
            let workers: usize = specs.map(|(_, queue)| queue.workers).sum();
            best.time(jobs().count() as f64, total, workers as f64, self.latency)
        };
        self.best.iter().enumerate().map(of_limit).collect()
    }
}

impl Queue {
    fn draw(&self, random: &mut StdRng) -> VecDeque<Job> {
        let mut ready = 0.0;
        let mut jobs = VecDeque::new();
        for _ in 0..self.jobs {
            if let Some(rate) = self.pages {
                ready += crate::draw::exponential(random, rate);
            }
            let (cost, estimate) = self.costs.draw(random);
            jobs.push_back(Job { cost, estimate, ready, budget: None });
        }
        jobs
    }
}

impl Costs {
    #[must_use]
    pub const fn mean(self) -> f64 {
        match self {
            Self::One => 1.0,
            Self::Tokens { mean, .. } => mean,
        }
    }

    fn draw(self, random: &mut StdRng) -> (f64, f64) {
        match self {
            Self::One => (1.0, 1.0),
            Self::Tokens { mean, cv, least, most, off } => {
                let cost = lognormal(random, mean, cv).clamp(least, most).round();
                let estimate = cost * between(random, (-off.ln(), off.ln())).exp();
                (cost, estimate.round())
            }
        }
    }
}

impl Best {
    #[must_use]
    pub fn time(&self, jobs: f64, total: f64, workers: f64, latency: f64) -> f64 {
        let work = optimum::work(jobs, workers, latency);
        match *self {
            Self::Bucket { ref steps, burst } => work.max(optimum::bucket(steps, burst, total) + latency),
            Self::Window { ref steps, period, first_end } => {
                optimum::windows(steps, period, first_end, total, workers, latency)
            }
            Self::Log { count, period } => {
                let whole = (total / count).ceil() - 1.0;
                work.max(whole * period + optimum::work(total - whole * count, workers, latency))
            }
            Self::AtOnce(most) => optimum::work(jobs, workers.min(most), latency),
        }
    }
}
