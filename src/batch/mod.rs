//! `RetryClient::sendAll()` and `RetryClient\Responses`: a loop over calls that are begun, go on together and are
//! handed out as they end. Nothing moves while the caller's loop body runs.

mod journal;
mod progress;

use std::{
    cell::{Cell, RefCell},
    collections::{HashMap, VecDeque},
    rc::Rc,
};

use client::{Lane, runtime::CallId};
use ext_php_rs::{error::Result, types::Zval, zend::ce};

use crate::{
    drive::{self, Delivery, Prepared, What},
    exceptions::EXCEPTION,
    flight::{self, Awaited, Finished, Source, Turn},
    hooks,
    parameters::{Parameters, Place},
    request::{self, REQUEST},
    text,
    zend::{
        Args, Class, Cursor, Handle, Iteration, Object, OnePass, Param, Parsed, Thrown, Type,
        args::type_name,
        method,
        native::{self, Native, Tracer},
        object, one_pass, param, throw,
    },
};
use journal::{Entry, Log};
use progress::Reporter;

pub static RESPONSES: Handle = Handle::new();

pub const NAME: &str = "RetryClient\\Responses";

/// Where the errors of the input are, which are found later.
const INPUT: &str = "RetryClient::sendAll(): Argument #1 ($requests)";

pub fn register() -> Result<()> {
    progress::register()?;
    Class::native::<Batch>(NAME)
        .implements(ce::iterator())
        .method(method("__construct", |_, _| Ok(())).private())
        .methods(one_pass::methods::<Batch>())
        .register(&RESPONSES)
}

/// The parameters of `sendAll()`.
pub fn params() -> [Param; 5] {
    [
        param("requests", Type::ITERABLE),
        param("concurrency", Type::INT).default("8"),
        param("onProgress", Type::CALLABLE.or_null()).default("null"),
        param("progress", Type::BOOL).default("false"),
        param("journal", Type::STRING.or_null()).default("null"),
    ]
}

/// A batch on its way. The fields are dropped in this order: what flies before the input is let go.
struct Batch {
    flights: RefCell<HashMap<CallId, Flying>>,
    /// Ready to be sent, while there may be journaled results to come before.
    held: RefCell<VecDeque<Held>>,
    source: Source,
    input: Iteration,
    is_input_over: Cell<bool>,
    lane: Rc<Lane>,
    finished: Finished,
    /// Keys and results to hand out.
    ready: RefCell<VecDeque<(Zval, Zval)>>,
    /// What the input has thrown: it is thrown when all that came before is handed out.
    failure: RefCell<Option<Zval>>,
    log: Option<Log>,
    reporter: Reporter,
    cursor: Cursor,
}

struct Flying {
    key: Zval,
    /// Where its result goes in the journal.
    entry: Option<Entry>,
    flight: Awaited,
}

struct Held {
    key: Zval,
    entry: Entry,
    prepared: Prepared,
}

impl Native for Batch {
    fn trace(&self, tracer: &mut Tracer) {
        self.source.trace(tracer);
        self.input.trace(tracer);
        self.reporter.trace(tracer);
        self.log.iter().for_each(|log| log.trace(tracer));
        for flying in self.flights.try_borrow().iter().flat_map(|flights| flights.values()) {
            tracer.value(&flying.key);
            flying.flight.trace(tracer);
        }
        for held in self.held.try_borrow().iter().flat_map(|held| held.iter()) {
            tracer.value(&held.key);
            held.prepared.trace(tracer);
        }
        self.cursor.trace(tracer);
        for (key, value) in self.ready.try_borrow().iter().flat_map(|ready| ready.iter()) {
            tracer.value(key);
            tracer.value(value);
        }
        for failure in self.failure.try_borrow().iter().flat_map(|failure| failure.iter()) {
            tracer.value(failure);
        }
    }
}

/// `RetryClient::sendAll()`.
pub fn send_all(source: Source, args: &Args<'_>) -> Parsed<Zval> {
    let given = args.get(0).ok_or(Thrown)?;
    let input = Iteration::of(given).ok_or_else(|| args.type_error(0, "Traversable|array", given))?;
    let width = args.int(1, 8)?;
    let width = usize::try_from(width)
        .ok()
        .filter(|width| *width > 0)
        .ok_or_else(|| args.value_error(1, &format!("must be greater than or equal to 1, {width} given")))?;
    let callback = match args.callable_or_null(2)? {
        Some(callable) => hooks::bind(callable)?,
        None => Zval::null(),
    };
    let is_shown = args.bool(3, false)?;
    let log = match args.string_or_null(4)? {
        Some(path) => Some(Log::open(args, 4, path.as_bytes(), &input)?),
        None => None,
    };
    // In virtual time one request follows the other.
    let width = if source.is_scripted() { 1 } else { width };
    let batch = Batch {
        flights: RefCell::default(),
        held: RefCell::default(),
        source,
        input,
        is_input_over: Cell::new(false),
        lane: Rc::new(Lane::new(width)),
        finished: Finished::default(),
        ready: RefCell::default(),
        failure: RefCell::default(),
        log,
        reporter: Reporter::new(callback, is_shown),
        cursor: Cursor::new(),
    };
    // SAFETY: the class registered with `Class::native::<Batch>`.
    unsafe { native::create_with(&RESPONSES, batch) }
}

impl OnePass for Batch {
    const WHAT: &'static str = "A batch";

    fn cursor(&self) -> &Cursor {
        &self.cursor
    }

    fn next(&self) -> Parsed<Option<(Zval, Zval)>> {
        if self.cursor.is_new() {
            self.reporter.begin(self.input.count()?);
        }
        loop {
            let next = self.ready.borrow_mut().pop_front();
            if let Some(result) = next {
                self.reporter.finished(&self.lane)?;
                return Ok(Some(result));
            }
            self.log.as_ref().map_or(Ok(()), Log::check)?;
            self.take_from_input()?;
            if !self.ready.borrow().is_empty() {
                continue;
            }
            if self.flights.borrow().is_empty() {
                return self.end();
            }
            self.go_on()?;
        }
    }

    /// What is in flight is dropped here: the exception must not see it done.
    fn give_up(&self) {
        let (flights, held) = (self.flights.take(), self.held.take());
        drop((flights, held));
    }
}

impl Batch {
    fn end(&self) -> Parsed<Option<(Zval, Zval)>> {
        self.log.as_ref().map_or(Ok(()), Log::close)?;
        if let Some(failure) = self.failure.take() {
            return Err(throw::throw_object(failure));
        }
        self.reporter.end(&self.lane);
        Ok(None)
    }

    /// Waits for what comes first.
    fn go_on(&self) -> Parsed<()> {
        let is_ours = |id| self.flights.borrow().contains_key(&id);
        match flight::turn(&is_ours, self.reporter.next_at())? {
            Turn::Moved => {}
            Turn::Late => self.reporter.waiting(&self.lane)?,
            Turn::Idle => self.flights.borrow().values().try_for_each(|flying| flying.flight.end_here())?,
        }
        self.collect()
    }

    /// Puts what is over among the results.
    fn collect(&self) -> Parsed<()> {
        loop {
            let Some(id) = self.finished.borrow_mut().pop_front() else { return Ok(()) };
            let over = self.flights.borrow_mut().remove(&id);
            let Some(Flying { key, entry, flight }) = over else { continue };
            if let (Some(log), Some(entry)) = (&self.log, &entry) {
                let written = flight.with_response(|response, ended| log.write(entry, response, ended))?;
                written.unwrap_or(Ok(()))?;
            }
            let is_own = !flight.is_ended_by_callback();
            let result = match flight.conclude() {
                Ok(response) => response,
                Err(thrown) => match throw::take_throwable() {
                    Some(exception) if is_own && object::is_instance(&exception, EXCEPTION.class()) => {
                        exception
                    }
                    Some(exception) => return Err(throw::throw_object(exception)),
                    None => return Err(thrown),
                },
            };
            self.ready.borrow_mut().push_back((key, result));
        }
    }

    /// Begins as many as may be.
    fn take_from_input(&self) -> Parsed<()> {
        while self.has_room() {
            if self.is_input_over.get() || self.held.borrow().len() >= self.lane.width() {
                let held = self.held.borrow_mut().pop_front();
                let Some(Held { key, entry, prepared }) = held else { return Ok(()) };
                self.launch(key, Some(entry), prepared)?;
            } else if let Err(thrown) = self.take_one() {
                // `exit` is no exception to be kept.
                let exception = throw::take_throwable().ok_or(thrown)?;
                *self.failure.borrow_mut() = Some(exception);
                self.is_input_over.set(true);
            }
        }
        Ok(())
    }

    /// Those that wait and those that stand ready behind the ones in flight are as many as these at most. One at a time
    /// means one after the other: nothing is sent before its forerunner's result is done with.
    fn has_room(&self) -> bool {
        let (begun, waiting, width) = (self.flights.borrow().len(), self.lane.waiting(), self.lane.width());
        begun < width.saturating_mul(2)
            && (width > 1 || begun.saturating_sub(waiting) < width)
            && self.ready.borrow().len() < width
    }

    fn take_one(&self) -> Parsed<()> {
        if let Some((key, entry)) = self.log.as_ref().map_or(Ok(None), |log| log.next_journaled())? {
            return self.take_request(key, &entry);
        }
        match self.input.next()? {
            Some((key, request)) => self.take_request(key, &request),
            None => {
                self.is_input_over.set(true);
                Ok(())
            }
        }
    }

    fn take_request(&self, key: Zval, request: &Zval) -> Parsed<()> {
        let Some(request) = Object::of(request).filter(|request| request.is_a(REQUEST.class())) else {
            let given = type_name(request);
            let rule = format!(
                "must contain only {}, {given} given at key {}",
                request::NAME,
                text::shown_key(&key)
            );
            return Err(throw::type_error(format!("{INPUT} {rule}")));
        };
        let log_key = match &self.log {
            Some(log) => match log.key(&key)? {
                Some(key) => Some(key),
                // Handed out already.
                None => return Ok(()),
            },
            None => None,
        };
        let place = Place::Element(INPUT, &key);
        let what =
            What { parameters: Parameters::from_request(request)?, place: &place, request: Some(request) };
        let delivery = Delivery::Laned(Rc::clone(&self.lane), Rc::clone(&self.finished));
        let prepared = drive::prepare(self.source.copy(), what, delivery)?;
        let (Some(log), Some(log_key)) = (&self.log, log_key) else {
            return self.launch(key, None, prepared);
        };
        let entry = log.entry(log_key, prepared.request())?;
        match log.find(&entry)? {
            Some(response) => self.ready.borrow_mut().push_back((key, response)),
            None => self.held.borrow_mut().push_back(Held { key, entry, prepared }),
        }
        Ok(())
    }

    fn launch(&self, key: Zval, entry: Option<Entry>, prepared: Prepared) -> Parsed<()> {
        let flight = prepared.begin()?;
        let id = flight.id();
        self.flights.borrow_mut().insert(id, Flying { key, entry, flight });
        if self.source.is_scripted() {
            while self.flights.borrow().get(&id).is_some_and(|flying| !flying.flight.is_over()) {
                if flight::turn(&|other| other == id, None)? == Turn::Idle {
                    break;
                }
            }
            self.collect()?;
        }
        Ok(())
    }
}
