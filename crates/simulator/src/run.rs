//! What came of one run, and of several seeds of it.

use crate::pacer::Call;

/// The hand-written loop gives up after so many.
const FEW_ATTEMPTS: u32 = 5;

#[derive(Clone, Debug, Default)]
pub struct Run {
    /// When the last job was served.
    pub makespan: f64,
    /// The same for each queue.
    pub queue_ends: Vec<f64>,
    pub sends: u64,
    /// By machine.
    pub accepted: Vec<u64>,
    pub refused: u64,
    /// Those of `refused` that were sent before the first answer arrived that told of a limit: a refusal, or quota
    /// headers.
    pub first_contact: u64,
    /// Times that a call was told to wait.
    pub waits: u64,
    pub served: u64,
    pub over_five: u64,
    pub lost: u64,
    pub max_attempts: u32,
    /// Jobs left when the run was broken off.
    pub unfinished: u64,
    /// How long each web page took.
    pub pages: Vec<f64>,
}

impl Run {
    #[must_use]
    pub fn new(machines: usize, queues: usize) -> Self {
        Self { accepted: vec![0; machines], queue_ends: vec![0.0; queues], ..Self::default() }
    }

    pub fn served(&mut self, call: &Call, queue: usize, now: f64) {
        self.served += 1;
        self.makespan = now;
        self.queue_ends[queue] = now;
        self.over_five += u64::from(call.attempts > FEW_ATTEMPTS);
        self.max_attempts = self.max_attempts.max(call.attempts);
    }

    /// Refusals that are not of the first contact.
    #[must_use]
    pub const fn later(&self) -> u64 {
        self.refused - self.first_contact
    }

    #[must_use]
    pub fn later_per_100_sends(&self) -> f64 {
        100.0 * self.later() as f64 / self.sends.max(1) as f64
    }

    #[must_use]
    pub fn all_accepted(&self) -> u64 {
        self.accepted.iter().sum()
    }

    /// The least that a machine got, as a part of its fair share.
    #[must_use]
    pub fn least_share(&self) -> f64 {
        let least = self.accepted.iter().min().copied().unwrap_or(0) as f64;
        least * self.accepted.len() as f64 / self.all_accepted().max(1) as f64
    }
}
