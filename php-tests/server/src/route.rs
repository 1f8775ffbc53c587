//! Decides, when a request's head is there, what will answer it.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use crate::answering::Answering;
use crate::control;
use crate::limited::{Ask, Place};
use crate::query::Query;
use crate::request::{Head, LOG_BODY, Received, WHOLE_BODY, entry};
use crate::shorthand;
use crate::spec::Action;
use crate::state::Shared;
use crate::step::{ReadBody, Step};
use crate::wire::ConnInfo;

#[derive(Debug)]
pub enum Plan {
    Play(Play),
    /// A control endpoint, answered once its body is there.
    Control,
    /// A limiter that is asked once the body is there.
    Limited {
        ask: Box<Ask>,
        log: Option<String>,
    },
}

#[derive(Debug)]
pub struct Play {
    pub step: Arc<Step>,
    /// Held while the request is in flight.
    pub place: Option<Place>,
    /// The name under which the request is logged.
    pub log: Option<String>,
    /// The step's number in its script.
    pub number: Option<u64>,
}

impl Plan {
    /// How much of the request's body must be kept.
    #[must_use]
    pub fn keep(&self) -> usize {
        match self {
            Self::Control | Self::Limited { .. } => WHOLE_BODY,
            Self::Play(play) if play.step.action == Action::Echo => WHOLE_BODY,
            Self::Play(play) if play.log.is_some() => LOG_BODY,
            Self::Play(_) => 0,
        }
    }

    #[must_use]
    pub fn read_body(&self) -> ReadBody {
        match self {
            Self::Control | Self::Limited { .. } => ReadBody::All,
            Self::Play(play) => play.step.read_body,
        }
    }

    #[must_use]
    pub fn read_delay(&self) -> Option<Duration> {
        match self {
            Self::Control | Self::Limited { .. } => None,
            Self::Play(play) => play.step.read_delay,
        }
    }

    /// Logs the request before it is answered: a client that has its answer finds it in the log.
    pub fn note(
        &self,
        shared: &Shared,
        head: &Head,
        received: &Received,
        info: &ConnInfo,
    ) -> Option<Arc<Answering>> {
        let (name, number) = match self {
            Self::Play(Play { log: Some(name), number, .. }) => (name, *number),
            Self::Limited { log: Some(name), .. } => (name, None),
            _ => return None,
        };
        Some(shared.logs.push(name, entry(head, received, info, number, None)))
    }

    /// What to play, now that the body is there.
    pub async fn finish(
        self,
        shared: &Shared,
        head: &Head,
        received: &Received,
        info: &ConnInfo,
    ) -> (Arc<Step>, Option<Place>) {
        let (step, place) = match self {
            Self::Play(play) => return (play.step, play.place),
            Self::Control => (control::answer(shared, head, received).await, None),
            // The client has left: the limiter never sees the request.
            Self::Limited { .. } if !received.complete => {
                (Step::json(400, &json!({ "error": "the body is incomplete" })), None)
            }
            Self::Limited { ask, .. } => {
                ask.decide(&shared.limiters, info.id, &received.kept, received.length)
            }
        };
        (Arc::new(step), place)
    }
}

/// Takes a step of the script, asks the limiter, or builds the shorthand's answer: once per request.
pub fn plan(shared: &Shared, head: &Head, info: &ConnInfo) -> Plan {
    let (path, query) = head.path_and_query();
    let name = first_segment(path);
    if let Some(turn) = shared.scripts.take(name) {
        let (log, number) = (Some(name.to_owned()), Some(turn.number));
        return Plan::Play(Play { step: turn.step, place: None, log, number });
    }
    if name.starts_with('_') {
        return Plan::Control;
    }
    let query = Query::parse(query);
    let log = query.get("log").map(str::to_owned);
    let mut place = None;
    let built = match path.strip_prefix("/limited/") {
        Some(limiter) => match Ask::parse(limiter, &query, head) {
            Ok(ask) if ask.needs_body() => return Plan::Limited { ask: Box::new(ask), log },
            Ok(ask) => {
                let (step, taken) = ask.decide(&shared.limiters, info.id, &[], 0);
                place = taken;
                Ok(Some(step))
            }
            Err(reason) => Err(reason),
        },
        None => shorthand::find(path, &query),
    };
    let step = match built {
        Ok(Some(step)) => step,
        Ok(None) => Step::json(404, &json!({ "error": "no script and no such path", "path": path })),
        Err(reason) => Step::json(400, &json!({ "error": reason })),
    };
    Plan::Play(Play { step: Arc::new(step), place, log, number: None })
}

/// The script's name in a path: `/name/anything` is `name`.
#[must_use]
pub fn first_segment(path: &str) -> &str {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.split_once('/').map_or(path, |(first, _)| first)
}
