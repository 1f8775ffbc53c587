//! What the world asks of those who decide when a request is sent.

use http::HeaderMap;
use policy::Timestamp;
use rand::rngs::StdRng;

/// One job in the hands of one worker.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    pub worker: usize,
    pub machine: usize,
    pub scope: usize,
    /// A person waits for it.
    pub web: bool,
    pub cost: f64,
    /// What the caller thinks that it costs.
    pub estimate: f64,
    pub deadline: Option<Timestamp>,
    /// Sends already made.
    pub attempts: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Send,
    /// Ask again then.
    Wait(Timestamp),
    Lost(&'static str),
}

/// An answer's headers have arrived.
#[derive(Clone, Copy, Debug)]
pub struct Got<'a> {
    pub accepted: bool,
    pub headers: &'a HeaderMap,
    pub now: Timestamp,
    /// When the request was sent.
    pub sent: Timestamp,
    /// Others of this machine and scope.
    pub in_flight: u32,
}

pub trait Pacer {
    /// May this call be sent now?
    fn next(&mut self, call: &Call, now: Timestamp) -> Step;

    /// What follows the answer; `call.attempts` counts its send. Used only if it was refused.
    fn answered(&mut self, call: &Call, got: &Got<'_>, random: &mut StdRng) -> Step;

    /// The worker's call is over; killed, if nothing in the process could run any more.
    fn over(&mut self, _worker: usize, _killed: bool) {}
}
