//! The one map from how a call ended to what PHP gets: a response or an exception.

use std::time::Duration;

use client::{End, Ended, Failed};
use ext_php_rs::types::Zval;
use policy::{FailureKind, Reason};
use url::Url;

use crate::{
    attempt,
    exceptions::{ATTEMPTS_EXHAUSTED, BUDGET_EXCEEDED, HTTP, NETWORK, RATE_LIMITED, exception},
    message::{self, after, span},
    response,
    room::Room,
    zend::{Object, Parsed, Thrown, object, throw},
};

/// What the caller of the call has asked for.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    pub method: &'a str,
    /// Where the request was sent to at first.
    pub uri: &'a Url,
    pub throw_on_give_up: bool,
    pub throw_on_error: bool,
    /// How many bytes of the body have been handed out while they came.
    pub streamed: Option<u64>,
}

/// The response to hand back, or the exception, thrown.
pub fn conclude(ended: &Ended, asked: &Asked<'_>, room: &Room) -> Parsed<Zval> {
    let call = Conclusion { ended, asked, room, attempts: attempt::attempts(&ended.attempts) };
    let body = ended.end.response().map(|response| &response.body);
    if let Some(body) = body
        && !room.fits(body)
    {
        return Err(throw::throw_object(call.network(&does_not_fit(body.len()))));
    }
    if let Some(response) = handed_back(ended, asked) {
        return Ok(call.response(response));
    }
    match &ended.end {
        End::Answer(answer) => Err(call.refused(answer)?),
        End::GaveUp(last) => {
            Err(if asked.throw_on_give_up { call.exhausted(last) } else { call.refused(last)? })
        }
        End::Failed(failed) => Err(throw::throw_object(call.network(failed))),
        End::OverBudget { response, retry_after, needed, left, cut } => {
            if let (Some(last), None, false) = (response, cut, asked.throw_on_give_up) {
                return Err(call.refused(last)?);
            }
            let last = response.as_ref().map(|last| call.response(last));
            Err(call.over_budget(last, *retry_after, (*needed, *left), cut.as_ref())?)
        }
        End::RateLimited { response, retry_after } => {
            if let (Some(last), false) = (response, asked.throw_on_give_up) {
                return Err(call.refused(last)?);
            }
            let last = response.as_ref().map(|last| call.response(last));
            Err(call.rate_limited(last, *retry_after))
        }
    }
}

/// The response, if it is handed back and not thrown.
pub fn handed_back<'a>(ended: &'a Ended, asked: &Asked<'_>) -> Option<&'a client::Response> {
    let response = match &ended.end {
        End::Answer(answer) => answer,
        _ if asked.throw_on_give_up => return None,
        End::GaveUp(last) => last,
        // The deadline cut an attempt: there is nothing that answers it.
        End::OverBudget { response, cut: None, .. } | End::RateLimited { response, .. } => {
            response.as_ref()?
        }
        End::OverBudget { .. } | End::Failed(_) => return None,
    };
    Some(response).filter(|response| !asked.throw_on_error || response.status < 400)
}

fn does_not_fit(length: usize) -> Failed {
    Failed {
        kind: FailureKind::TooLarge,
        message: format!("The body of {length} bytes does not fit into what memory_limit leaves"),
        unsent: false,
        permanent: true,
    }
}

/// Why the next attempt was not begun.
fn due(needed: Duration, left: Duration) -> String {
    if needed.is_zero() {
        "no time is left".to_owned()
    } else {
        format!("the next attempt is due in {}, with {} left", span(needed), span(left))
    }
}

struct Conclusion<'a> {
    ended: &'a Ended,
    asked: &'a Asked<'a>,
    room: &'a Room,
    /// `list<Attempt>`.
    attempts: Zval,
}

impl Conclusion<'_> {
    fn response(&self, from: &client::Response) -> Zval {
        response::response(
            from,
            self.room.string(&from.body),
            &self.attempts,
            self.ended.waited,
            self.ended.elapsed,
        )
    }

    /// `throwOnError`.
    fn refused(&self, answer: &client::Response) -> Parsed<Thrown> {
        let response = self.response(answer);
        let text = self.answered(&response)?;
        let own = vec![self.attempts.shallow_clone(), response];
        Ok(throw::throw_object(exception(&HTTP, &HTTP, &text, i64::from(answer.status), own)))
    }

    fn exhausted(&self, last: &client::Response) -> Thrown {
        let response = self.response(last);
        let text = match self.answered(&response) {
            Ok(text) if self.ended.attempts.last().is_some_and(|last| last.reason == Reason::Stopped) => {
                format!("{text}, and onRetry stopped")
            }
            Ok(text) => text,
            Err(thrown) => return thrown,
        };
        let own = vec![self.attempts.shallow_clone(), response];
        throw::throw_object(exception(&ATTEMPTS_EXHAUSTED, &HTTP, &text, i64::from(last.status), own))
    }

    fn over_budget(
        &self,
        last: Option<Zval>,
        retry_after: Option<Duration>,
        (needed, left): (Duration, Duration),
        cut: Option<&Failed>,
    ) -> Parsed<Thrown> {
        let text = match (cut, &last) {
            (Some(_), _) if needed.is_zero() => {
                format!("{} was cut off by its deadline{}", self.subject(), self.after())
            }
            (Some(failed), _) => format!("{}; {}", self.unanswered(failed), due(needed, left)),
            (None, Some(last)) => format!("{}; {}", self.answered(last)?, due(needed, left)),
            (None, None) if self.ended.attempts.is_empty() => {
                format!("{} was not sent; {}", self.subject(), due(needed, left))
            }
            (None, None) => {
                format!("{} got no response{}; {}", self.subject(), self.after(), due(needed, left))
            }
        };
        let own = vec![
            self.attempts.shallow_clone(),
            object::or_null(last),
            object::or_null(retry_after.map(|wish| object::value(wish.as_secs_f64()))),
            object::value(needed.as_secs_f64()),
            object::value(left.as_secs_f64()),
        ];
        let exception = exception(&BUDGET_EXCEEDED, &BUDGET_EXCEEDED, &text, 0, own);
        if let Some(failed) = cut {
            throw::set_previous(&exception, self.network(failed));
        }
        Ok(throw::throw_object(exception))
    }

    fn rate_limited(&self, last: Option<Zval>, retry_after: Duration) -> Thrown {
        let mut text = format!("{} was held back by its rate limit{}", self.subject(), self.after());
        // Zero: until somebody else is done, which nobody can foresee.
        if !retry_after.is_zero() {
            text.push_str(&format!("; it may be sent in {}", span(retry_after)));
        }
        let seconds = object::value(retry_after.as_secs_f64());
        let own = vec![self.attempts.shallow_clone(), object::or_null(last), seconds];
        throw::throw_object(exception(&RATE_LIMITED, &RATE_LIMITED, &text, 0, own))
    }

    fn network(&self, failed: &Failed) -> Zval {
        let own = vec![self.attempts.shallow_clone(), object::string(failed.kind.as_str())];
        exception(&NETWORK, &NETWORK, &self.unanswered(failed), 0, own)
    }

    fn unanswered(&self, failed: &Failed) -> String {
        match self.asked.streamed {
            Some(bytes) => format!("{} broke off after {bytes} bytes: {}", self.subject(), failed.message),
            None => format!("{} got no response{}: {}", self.subject(), self.after(), failed.message),
        }
    }

    fn subject(&self) -> String {
        message::subject(Some(self.asked.method), self.asked.uri.as_str().as_bytes())
    }

    fn answered(&self, response: &Zval) -> Parsed<String> {
        let this = Object::of(response).ok_or(Thrown)?;
        Ok(message::answered(Some(self.asked.method), &response::answered(this)?))
    }

    fn after(&self) -> String {
        after(self.ended.attempts.len())
    }
}
