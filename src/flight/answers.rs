//! What a call asks of PHP code, and what becomes of its answer.

use std::time::Duration;

use client::{Response, Step, runtime};
use ext_php_rs::{types::Zval, zend::BailoutGuard};
use policy::Attempt;

use super::{Flight, Outcome, turn::inside};
use crate::{
    attempt, request, response,
    room::Room,
    zend::{Parsed, object, throw},
};

impl Flight {
    /// What a callback throws ends its own call. `exit` ends all.
    pub(super) fn take(&self, step: Step) -> Parsed<()> {
        match step {
            Step::Done(ended) => self.end(Outcome::Ended(ended)),
            Step::Moved => self.has_moved.set(true),
            step => {
                if let Err(thrown) = inside(|| self.answer(step)) {
                    let exception = throw::take_throwable();
                    let is_cancelled = self.is_cancelled();
                    self.cancel();
                    let exception = exception.ok_or(thrown)?;
                    if !is_cancelled {
                        self.end(Outcome::Thrown(exception));
                    }
                }
            }
        }
        Ok(())
    }

    fn answer(&self, step: Step) -> Parsed<()> {
        let callbacks = &self.source.client()?.callbacks;
        match step {
            Step::Attempt { number } => {
                let headers = callbacks.on_attempt(self.request(), number, self.length)?;
                runtime::answer_attempt(self.id, headers);
            }
            Step::Outcome { attempts, response, waited, elapsed } => {
                let mut seen = BailoutGuard::new((attempts, response));
                let (attempt, response) = show_outcome(&mut seen, &self.room, waited, elapsed);
                drop(seen);
                callbacks.on_outcome(attempt, response, || self.request())?;
                runtime::answer_outcome(self.id);
            }
            Step::Retry { attempt, wait } => {
                let failed = attempt::attempt(&attempt);
                drop(attempt);
                let go_on = callbacks.on_retry(failed, wait.as_secs_f64(), || self.request())?;
                runtime::answer_retry(self.id, go_on);
            }
            Step::SinkWrite(chunk) => {
                let chunk = BailoutGuard::new(chunk);
                let written = self.target.write(&chunk)?;
                runtime::answer_sink(self.id, written);
            }
            Step::SinkRewind => runtime::answer_sink(self.id, self.target.rewind()?),
            Step::Room { length } => runtime::answer_room(self.id, self.room.lend(length)),
            Step::Exchange(sent) => self.exchange(sent)?,
            // `turn` and `take` have taken them.
            Step::Interrupted | Step::Moved | Step::Done(_) => {}
        }
        Ok(())
    }

    fn exchange(&self, sent: client::Request) -> Parsed<()> {
        let Some(script) = self.source.script()? else { return Ok(()) };
        let sent = BailoutGuard::new(sent);
        let answer = script.exchange(&sent, &self.parameters)?;
        runtime::answer_exchange(self.id, answer);
        Ok(())
    }

    fn request(&self) -> Zval {
        self.shown.get_or_init(|| request::create_with(self.parameters.copy())).shallow_clone()
    }
}

/// The attempt that ended, and its response or null; without a body if there is no memory for it.
fn show_outcome(
    seen: &mut (Vec<Attempt>, Option<Response>),
    room: &Room,
    waited: Duration,
    elapsed: Duration,
) -> (Zval, Zval) {
    let (attempts, response) = seen;
    if let Some(response) = response
        && !room.fits(&response.body)
    {
        response.body.clear();
    }
    let attempt = object::or_null(attempts.last().map(attempt::attempt));
    let response = response.as_ref().map(|response| {
        response::response(
            response,
            room.string(&response.body),
            &attempt::attempts(attempts),
            waited,
            elapsed,
        )
    });
    (attempt, object::or_null(response))
}
