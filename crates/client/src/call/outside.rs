//! The line between a running call and whoever drives it: one question at a time, then its answer.

use std::{
    cell::{Cell, RefCell},
    future::poll_fn,
    rc::Rc,
    task::Poll,
};

use http::{HeaderName, HeaderValue};
use policy::Timestamp;

use super::Step;
use crate::{Failed, Response, Room};

/// What a call wants done outside the event loop.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "lives in a box from the asking on")]
pub(crate) enum Question {
    Step(Step),
    /// Sleep, the event loop standing still.
    Nap(Timestamp),
}

#[derive(Debug)]
pub(crate) enum Answer {
    Attempt(Vec<(HeaderName, HeaderValue)>),
    Outcome,
    Retry(bool),
    Sink(Result<(), String>),
    Room(Option<Box<dyn Room>>),
    Exchange(Box<Result<Response, Failed>>),
    Napped,
}

#[derive(Debug, Default)]
enum Line {
    #[default]
    Idle,
    Asked(Box<Question>),
    /// The question was handed out.
    Waiting,
    Answered(Answer),
}

/// Held by the call and by its driver; both live on one thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outside(Rc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    line: RefCell<Line>,
    /// Until when the call waits, if it does and that is known.
    waiting_until: Cell<Option<Timestamp>>,
}

impl Outside {
    /// Puts the question, and waits for the driver to come back with the answer.
    pub(crate) async fn ask(&self, question: Question) -> Answer {
        self.0.line.replace(Line::Asked(Box::new(question)));
        poll_fn(|_| match self.0.line.take() {
            Line::Answered(answer) => Poll::Ready(answer),
            other => {
                self.0.line.replace(other);
                Poll::Pending
            }
        })
        .await
    }

    /// The question that the call has put since it was last driven.
    pub(crate) fn take_question(&self) -> Option<Question> {
        match self.0.line.take() {
            Line::Asked(question) => {
                self.0.line.replace(Line::Waiting);
                Some(*question)
            }
            other => {
                self.0.line.replace(other);
                None
            }
        }
    }

    /// Answers the question that was taken; an answer nobody waits for is dropped. Whether one did.
    pub(crate) fn answer(&self, answer: Answer) -> bool {
        let is_awaited = matches!(*self.0.line.borrow(), Line::Waiting);
        if is_awaited {
            self.0.line.replace(Line::Answered(answer));
        }
        is_awaited
    }

    pub(crate) fn waiting_until(&self) -> Option<Timestamp> {
        self.0.waiting_until.get()
    }

    pub(super) fn set_waiting_until(&self, until: Option<Timestamp>) {
        self.0.waiting_until.set(until);
    }

    pub(crate) async fn headers_for_attempt(&self, number: u32) -> Vec<(HeaderName, HeaderValue)> {
        match self.ask(Question::Step(Step::Attempt { number })).await {
            Answer::Attempt(headers) => headers,
            _ => Vec::new(),
        }
    }

    pub(crate) async fn go_on(&self, step: Step) -> bool {
        !matches!(self.ask(Question::Step(step)).await, Answer::Retry(false))
    }

    pub(crate) async fn sink(&self, step: Step) -> Result<(), String> {
        match self.ask(Question::Step(step)).await {
            Answer::Sink(result) => result,
            _ => Err("the sink gave no answer".into()),
        }
    }

    pub(crate) async fn room(&self, length: usize) -> Option<Box<dyn Room>> {
        match self.ask(Question::Step(Step::Room { length })).await {
            Answer::Room(room) => room,
            _ => None,
        }
    }

    pub(crate) async fn exchange(&self, request: super::Request) -> Result<Response, Failed> {
        match self.ask(Question::Step(Step::Exchange(request))).await {
            Answer::Exchange(result) => *result,
            _ => Err(crate::response::abandoned()),
        }
    }
}
