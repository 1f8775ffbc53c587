//! `RetryClient\Attempt` and `RetryClient\Reason`: the record of one send.

use ext_php_rs::{error::Result, types::Zval};
use policy::Reason;

use crate::{
    fields::{self, Field},
    refusal::Refusal,
    seconds,
    zend::{Args, Class, Handle, Parsed, Type, declare, method, object, param},
};

pub static ATTEMPT: Handle = Handle::new();
pub static REASON: Handle = Handle::new();

const REASON_NAME: &str = "RetryClient\\Reason";

const FIELDS: [Field; 8] = [
    Field::new("number", Type::INT, ("1", || object::value(1_i64))).admit(number),
    Field::new("status", Type::INT.or_null(), fields::NULL).admit(status),
    Field::new("error", Type::STRING.or_null(), fields::NULL),
    Field::new("startedAt", Type::FLOAT, fields::ZERO).admit(fields::seconds),
    Field::new("duration", Type::FLOAT, fields::ZERO).admit(fields::seconds),
    Field::new("wait", Type::FLOAT, fields::ZERO).admit(fields::seconds),
    Field::new("paced", Type::FLOAT, fields::ZERO).admit(fields::seconds),
    Field::new(
        "reason",
        Type::class(REASON_NAME),
        ("\\RetryClient\\Reason::Answered", || reason(Reason::Answered)),
    ),
];

pub fn register() -> Result<()> {
    declare::string_enum(
        REASON_NAME,
        Reason::ALL.map(|reason| (case_name(reason), reason.as_str())),
        &REASON,
    )?;
    Class::value("RetryClient\\Attempt")
        .serializable()
        .readonlys(FIELDS.iter().map(Field::property))
        .method(method("__construct", construct).params(FIELDS.iter().map(Field::param)))
        .method(method("__serialize", serialize).returns(Type::ARRAY))
        .method(method("__unserialize", unserialize).param(param("data", Type::ARRAY)).returns(Type::VOID))
        .register(&ATTEMPT)
}

fn construct(args: &Args<'_>, _: &mut Zval) -> Parsed<()> {
    fields::construct(args, &ATTEMPT, &FIELDS)
}

fn serialize(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    *result = fields::to_array(args.this()?, &ATTEMPT, &FIELDS)?;
    Ok(())
}

fn unserialize(args: &Args<'_>, _: &mut Zval) -> Parsed<()> {
    fields::unserialize(args, &ATTEMPT, &FIELDS)
}

/// `RetryClient\Attempt` of an attempt.
#[must_use]
pub fn attempt(from: &policy::Attempt) -> Zval {
    ATTEMPT.create_with([
        object::value(i64::from(from.number)),
        object::or_null(from.status.map(|status| object::value(i64::from(status)))),
        object::or_null(from.error.as_ref().map(object::string)),
        object::value(seconds::since_epoch(from.started_at)),
        object::value(from.duration.as_secs_f64()),
        object::value(from.wait.as_secs_f64()),
        object::value(from.paced.as_secs_f64()),
        reason(from.reason),
    ])
}

/// `list<RetryClient\Attempt>`.
#[must_use]
pub fn attempts(from: &[policy::Attempt]) -> Zval {
    object::list(from.iter().map(attempt))
}

fn reason(from: Reason) -> Zval {
    declare::enum_case(&REASON, case_name(from))
}

/// The PHP enum's case.
const fn case_name(reason: Reason) -> &'static std::ffi::CStr {
    match reason {
        Reason::Answered => c"Answered",
        Reason::RetryAfter => c"RetryAfter",
        Reason::Backoff => c"Backoff",
        Reason::Network => c"Network",
        Reason::NotRetryable => c"NotRetryable",
        Reason::AttemptsExhausted => c"AttemptsExhausted",
        Reason::RateLimited => c"RateLimited",
        Reason::BudgetExceeded => c"BudgetExceeded",
        Reason::Stopped => c"Stopped",
    }
}

fn number(value: &Zval) -> std::result::Result<Zval, Refusal> {
    match value.long() {
        Some(number) if number < 1 => {
            Err(Refusal::value(format!("must be greater than or equal to 1, {number} given")))
        }
        _ => Ok(value.shallow_clone()),
    }
}

/// An HTTP status: three digits (RFC 9110 section 15); servers use some beyond 599.
pub fn status(value: &Zval) -> std::result::Result<Zval, Refusal> {
    match value.long() {
        Some(status) if !(100..=999).contains(&status) => {
            Err(Refusal::value(format!("must be between 100 and 999, {status} given")))
        }
        _ => Ok(value.shallow_clone()),
    }
}
