//! What a call's attempts leave behind: the list that the caller sees, and the questions to the hooks about it.

use std::time::Duration;

use policy::{Attempt, Reason};

use super::{
    Step,
    run::{Run, Sent},
};
use crate::{Failed, Response};

/// What an attempt brought.
#[derive(Clone, Copy)]
pub(super) enum What<'a> {
    Answer(u16, Option<&'a Response>),
    Failure(&'a Failed),
}

impl<'a> From<&'a Response> for What<'a> {
    fn from(response: &'a Response) -> Self {
        Self::Answer(response.status, Some(response))
    }
}

impl Run {
    /// Notes the attempt and shows it, and what may be seen of its answer, to the outcome hook.
    pub(super) async fn record(&mut self, sent: &Sent, what: What<'_>, wait: Duration, reason: Reason) {
        // A hook may send, too.
        self.land();
        self.note(sent, what, wait, reason).await;
    }

    /// [`Self::record`] for an attempt whose answer goes on.
    pub(super) async fn note(&mut self, sent: &Sent, what: What<'_>, wait: Duration, reason: Reason) {
        let (status, error) = match what {
            What::Answer(status, _) => (Some(status), None),
            What::Failure(failed) => (None, Some(failed.message.clone())),
        };
        self.attempts.push(Attempt {
            number: self.attempts.len() as u32 + 1,
            status,
            error,
            started_at: sent.at_wall,
            duration: self.world.now().since(sent.at),
            wait,
            paced: sent.paced,
            reason,
        });
        if self.call.hooks.outcome {
            let response = match what {
                What::Answer(_, response) => response.cloned(),
                What::Failure(_) => None,
            };
            Box::pin(self.show(response)).await;
        }
    }

    async fn show(&self, response: Option<Response>) {
        let (attempts, waited, elapsed) = (self.attempts.clone(), self.waited, self.elapsed());
        self.outside.go_on(Step::Outcome { attempts, response, waited, elapsed }).await;
    }

    /// Asks the retry hook; its no turns the last attempt's reason into `Stopped`.
    pub(super) async fn may_wait(&mut self, wait: Duration) -> bool {
        if !self.call.hooks.retry {
            return true;
        }
        let Some(attempt) = self.attempts.last().cloned() else { return true };
        let go_on = self.outside.go_on(Step::Retry { attempt, wait }).await;
        if !go_on && let Some(last) = self.attempts.last_mut() {
            last.reason = Reason::Stopped;
            last.wait = Duration::ZERO;
        }
        go_on
    }
}
