//! `RetryClient\StreamedResponse`: an answer whose body is read while it arrives; and its iterators.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use bytes::Bytes;
use client::{Events, Failed, Incoming, Lines, TooLong};
use ext_php_rs::{
    boxed::ZBox,
    error::Result,
    types::{ZendHashTable, Zval},
    zend::ce,
};
use policy::FailureKind;

use crate::{
    attempt,
    drive::{self, Delivery, What},
    event,
    flight::{Awaited, Source},
    response, text,
    zend::{
        Args, Class, Cursor, Handle, Object, OnePass, Parsed, Thrown, Type, method,
        native::{self, Native, Tracer},
        object, one_pass, param, throw,
    },
};

pub static STREAMED: Handle = Handle::new();
static ITERATOR: Handle = Handle::new();

pub const NAME: &str = "RetryClient\\StreamedResponse";

/// The properties of a `Response` but its body.
const PROPERTIES: [(&str, Type); 9] = [
    ("status", Type::INT),
    ("reasonPhrase", Type::STRING),
    ("protocol", Type::STRING),
    ("headers", Type::ARRAY),
    ("uri", Type::STRING),
    ("attempts", Type::ARRAY),
    ("waited", Type::FLOAT),
    ("elapsed", Type::FLOAT),
    ("retryAfter", Type::FLOAT.or_null()),
];

const STATUS: usize = 0;
const HEADERS: usize = 3;
const URI: usize = 4;

pub fn register() -> Result<()> {
    const ITERATOR_TYPE: Type = Type::class("Iterator");
    Class::native::<Streamed>(NAME)
        .implements(ce::aggregate())
        .readonlys(PROPERTIES)
        .method(method("__construct", |_, _| Ok(())).private())
        .method(method("header", header).param(param("name", Type::STRING)).returns(Type::STRING.or_null()))
        .method(method("ok", ok).returns(Type::BOOL))
        .method(method("received", received).returns(Type::INT))
        .method(
            method("getIterator", |args, result| iterate(args, result, Cut::Chunks)).returns(ITERATOR_TYPE),
        )
        .method(
            method("lines", |args, result| iterate(args, result, Cut::Lines(RefCell::default())))
                .returns(ITERATOR_TYPE),
        )
        .method(
            method("events", |args, result| iterate(args, result, Cut::Events(RefCell::default())))
                .returns(ITERATOR_TYPE),
        )
        .register(&STREAMED)?;
    Class::native::<Iterator>("RetryClient\\StreamIterator")
        .implements(ce::iterator())
        .method(method("__construct", |_, _| Ok(())).private())
        .methods(one_pass::methods::<Iterator>())
        .register(&ITERATOR)
}

/// The body on its way, for the response and its iterator.
struct Reading {
    flight: Awaited,
    /// A body that was read whole before there was a stream.
    whole: RefCell<Option<Zval>>,
}

struct Streamed {
    /// Until it is read: then it is its iterator's.
    reading: RefCell<Option<Reading>>,
    received: Received,
}

/// How much of the body has come.
enum Received {
    Whole(u64),
    OnItsWay(Rc<Incoming>),
}

impl Native for Streamed {
    const SHOWN: Option<fn(Object<'_>) -> ZBox<ZendHashTable>> =
        Some(|this| response::shown_with(this, &STREAMED, URI, HEADERS));

    fn trace(&self, tracer: &mut Tracer) {
        for reading in self.reading.try_borrow().iter().flat_map(|reading| reading.iter()) {
            reading.flight.trace(tracer);
        }
    }
}

/// Sends; returns at the first byte of the final answer, or at its end.
pub fn stream(source: Source, what: What<'_>) -> Parsed<Zval> {
    let flight = drive::begin(source, what, Delivery::Flowing)?;
    let begun = flight.incoming.clone().ok_or(Thrown)?;
    flight.wait_for(|_| begun.begun().is_some(), None)?;
    let (values, whole) = match begun.begun() {
        Some(begun) => {
            let attempts = attempt::attempts(&begun.attempts);
            let none = object::string("");
            (response::values(&begun.response, none, &attempts, begun.waited, begun.elapsed), None)
        }
        None => {
            let response = flight.conclude()?;
            let values = response::values_of(Object::of(&response).ok_or(Thrown)?)?;
            let body = values.get(response::BODY).map(Zval::shallow_clone);
            (values, body)
        }
    };
    let values = values.into_iter().enumerate().filter(|(index, _)| *index != response::BODY);
    let created = STREAMED.create_with(values.map(|(_, value)| value));
    let received = match &whole {
        Some(whole) => Received::Whole(text::bytes(whole).len() as u64),
        None => Received::OnItsWay(begun),
    };
    let reading = RefCell::new(Some(Reading { flight, whole: RefCell::new(whole) }));
    let this = Object::of(&created).ok_or(Thrown)?;
    // SAFETY: just created, of the class registered with `Class::native::<Streamed>`.
    unsafe { native::init(this, Streamed { reading, received }) }?;
    Ok(created)
}

fn this<'a>(args: &Args<'a>) -> Parsed<&'a Streamed> {
    // SAFETY: methods of a final class registered with `Class::native::<Streamed>`.
    unsafe { native::state(args.this()?) }
}

fn header(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let headers = STREAMED.read(args.this()?, HEADERS)?.array().ok_or(Thrown)?;
    response::joined_header(args, headers, result)
}

fn ok(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let status = STREAMED.read(args.this()?, STATUS)?.long();
    result.set_bool(status.is_some_and(response::is_success));
    Ok(())
}

fn received(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let received = match &this(args)?.received {
        Received::Whole(length) => *length,
        Received::OnItsWay(incoming) => incoming.received(),
    };
    *result = object::value(i64::try_from(received).unwrap_or(i64::MAX));
    Ok(())
}

/// What the body is cut into.
enum Cut {
    Chunks,
    Lines(RefCell<Lines>),
    Events(RefCell<Events>),
}

fn iterate(args: &Args<'_>, result: &mut Zval, cut: Cut) -> Parsed<()> {
    let reading = this(args)?.reading.take();
    let reading = reading.ok_or_else(|| throw::error("A StreamedResponse can be read only once"))?;
    let state = Iterator { reading, cut, cursor: Cursor::new(), count: Cell::new(0) };
    // SAFETY: the class registered with `Class::native::<Iterator>`.
    *result = unsafe { native::create_with(&ITERATOR, state) }?;
    Ok(())
}

struct Iterator {
    reading: Reading,
    cut: Cut,
    cursor: Cursor,
    /// How many elements there have been: keys count from 0.
    count: Cell<i64>,
}

impl Native for Iterator {
    fn trace(&self, tracer: &mut Tracer) {
        self.reading.flight.trace(tracer);
        self.cursor.trace(tracer);
    }
}

impl OnePass for Iterator {
    const WHAT: &'static str = "A StreamedResponse";

    fn cursor(&self) -> &Cursor {
        &self.cursor
    }

    fn next(&self) -> Parsed<Option<(Zval, Zval)>> {
        let Some(element) = self.read()? else { return Ok(None) };
        let key = self.count.replace(self.count.get().saturating_add(1));
        Ok(Some((object::value(key), element)))
    }

    fn give_up(&self) {
        self.reading.flight.cancel();
    }
}

impl Iterator {
    fn read(&self) -> Parsed<Option<Zval>> {
        loop {
            if let Some(element) = self.cut_off()? {
                return Ok(Some(element));
            }
            match self.reading.chunk()? {
                Some(chunk) => match &self.cut {
                    Cut::Chunks => return Ok(Some(object::string(&chunk))),
                    Cut::Lines(lines) => lines.borrow_mut().push(chunk),
                    Cut::Events(events) => events.borrow_mut().push(chunk),
                },
                None => {
                    let last = match &self.cut {
                        Cut::Lines(lines) => lines.borrow_mut().finish(),
                        _ => None,
                    };
                    return Ok(last.map(object::string));
                }
            }
        }
    }

    /// The next element that is here whole.
    fn cut_off(&self) -> Parsed<Option<Zval>> {
        let element = match &self.cut {
            Cut::Chunks => Ok(None),
            Cut::Lines(lines) => lines.borrow_mut().next().map(|line| line.map(object::string)),
            Cut::Events(events) => events.borrow_mut().next().map(|own| own.map(|own| event::event(&own))),
        };
        element.map_err(|error| self.reading.give_up(error))
    }
}

impl Reading {
    /// The next stretch of the body, waited for; `None` at its end.
    fn chunk(&self) -> Parsed<Option<Bytes>> {
        if let Some(whole) = self.whole.take() {
            let body = text::bytes(&whole);
            return Ok((!body.is_empty()).then(|| Bytes::copy_from_slice(body)));
        }
        let incoming = match &self.flight.incoming {
            Some(incoming) if incoming.begun().is_some() => incoming,
            _ => return Ok(None),
        };
        loop {
            if let Some(chunk) = incoming.take() {
                return Ok(Some(chunk));
            }
            if self.flight.is_over() {
                return self.flight.end_of_stream().map(|()| None);
            }
            self.flight.has_moved.set(false);
            self.flight.wait_for(|flight| flight.has_moved.get(), None)?;
        }
    }

    fn give_up(&self, error: TooLong) -> Thrown {
        self.flight.break_off(Failed {
            kind: FailureKind::TooLarge,
            message: error.to_string(),
            unsent: false,
            permanent: true,
        })
    }
}
