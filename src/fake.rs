//! `RetryClient\FakeClient`: the real policy over scripted answers on a virtual clock, for applications'
//! own tests.

use std::cell::{Cell, RefCell};

use client::{Failed, Request, Response, VirtualClock};
use ext_php_rs::{
    error::Result,
    types::{ZendHashTable, Zval},
    zend::ce,
};

use crate::{
    client::{self as client_class, Client},
    client_interface::{self, INTERFACE, Sender, refuse_positional},
    fake_answer, flight, headers, hooks,
    parameters::{Field, Parameters},
    refusal::{Refusal, refuse_return},
    request,
    response::RESPONSE,
    text, uri,
    zend::{
        Args, Class, Handle, Object, Parsed, Thrown, Type,
        args::type_name,
        ffi::zend_class_entry,
        method,
        native::{self, Native, Tracer},
        object, param, throw,
    },
};

pub static FAKE: Handle = Handle::new();

const NAME: &str = "RetryClient\\FakeClient";

// ext/spl/spl_exceptions.h
unsafe extern "C" {
    static mut spl_ce_UnderflowException: *mut zend_class_entry;
}

pub fn register() -> Result<()> {
    Class::native::<Fake>(NAME)
        .implements(INTERFACE.class())
        .method(
            method("__construct", construct)
                .param(param("answers", Type::ARRAY.or(Type::CALLABLE)))
                .param(param("options", Type::MIXED).variadic()),
        )
        .methods(client_interface::methods::<Fake>())
        .method(method("requests", requests).returns(Type::ARRAY))
        .register(&FAKE)
}

/// The state of a fake client.
struct Fake {
    /// The `\RetryClient` whose options apply; it never sends.
    client: Zval,
    script: Source,
}

/// Where a fake client's script is.
enum Source {
    Own(Script),
    /// In the fake client that this one is a copy of. The collector must find each value in one object.
    Of(Zval),
}

/// The answers, and what was sent for them.
pub struct Script {
    answers: Answers,
    clock: VirtualClock,
    sent: RefCell<Vec<Zval>>,
}

enum Answers {
    /// `Response` and `Throwable` objects, and how many of them are used.
    List(Vec<Zval>, Cell<usize>),
    Callback(Zval),
}

fn construct(args: &Args<'_>, _: &mut Zval) -> Parsed<()> {
    let options = args.take_named();
    refuse_positional(args, 1)?;
    let answers = Answers::from_args(args)?;
    let mut arguments = ZendHashTable::new();
    object::insert(&mut arguments, b"jitter", object::value(0.0));
    client_class::add_options(&mut arguments, options.as_ref(), args)?;
    let client = client_class::construct_with(arguments)?;
    let script = Script { answers, clock: VirtualClock::starting_now(), sent: RefCell::default() };
    // SAFETY: the constructor of a final class registered with `Class::native::<Fake>`.
    unsafe { native::init(args.this()?, Fake { client, script: Source::Own(script) }) }
}

fn requests(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    // SAFETY: a method of a final class registered with `Class::native::<Fake>`.
    let fake = unsafe { native::state::<Fake>(args.this()?) }?;
    let sent: Vec<Zval> = fake.own_script()?.sent.borrow().iter().map(Zval::shallow_clone).collect();
    *result = object::list(sent);
    Ok(())
}

impl Native for Fake {
    fn trace(&self, tracer: &mut Tracer) {
        tracer.value(&self.client);
        match &self.script {
            Source::Of(fake) => tracer.value(fake),
            Source::Own(script) => script.trace(tracer),
        }
    }
}

impl Sender for Fake {
    fn source(&self, this: Object<'_>) -> Parsed<flight::Source> {
        Ok(flight::Source::new(self.client.shallow_clone(), Some(self.origin(this))))
    }

    fn with(&self, options: Option<Zval>, args: &Args<'_>) -> Parsed<Zval> {
        let client = Client::of(&self.client)?.with(options, args)?;
        let origin = self.origin(args.this()?);
        // SAFETY: the class registered with `Class::native::<Fake>`.
        unsafe { native::create_with(&FAKE, Self { client, script: Source::Of(origin) }) }
    }
}

impl Fake {
    /// The fake client that holds the script.
    fn origin(&self, this: Object<'_>) -> Zval {
        match &self.script {
            Source::Own(_) => object::reference(this),
            Source::Of(fake) => fake.shallow_clone(),
        }
    }

    fn own_script(&self) -> Parsed<&Script> {
        match &self.script {
            Source::Own(script) => Ok(script),
            Source::Of(fake) => {
                let origin = Object::of(fake).ok_or(Thrown)?;
                // SAFETY: `with` puts fake clients here only, and of those the first.
                match &unsafe { native::state::<Self>(origin) }?.script {
                    Source::Own(script) => Ok(script),
                    Source::Of(_) => Err(Thrown),
                }
            }
        }
    }
}

impl Answers {
    fn from_args(args: &Args<'_>) -> Parsed<Self> {
        let given = args.get(0).ok_or(Thrown)?;
        if let Some(list) = given.array() {
            let wrong = text::entries(list).find(|(_, item)| !is_answer(item));
            let Some((key, item)) = wrong else {
                let answers = text::entries(list).map(|(_, item)| item.shallow_clone()).collect();
                return Ok(Self::List(answers, Cell::new(0)));
            };
            if !given.is_callable() {
                let key = String::from_utf8_lossy(&text::key(&key)).into_owned();
                let rule = format!(
                    "must be a callback or a list of RetryClient\\Response and Throwable, {} given at key {key}",
                    type_name(item)
                );
                return Err(args.type_error_rule(0, &rule));
            }
        }
        if !given.is_callable() {
            return Err(args.type_error(0, "callable|array", given));
        }
        hooks::bind(given).map(Self::Callback)
    }
}

fn is_answer(value: &Zval) -> bool {
    RESPONSE.owns(value) || object::is_instance(value, ce::throwable())
}

impl Script {
    /// That of a `FakeClient`.
    pub fn of(fake: &Zval) -> Parsed<&Self> {
        let fake = Object::of(fake).filter(|fake| fake.is_a(FAKE.class())).ok_or(Thrown)?;
        // SAFETY: of the class registered with `Class::native::<Fake>`, which is final.
        unsafe { native::state::<Fake>(fake) }?.own_script()
    }

    pub fn clock(&self) -> &VirtualClock {
        &self.clock
    }

    fn trace(&self, tracer: &mut Tracer) {
        match &self.answers {
            Answers::List(answers, _) => answers.iter().for_each(|answer| tracer.value(answer)),
            Answers::Callback(callback) => tracer.value(callback),
        }
        // Never borrowed while PHP's memory is touched, so there is nothing to miss.
        if let Ok(sent) = self.sent.try_borrow() {
            sent.iter().for_each(|request| tracer.value(request));
        }
    }

    /// Notes what is sent, and gives the next answer to it.
    pub fn exchange(
        &self,
        sent: &Request,
        parameters: &Parameters,
    ) -> Parsed<std::result::Result<Response, Failed>> {
        let shown = show(sent, parameters);
        self.sent.borrow_mut().push(shown.shallow_clone());
        let answer = match &self.answers {
            Answers::Callback(callback) => called(callback, shown)?,
            Answers::List(answers, used) => match answers.get(used.get()) {
                Some(answer) => {
                    used.set(used.get().saturating_add(1));
                    answer.shallow_clone()
                }
                None => return Err(self.used_up(sent, answers.len())),
            },
        };
        fake_answer::translate(answer, sent)
    }

    fn used_up(&self, sent: &Request, given: usize) -> Thrown {
        let uri = String::from_utf8_lossy(&uri::redact(sent.uri.as_str().as_bytes())).into_owned();
        let number = self.sent.borrow().len();
        let message =
            format!("{NAME} has no answer left for request {number}, {} {uri}; {given} given", sent.method);
        // SAFETY: a class of SPL, which is part of every PHP.
        throw::throw(unsafe { &*spl_ce_UnderflowException }, message)
    }
}

/// What the callback answers; what it throws is an answer too.
fn called(callback: &Zval, request: Zval) -> Parsed<Zval> {
    let answer = match object::call(callback, &mut [request]) {
        Ok(answer) => answer,
        // `exit` in a callback is no Throwable.
        Err(thrown) => throw::take_throwable().ok_or(thrown)?,
    };
    if is_answer(&answer) {
        return Ok(answer);
    }
    let rule = format!("must be of type RetryClient\\Response, {} returned", type_name(&answer));
    Err(refuse_return("the answers' callback", Refusal::Type(rule)))
}

/// The request as it is sent: the call's parameters with the final method, address and headers.
fn show(sent: &Request, parameters: &Parameters) -> Zval {
    let mut shown = parameters.copy();
    shown.set(Field::Method, object::string(sent.method.as_str()));
    shown.set(Field::Uri, object::string(sent.uri.as_str()));
    shown.set(Field::Headers, headers::to_array(&sent.headers));
    if sent.body.is_empty() {
        // A redirect may have dropped it.
        for field in [Field::Body, Field::Json] {
            shown.set(field, Zval::null());
        }
        for field in [Field::Form, Field::Multipart] {
            shown.set(field, Zval::new_array());
        }
    }
    request::create_with(shown)
}
