//! The rows of "What it must reach" in the design of pacing, and some more that ask nothing.

mod learned;
mod others;
mod told;

use crate::{
    limits::{Begin, Bucket, Limit, Window},
    rivals::Knows,
    row::{Best, Costs, Queue, Row, SHARP, Target},
    server::Says,
};

#[must_use]
pub fn all() -> Vec<Row> {
    [learned::rows(), told::rows(), others::rows()].concat()
}

/// A token bucket, 40 s of it: jobs of cost 1 for `workers` hands that need `latency` each.
fn bucket(group: &'static str, (rate, burst): (f64, f64), says: Says, workers: usize, latency: f64) -> Row {
    let pace = if rate.fract() == 0.0 { format!("{rate}") } else { format!("{:.0}-min", rate * 60.0) };
    Row {
        group,
        name: format!("{}/{pace}/b{burst}/w{workers}/{}", kind(says), short(latency)),
        limits: vec![Limit::Bucket(Bucket::new(rate, burst))],
        best: vec![Best::Bucket { steps: vec![(0.0, rate)], burst }],
        says,
        quota: None,
        queues: vec![Queue { jobs: (rate * 40.0) as usize, costs: Costs::One, workers, pages: None }],
        machines: 1,
        latency,
        refusal_latency: 0.002,
        late: SHARP,
        kill_every: None,
        stranger: 0.0,
        given: None,
        knows: Some(Knows::Rate { rate, burst }),
        target: Target::default(),
    }
}

/// Eight fixed windows and a half.
fn window(
    group: &'static str,
    (count, period): (f64, f64),
    begin: Begin,
    says: Says,
    workers: usize,
    latency: f64,
) -> Row {
    let (first_end, from) = match begin {
        Begin::At(phase) => (phase, ""),
        Begin::FirstRequest => (period, "/from-first"),
    };
    let name = format!("{}/{count}-per-{period}s{from}/w{workers}/{}", kind(says), short(latency));
    Row {
        name,
        limits: vec![Limit::Window(Window::new(count, period, begin))],
        best: vec![Best::Window { steps: vec![(0.0, count)], period, first_end }],
        queues: vec![Queue { jobs: (count * 8.5) as usize, costs: Costs::One, workers, pages: None }],
        knows: matches!(begin, Begin::At(_)).then_some(Knows::Window { count, period, phase: first_end }),
        ..bucket(group, (count / period, count), says, workers, latency)
    }
}

const fn kind(says: Says) -> &'static str {
    match says {
        Says::Nothing => "bare",
        Says::Seconds => "seconds",
        Says::Millis => "ms",
    }
}

fn short(latency: f64) -> String {
    if latency < 1.0 { format!("{:.0}ms", latency * 1e3) } else { format!("{latency}s") }
}

fn asks(ratio: f64, per_100: f64) -> Target {
    Target { ratio: Some(ratio), per_100: Some(per_100), ..Target::default() }
}

/// Hands and latencies that can use the rate up.
fn hands(rate: f64) -> [(usize, f64); 3] {
    [(10, 0.02), (16, 0.02), if rate < 30.0 { (16, 0.5) } else { (16, 0.25) }]
}

impl Row {
    fn asking(self, target: Target) -> Self {
        Self { target, ..self }
    }

    fn with_jobs(mut self, jobs: f64) -> Self {
        self.queues[0].jobs = jobs as usize;
        self
    }

    fn named(self, name: &str) -> Self {
        Self { name: format!("{}/{name}", self.name), ..self }
    }

    /// The optimum when each job costs what it costs on average.
    fn optimum(&self) -> f64 {
        let queue = &self.queues[0];
        let total = self.jobs() * queue.costs.mean();
        self.best[0].time(self.jobs(), total, queue.workers as f64, self.latency)
    }
}
