//! Workers with queues of jobs, a server, and what lies between them.

use std::collections::VecDeque;

use crate::{pacer::Pacer, run::Run, running::Running, server::Server};

#[derive(Clone, Copy, Debug)]
pub struct Job {
    pub cost: f64,
    pub estimate: f64,
    /// Not begun before.
    pub ready: f64,
    /// The seconds it has from `ready` on.
    pub budget: Option<f64>,
}

#[derive(Clone, Copy, Debug)]
pub struct Worker {
    pub queue: usize,
    pub machine: usize,
    pub web: bool,
}

#[derive(Clone, Debug)]
pub struct World {
    pub server: Server,
    /// The jobs of each queue; a queue's number is also the scope of its requests, or less.
    pub queues: Vec<VecDeque<Job>>,
    pub workers: Vec<Worker>,
    pub scopes: usize,
    /// Seconds that an accepted request takes, give or take 20 %.
    pub latency: f64,
    pub refusal_latency: f64,
    /// How late a timer is.
    pub late: (f64, f64),
    /// How long a request is on its way.
    pub arrival: (f64, f64),
    /// Seconds from one kill to the next.
    pub kill_every: Option<f64>,
    /// Requests a second of somebody else, at scope 0.
    pub stranger: f64,
    pub horizon: f64,
    pub trace: bool,
}

impl World {
    /// Until all jobs are served or lost. The same seed gives the same run.
    pub fn run(self, pacer: &mut dyn Pacer, seed: u64) -> Run {
        let mut running = Running::new(self, pacer, seed);
        running.all();
        running.into_run()
    }

    #[must_use]
    pub fn machines(&self) -> usize {
        self.workers.iter().map(|worker| worker.machine + 1).max().unwrap_or(1)
    }
}
