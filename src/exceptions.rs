//! The exception classes: what they are in PHP. Which one a call ends with is decided in `ended.rs`.

use ext_php_rs::{
    error::Result,
    types::Zval,
    zend::{ClassEntry, ce},
};

use crate::{
    attempt::ATTEMPT,
    fields::{self, Field},
    message, response,
    zend::{Args, Class, Handle, Method, Object, Parsed, Thrown, Type, ffi, method, object, param, throw},
};

pub static EXCEPTION: Handle = Handle::new();
pub static GAVE_UP: Handle = Handle::new();
pub static NETWORK: Handle = Handle::new();
pub static HTTP: Handle = Handle::new();
pub static ATTEMPTS_EXHAUSTED: Handle = Handle::new();
pub static BUDGET_EXCEEDED: Handle = Handle::new();
pub static RATE_LIMITED: Handle = Handle::new();

const RESPONSE: Type = Type::class(response::NAME);

const ATTEMPTS: Field =
    Field::new("attempts", Type::ARRAY, fields::EMPTY_ARRAY).admit(|value| fields::list_of(value, &ATTEMPT));
const MAYBE_RESPONSE: Field = Field::new("response", RESPONSE.or_null(), fields::NULL);

const NETWORK_FIELDS: [Field; 2] = [ATTEMPTS, Field::new("kind", Type::STRING, fields::EMPTY_STRING)];
const HTTP_FIELDS: [Field; 2] = [ATTEMPTS, Field::new("response", RESPONSE, fields::NULL).or_uninitialized()];
const BUDGET_FIELDS: [Field; 5] = [
    ATTEMPTS,
    MAYBE_RESPONSE,
    Field::new("retryAfter", Type::FLOAT.or_null(), fields::NULL).admit(fields::seconds),
    Field::new("needed", Type::FLOAT, fields::ZERO).admit(fields::seconds),
    Field::new("left", Type::FLOAT, fields::ZERO).admit(fields::seconds),
];
const RATE_FIELDS: [Field; 3] =
    [ATTEMPTS, MAYBE_RESPONSE, Field::new("retryAfter", Type::FLOAT, fields::ZERO).admit(fields::seconds)];

/// `\Exception`'s own parameters, before ours.
const BASE: usize = 3;

pub fn register() -> Result<()> {
    Class::interface("RetryClient\\Exception").implements(ce::throwable()).register(&EXCEPTION)?;
    Class::interface("RetryClient\\GaveUpException").implements(EXCEPTION.class()).register(&GAVE_UP)?;
    class("RetryClient\\NetworkException", &NETWORK_FIELDS)
        .method(constructor(|args, _| construct(args, &NETWORK, &NETWORK_FIELDS), &NETWORK_FIELDS))
        .implements(EXCEPTION.class())
        .register(&NETWORK)?;
    class("RetryClient\\HttpException", &HTTP_FIELDS)
        .method(constructor(|args, _| construct(args, &HTTP, &HTTP_FIELDS), &HTTP_FIELDS))
        .implements(EXCEPTION.class())
        .register(&HTTP)?;
    Class::open("RetryClient\\AttemptsExhaustedException")
        .extends(|| HTTP.class())
        .implements(GAVE_UP.class())
        .register(&ATTEMPTS_EXHAUSTED)?;
    class("RetryClient\\BudgetExceededException", &BUDGET_FIELDS)
        .method(constructor(|args, _| construct(args, &BUDGET_EXCEEDED, &BUDGET_FIELDS), &BUDGET_FIELDS))
        .implements(GAVE_UP.class())
        .register(&BUDGET_EXCEEDED)?;
    class("RetryClient\\RateLimitedException", &RATE_FIELDS)
        .method(constructor(|args, _| construct(args, &RATE_LIMITED, &RATE_FIELDS), &RATE_FIELDS))
        .implements(GAVE_UP.class())
        .register(&RATE_LIMITED)
}

fn class(name: &'static str, fields: &[Field]) -> Class {
    Class::open(name).extends(runtime_exception).readonlys(fields.iter().map(Field::property))
}

fn runtime_exception() -> &'static ClassEntry {
    // SAFETY: ext/spl is part of every PHP and starts before extensions that are loaded.
    unsafe { &*ffi::spl_ce_RuntimeException }
}

fn constructor<F>(function: F, own: &[Field]) -> Method
where
    F: Fn(&Args<'_>, &mut Zval) -> Parsed<()> + 'static,
{
    method("__construct", function)
        .param(param("message", Type::STRING).default("''"))
        .param(param("code", Type::INT).default("0"))
        .param(param("previous", Type::class("Throwable").or_null()).default("null"))
        .params(own.iter().map(Field::param))
}

/// What `\Exception::__construct` does, then our own properties.
fn construct(args: &Args<'_>, handle: &Handle, own: &[Field]) -> Parsed<()> {
    let this = args.this()?;
    fields::refuse_again(this, handle, own)?;
    let message = args.string(0)?.map(|text| object::string(text.as_bytes()));
    let code = args.int(1, 0)?;
    let previous = args.object_or_null(2, ce::throwable())?;
    let values = fields::read(args, BASE, own)?;
    if let Some(message) = message {
        let previous = object::or_null(previous.map(object::reference));
        object::construct_as(ce::exception(), this, &mut [message, object::value(code), previous])?;
    }
    fields::fill(this, handle, own, values);
    Ok(())
}

/// An exception of one of our classes, with the place and trace of the PHP code that is running. `own` are the
/// properties that `declaring` declares, in order; `class` is it or a child of it.
#[must_use]
pub fn exception(class: &Handle, declaring: &Handle, message: &str, code: i64, own: Vec<Zval>) -> Zval {
    let exception = throw::exception(class.class(), message.as_bytes());
    throw::set_code(&exception, code);
    if let Some(this) = Object::of(&exception) {
        for (property, value) in own.into_iter().enumerate() {
            declaring.fill(this, property, value);
        }
    }
    exception
}

/// `HttpException` for a `RetryClient\Response`, whose request's method is not known any more.
pub fn throw_http(response: Object<'_>) -> Parsed<Thrown> {
    let answered = response::answered(response)?;
    let text = message::answered(None, &answered);
    let own = vec![answered.attempts.shallow_clone(), object::reference(response)];
    Ok(throw::throw_object(exception(&HTTP, &HTTP, &text, answered.status, own)))
}
