//! A call in flight, from PHP's side: what it was made of, what answers its questions, and how it ended.
//!
//! All calls of the thread move on while PHP waits for any of them, so their callbacks are found by the call's id. PHP
//! code runs here and nowhere inside the event loop.
//!
//! PHP code may end in a bailout, a longjmp over these frames. What was in flight then is still noted here, and
//! dropped at the end of the request.

mod answers;
mod source;
mod turn;

use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::VecDeque,
    rc::Rc,
};

use client::{
    Call, End, Ended, Failed, Incoming, Payload, Response, Step,
    runtime::{self, CallId},
};
use ext_php_rs::{types::Zval, zend::BailoutGuard};
use http::Method;
use policy::Timestamp;
use url::Url;

use crate::{
    ended::{self, Asked},
    parameters::Parameters,
    room::Room,
    sink::Target,
    zend::{Parsed, Thrown, native::Tracer, throw},
};

pub use source::{Crew, Source};
pub use turn::{Turn, forget_all, turn};

/// Where the ids of calls that are over are put, for whoever waits for several.
pub type Finished = Rc<RefCell<VecDeque<CallId>>>;

#[derive(Debug)]
pub struct Flight {
    id: CallId,
    source: Source,
    parameters: Parameters,
    target: Target,
    room: Room,
    /// For the messages of exceptions.
    asked: (Method, Url),
    /// Of the request's body.
    length: u64,
    /// Hooks, a script, or a stream of PHP's as its sink.
    has_callbacks: bool,
    /// The request as PHP code sees it, made when it is first asked for.
    shown: OnceCell<Zval>,
    pub incoming: Option<Rc<Incoming>>,
    /// More has come of its answer since this was last cleared.
    pub has_moved: Cell<bool>,
    finished: Option<Finished>,
    /// Of the body that the end has brought.
    length_at_end: Cell<u64>,
    outcome: RefCell<Outcome>,
}

#[derive(Debug)]
enum Outcome {
    Open,
    Ended(Box<Ended>),
    /// By what a callback has thrown.
    Thrown(Zval),
    Cancelled,
    /// Told already.
    Told,
}

/// A flight that somebody waits for. Dropped before its end, it is cancelled.
#[derive(Debug)]
pub struct Awaited(Rc<Flight>);

impl Drop for Awaited {
    fn drop(&mut self) {
        self.0.cancel();
        turn::forget(self.0.id);
    }
}

impl Awaited {
    /// Shows what it holds to the cycle collector, once no PHP code can come upon it any more: the callbacks of a call
    /// in flight run whenever PHP waits for any, also while cycles are collected, or have the collector run.
    pub fn trace(&self, tracer: &mut Tracer) {
        // Beside this one and the list of all there is who moves it on just now.
        let is_left_alone = Rc::strong_count(&self.0) <= 2;
        if is_left_alone && (self.0.is_over() || !self.0.calls_back()) {
            self.0.trace(tracer);
        }
    }
}

impl std::ops::Deref for Awaited {
    type Target = Flight;

    fn deref(&self) -> &Flight {
        &self.0
    }
}

/// Begins the call.
pub fn begin(call: Call, crew: Crew) -> Parsed<Awaited> {
    let asked = (call.request.method.clone(), call.request.uri.clone());
    let length = call.request.body.len();
    let has_hooks = crew.source.client()?.callbacks.are_any();
    let has_callbacks = has_hooks || crew.source.is_scripted() || crew.target.is_stream();
    let id = match crew.source.script()? {
        Some(script) => runtime::begin_scripted(call, script.clock()),
        None => runtime::begin(call),
    };
    let Crew { source, parameters, target, shown, incoming, finished } = crew;
    let flight = Rc::new(Flight {
        id,
        source,
        parameters,
        target,
        room: Room::default(),
        asked,
        length,
        has_callbacks,
        shown: shown.map_or_else(OnceCell::new, OnceCell::from),
        incoming,
        has_moved: Cell::new(false),
        finished,
        length_at_end: Cell::new(0),
        outcome: RefCell::new(Outcome::Open),
    });
    turn::note(&flight);
    Ok(Awaited(flight))
}

impl Flight {
    pub fn id(&self) -> CallId {
        self.id
    }

    pub fn is_over(&self) -> bool {
        !matches!(*self.outcome.borrow(), Outcome::Open)
    }

    /// Moves on until this one is over, or until the instant. Whether it is.
    pub fn wait(&self, until: Option<Timestamp>) -> Parsed<bool> {
        self.wait_for(Self::is_over, until)
    }

    /// Moves on until something is so of this one or it is over, or until the instant. Whether it is so.
    pub fn wait_for(&self, is_so: impl Fn(&Self) -> bool, until: Option<Timestamp>) -> Parsed<bool> {
        while !is_so(self) && !self.is_over() {
            match turn(&|id| id == self.id, until)? {
                Turn::Moved => {}
                Turn::Late => return Ok(is_so(self)),
                Turn::Idle if until.is_some() && runtime::knows(self.id) => return Ok(false),
                Turn::Idle => self.end_here()?,
            }
        }
        Ok(is_so(self))
    }

    /// For a call that can never go on: it waits for the callback that is running, or is a parent process's.
    pub fn end_here(&self) -> Parsed<()> {
        if self.is_over() {
            return Ok(());
        }
        if runtime::knows(self.id) {
            return Err(throw::error("A request cannot be waited for in its own callback"));
        }
        if let Step::Done(ended) = runtime::drive(self.id) {
            self.end(Outcome::Ended(ended));
        }
        Ok(())
    }

    pub fn cancel(&self) {
        runtime::cancel(self.id);
        if !self.is_over() {
            self.end(Outcome::Cancelled);
        }
    }

    /// At the end of the request. Objects in a cycle with it are for the collector, which has a last look then.
    fn leave(&self) {
        if !self.is_over() {
            *self.outcome.borrow_mut() = Outcome::Cancelled;
            if self.has_callbacks {
                self.suspect();
            }
        }
    }

    fn end(&self, outcome: Outcome) {
        if let Outcome::Ended(ended) = &outcome {
            self.length_at_end.set(ended.end.response().map_or(0, |response| response.body.len() as u64));
        }
        *self.outcome.borrow_mut() = outcome;
        self.has_moved.set(true);
        if self.has_callbacks && !self.is_cancelled() {
            self.suspect();
        }
        if let Some(finished) = &self.finished {
            finished.borrow_mut().push_back(self.id);
        }
    }

    pub fn is_cancelled(&self) -> bool {
        matches!(*self.outcome.borrow(), Outcome::Cancelled)
    }

    /// Whether a callback has thrown.
    pub fn is_ended_by_callback(&self) -> bool {
        matches!(*self.outcome.borrow(), Outcome::Thrown(_))
    }

    /// Looks at the answer that will be the outcome, or is.
    pub fn answer_so_far<R>(&self, look: impl FnOnce(&Response) -> R) -> Option<R> {
        if let Some(incoming) = &self.incoming
            && let Some(begun) = incoming.begun()
        {
            return Some(look(&begun.response));
        }
        match &*self.outcome.borrow() {
            Outcome::Ended(ended) => ended.end.response().map(look),
            _ => None,
        }
    }

    /// The bytes of the body that have come and were not taken yet.
    pub fn take_body(&self) -> Payload {
        let come = self.incoming.as_ref().map(|incoming| incoming.take_all()).unwrap_or_default();
        match &mut *self.outcome.borrow_mut() {
            Outcome::Ended(ended) if come.is_empty() => match ended.end.response_mut() {
                Some(response) => std::mem::take(&mut response.body),
                None => come,
            },
            _ => come,
        }
    }

    /// How many bytes of the body have come.
    pub fn received(&self) -> u64 {
        let of_incoming = self.incoming.as_ref().map_or(0, |incoming| incoming.received());
        of_incoming.max(self.length_at_end.get())
    }

    /// The response, or the exception, thrown. The body goes with it: to be asked once, of one that is over.
    pub fn conclude(&self) -> Parsed<Zval> {
        let outcome = std::mem::replace(&mut *self.outcome.borrow_mut(), Outcome::Told);
        let mut ended = match outcome {
            Outcome::Ended(ended) => BailoutGuard::new(ended),
            Outcome::Thrown(thrown) => return Err(throw::throw_object(thrown)),
            Outcome::Open | Outcome::Cancelled | Outcome::Told => {
                return Err(throw::error("The request was cancelled"));
            }
        };
        if let (Some(incoming), End::Answer(response)) = (&self.incoming, &mut ended.end)
            && response.body.is_empty()
        {
            response.body = incoming.take_all();
        }
        let concluded = ended::conclude(&ended, &self.asked()?, &self.room);
        if let Some(response) = ended.end.response_mut() {
            response.body.clear();
        }
        *self.outcome.borrow_mut() = Outcome::Ended(ended.into_inner());
        concluded
    }

    fn asked(&self) -> Parsed<Asked<'_>> {
        let config = &self.source.client()?.config;
        Ok(Asked {
            method: self.asked.0.as_str(),
            uri: &self.asked.1,
            throw_on_give_up: config.throw_on_give_up,
            throw_on_error: config.throw_on_error,
            streamed: self.incoming.as_ref().filter(|own| own.begun().is_some()).map(|own| own.received()),
        })
    }

    /// The response that [`conclude`](Self::conclude) will give, if it gives one.
    pub fn with_response<R>(&self, f: impl FnOnce(&Response, &Ended) -> R) -> Parsed<Option<R>> {
        let asked = self.asked()?;
        Ok(match &*self.outcome.borrow() {
            Outcome::Ended(ended) => ended::handed_back(ended, &asked).map(|response| f(response, ended)),
            _ => None,
        })
    }

    /// `Err` with the exception if the stream has not ended well.
    pub fn end_of_stream(&self) -> Parsed<()> {
        let is_whole =
            matches!(&*self.outcome.borrow(), Outcome::Ended(ended) if matches!(ended.end, End::Answer(_)));
        if is_whole { Ok(()) } else { self.conclude().map(drop) }
    }

    /// Ends a stream that cannot be read on, and throws.
    pub fn break_off(&self, failed: Failed) -> Thrown {
        let ended = self.incoming.as_ref().and_then(|incoming| {
            let begun = incoming.begun()?;
            let (attempts, waited, elapsed) = (begun.attempts.clone(), begun.waited, begun.elapsed);
            Some(Ended { end: End::Failed(failed), attempts, waited, elapsed })
        });
        self.cancel();
        if let Some(ended) = ended {
            *self.outcome.borrow_mut() = Outcome::Ended(Box::new(ended));
        }
        self.conclude().map_or_else(|thrown| thrown, |_| Thrown)
    }

    /// Whether PHP code may run for it.
    fn calls_back(&self) -> bool {
        // Of a stream that has begun there is nothing to be told any more.
        let flows = || self.incoming.as_ref().is_some_and(|incoming| incoming.flows());
        self.has_callbacks && !flows()
    }

    /// What the collector has met in flight it has taken off its list: as after any reference that goes, it shall look
    /// at it again.
    fn suspect(&self) {
        let source = self.source.copy();
        let parameters = self.parameters.copy();
        let shown = self.shown.get().map(Zval::shallow_clone);
        drop((source, parameters, shown, self.target.stream_copy()));
    }

    fn trace(&self, tracer: &mut Tracer) {
        self.source.trace(tracer);
        self.parameters.trace(tracer);
        self.target.trace(tracer);
        self.shown.get().into_iter().for_each(|shown| tracer.value(shown));
        if let Ok(outcome) = self.outcome.try_borrow()
            && let Outcome::Thrown(thrown) = &*outcome
        {
            tracer.value(thrown);
        }
    }
}
