//! Decides, when a request's head is there, what will answer it.

use std::sync::Arc;

use serde_json::json;

use crate::limited;
use crate::query::Query;
use crate::request::{Head, LOG_BODY, WHOLE_BODY};
use crate::shorthand;
use crate::spec::Action;
use crate::state::Shared;
use crate::step::{ReadBody, Step};
use crate::wire::ConnInfo;

#[derive(Clone, Debug)]
pub enum Plan {
    Play(Play),
    /// A control endpoint, answered once its body is there.
    Control,
}

#[derive(Clone, Debug)]
pub struct Play {
    pub step: Arc<Step>,
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
            Self::Control => WHOLE_BODY,
            Self::Play(play) if play.step.action == Action::Echo => WHOLE_BODY,
            Self::Play(play) if play.log.is_some() => LOG_BODY,
            Self::Play(_) => 0,
        }
    }

    #[must_use]
    pub fn read_body(&self) -> ReadBody {
        match self {
            Self::Control => ReadBody::All,
            Self::Play(play) => play.step.read_body,
        }
    }
}

/// Takes a step of the script, asks the limiter, or builds the shorthand's answer: once per request.
pub fn plan(shared: &Shared, head: &Head, info: &ConnInfo) -> Plan {
    let (path, query) = head.path_and_query();
    let name = first_segment(path);
    if let Some(turn) = shared.scripts.take(name) {
        return Plan::Play(Play { step: turn.step, log: Some(name.to_owned()), number: Some(turn.number) });
    }
    if name.starts_with('_') {
        return Plan::Control;
    }
    let query = Query::parse(query);
    let built = match path.strip_prefix("/limited/") {
        Some(limiter) => limited::answer(&shared.limiters, limiter, &query, head.at, info.id).map(Some),
        None => shorthand::find(path, &query),
    };
    let step = match built {
        Ok(Some(step)) => step,
        Ok(None) => Step::json(404, &json!({ "error": "no script and no such path", "path": path })),
        Err(reason) => Step::json(400, &json!({ "error": reason })),
    };
    Plan::Play(Play { step: Arc::new(step), log: query.get("log").map(str::to_owned), number: None })
}

/// The script's name in a path: `/name/anything` is `name`.
#[must_use]
pub fn first_segment(path: &str) -> &str {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.split_once('/').map_or(path, |(first, _)| first)
}
