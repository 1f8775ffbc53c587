//! Takes an end apart, or fails the test with what it was instead.

use std::time::Duration;

use client::{End, Ended, Failed, Response};

/// The answer of a call that ended with one.
#[track_caller]
pub fn answer(ended: Ended) -> Response {
    match ended.end {
        End::Answer(response) => response,
        other => panic!("no answer but {other:?}, {:#?}", ended.attempts),
    }
}

#[track_caller]
pub fn failure(ended: Ended) -> Failed {
    match ended.end {
        End::Failed(failed) => failed,
        other => panic!("no failure but {other:?}, {:#?}", ended.attempts),
    }
}

#[track_caller]
pub fn gave_up(ended: Ended) -> Response {
    match ended.end {
        End::GaveUp(response) => response,
        other => panic!("not given up but {other:?}, {:#?}", ended.attempts),
    }
}

/// What a call over its budget says.
#[derive(Debug)]
pub struct Over {
    pub response: Option<Response>,
    pub retry_after: Option<Duration>,
    pub needed: Duration,
    pub left: Duration,
    pub cut: Option<Failed>,
}

#[track_caller]
pub fn over_budget(ended: Ended) -> Over {
    match ended.end {
        End::OverBudget { response, retry_after, needed, left, cut } => {
            Over { response, retry_after, needed, left, cut }
        }
        other => panic!("not over budget but {other:?}, {:#?}", ended.attempts),
    }
}
