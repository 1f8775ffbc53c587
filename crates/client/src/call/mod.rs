//! One call, from its first attempt to its end: what it is, what it asks from outside, how it ends.

use std::{path::PathBuf, rc::Rc, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, Method};
use policy::{Attempt, Settings, Timestamp, pacing::Class};
use url::Url;

use crate::{Body, Failed, Response, Route};

mod attempt;
mod hand_over;
mod hold_back;
mod incoming;
mod lane;
mod outside;
mod prepare;
mod received;
mod record;
mod redirect;
mod run;
mod sink;

pub use incoming::{Begun, Incoming};
pub use lane::Lane;
pub(crate) use outside::{Answer, Outside, Question};
pub(crate) use prepare::IDEMPOTENCY_KEY;
pub(crate) use redirect::is_credential;
pub(crate) use run::run;

/// What is sent on every attempt.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: Method,
    /// Absolute, http or https. Its userinfo becomes an Authorization header when there is none.
    pub uri: Url,
    pub headers: HeaderMap,
    pub body: Body,
}

/// A request and the rules it is sent under.
#[derive(Clone, Debug)]
pub struct Call {
    pub request: Request,
    pub settings: Arc<Settings>,
    pub route: Arc<Route>,
    pub deadline: Option<Timestamp>,
    /// From its first place in the lane on: those before it there are no fault of its.
    pub budget: Option<Duration>,
    /// The largest body kept in memory, after decompression.
    pub max_body: u64,
    pub sink: Sink,
    /// Whether a final status of 400 and above goes to the sink too; otherwise its body stays in memory.
    pub sink_errors: bool,
    pub hooks: Hooks,
    pub limits: Limits,
    /// Shared with the other calls of its batch.
    pub lane: Option<Rc<Lane>>,
}

/// How a call stands to the limits it is under.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Whether to share what is known with the other processes of this user.
    pub share: bool,
    /// What limits apply to; `None`: derived from the request.
    pub key: Option<String>,
    /// `None`: 1 where requests are counted, an estimate where tokens are.
    pub cost: Option<f64>,
    pub class: Class,
    /// How many processes may wait for one key at once.
    pub max_waiting: Option<u32>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { share: true, key: None, cost: None, class: Class::Batch, max_waiting: None }
    }
}

/// Where the final response's body goes.
#[derive(Clone, Debug)]
pub enum Sink {
    Memory,
    /// Memory, too: that of the caller, if the body is long and says so beforehand ([`Step::Room`]).
    Lent,
    /// Written beside and renamed when complete.
    File(PathBuf),
    /// Seen while it arrives ([`Step::Moved`]).
    Handed(Rc<Incoming>),
    /// Handed out chunk by chunk as [`Step::SinkWrite`]. `rewindable`: it can be cut back to where it
    /// was ([`Step::SinkRewind`]), so that a broken body can be sent for again.
    Stream {
        rewindable: bool,
    },
}

/// Which hooks the caller wants to be asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hooks {
    pub attempt: bool,
    pub retry: bool,
    pub outcome: bool,
}

/// What a call needs next. Each is answered by the function named, then the call is driven on.
#[derive(Debug)]
pub enum Step {
    /// About to send: `answer_attempt` with headers to add.
    Attempt { number: u32 },
    /// A send has ended: `answer_outcome`. `attempts` ends with it.
    Outcome { attempts: Vec<Attempt>, response: Option<Response>, waited: Duration, elapsed: Duration },
    /// About to wait: `answer_retry`, false to stop.
    Retry { attempt: Attempt, wait: Duration },
    /// `answer_sink`.
    SinkWrite(Bytes),
    /// Cut the sink back to where it was before the call: `answer_sink`.
    SinkRewind,
    /// Memory for a body of so many bytes: `answer_room`, `None` to have it in memory of the call's own.
    Room { length: usize },
    /// There is more to see of the answer ([`Sink::Handed`]), or a call waits and leaves its lane to others. Needs no
    /// answer.
    Moved,
    /// Scripted transport only: `answer_exchange`.
    Exchange(Request),
    /// The interrupt check said yes: handle it, then drive on. Needs no answer.
    Interrupted,
    /// The call is over and gone.
    Done(Box<Ended>),
}

/// How a call ended, and the way there.
#[derive(Clone, Debug)]
pub struct Ended {
    pub end: End,
    pub attempts: Vec<Attempt>,
    /// Between attempts, pacing included.
    pub waited: Duration,
    pub elapsed: Duration,
}

#[derive(Clone, Debug)]
pub enum End {
    /// A final answer: a status that is not retried, or one that a rule stops.
    Answer(Response),
    /// The last allowed attempt still got a retryable status, or the retry hook stopped.
    GaveUp(Response),
    /// No response, and no further attempt.
    Failed(Failed),
    /// The time left does not reach. `cut`: the deadline ended an attempt.
    OverBudget {
        response: Option<Response>,
        retry_after: Option<Duration>,
        needed: Duration,
        left: Duration,
        cut: Option<Failed>,
    },
    /// Held back for all its waits.
    RateLimited { response: Option<Response>, retry_after: Duration },
}

impl End {
    /// The answer that there is to show, final or not.
    #[must_use]
    pub fn response(&self) -> Option<&Response> {
        match self {
            Self::Answer(response) | Self::GaveUp(response) => Some(response),
            Self::OverBudget { response, .. } | Self::RateLimited { response, .. } => response.as_ref(),
            Self::Failed(_) => None,
        }
    }

    pub fn response_mut(&mut self) -> Option<&mut Response> {
        match self {
            Self::Answer(response) | Self::GaveUp(response) => Some(response),
            Self::OverBudget { response, .. } | Self::RateLimited { response, .. } => response.as_mut(),
            Self::Failed(_) => None,
        }
    }
}
