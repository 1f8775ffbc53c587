//! The caller's callbacks: bound when the client is made, called between two steps of a call.

use client::Hooks;
use ext_php_rs::types::Zval;
use http::{HeaderName, HeaderValue};

use crate::{
    header_rules, headers,
    options::position,
    refusal::{Refusal, refuse_return},
    zend::{Args, Object, Parsed, args::type_name, native::Tracer, object},
};

/// Closures, or null.
#[derive(Debug)]
pub struct Callbacks {
    retry: Zval,
    attempt: Zval,
    outcome: Zval,
}

impl Callbacks {
    /// Binds the callables among the arguments of the running constructor to its caller's scope.
    pub fn from_args(args: &Args<'_>) -> Parsed<Self> {
        let bound = |name: &str| match args.callable_or_null(position(name))? {
            Some(callable) => bind(callable),
            None => Ok(Zval::null()),
        };
        Ok(Self { retry: bound("onRetry")?, attempt: bound("onAttempt")?, outcome: bound("onOutcome")? })
    }

    pub fn wanted(&self) -> Hooks {
        Hooks {
            attempt: !self.attempt.is_null(),
            retry: !self.retry.is_null(),
            outcome: !self.outcome.is_null(),
        }
    }

    pub fn are_any(&self) -> bool {
        self.named().iter().any(|(_, callback)| !callback.is_null())
    }

    /// By the names of the constructor's parameters.
    pub fn named(&self) -> [(&'static str, &Zval); 3] {
        [("onRetry", &self.retry), ("onAttempt", &self.attempt), ("onOutcome", &self.outcome)]
    }

    pub fn trace(&self, tracer: &mut Tracer) {
        self.named().into_iter().for_each(|(_, callback)| tracer.value(callback));
    }

    /// False only if the callback returns false: what an arrow function returns by the way is no answer.
    pub fn on_retry(&self, failed: Zval, wait: f64, request: impl FnOnce() -> Zval) -> Parsed<bool> {
        let answer = tell(&self.retry, [failed, object::value(wait)], request)?;
        Ok(!answer.is_false())
    }

    /// The headers to add to a request whose body has `length` bytes.
    pub fn on_attempt(
        &self,
        request: Zval,
        number: u32,
        length: u64,
    ) -> Parsed<Vec<(HeaderName, HeaderValue)>> {
        let answer = object::call(&self.attempt, &mut [request, object::value(i64::from(number))])?;
        if answer.is_null() {
            return Ok(Vec::new());
        }
        let parsed = match answer.array() {
            Some(array) => headers::parse(array).and_then(|mut headers| {
                header_rules::take_content_length(&mut headers.fields, length).map_err(Refusal::Value)?;
                Ok(headers.into_pairs())
            }),
            None => Err(Refusal::Type(format!("must be of type ?array, {} returned", type_name(&answer)))),
        };
        parsed.map_err(|refusal| refuse_return("onAttempt", refusal))
    }

    pub fn on_outcome(&self, attempt: Zval, response: Zval, request: impl FnOnce() -> Zval) -> Parsed<()> {
        tell(&self.outcome, [attempt, response], request).map(drop)
    }
}

/// The request goes only to those that declare a third parameter: others may be functions that take no more than two.
fn tell(callback: &Zval, arguments: [Zval; 2], request: impl FnOnce() -> Zval) -> Parsed<Zval> {
    let [first, second] = arguments;
    if object::declared_parameters(callback) > 2 {
        object::call(callback, &mut [first, second, request()])
    } else {
        object::call(callback, &mut [first, second])
    }
}

/// `Closure::fromCallable`, which looks at the scope that called the running method: a private method
/// stays callable later on.
pub fn bind(callable: &Zval) -> Parsed<Zval> {
    if Object::of(callable).is_some_and(|object| object.class().name() == Some("Closure")) {
        return Ok(callable.shallow_clone());
    }
    object::call(&object::string("Closure::fromCallable"), &mut [callable.shallow_clone()])
}
