//! What can send: the methods that `\RetryClient` and `RetryClient\FakeClient` share, and
//! `RetryClient\ClientInterface`, which names them.

use ext_php_rs::{error::Result, types::Zval, zend::ce};

use crate::{
    client::Client,
    drive,
    fake::Script,
    parameters::{self, Parameters, Place},
    refusal::running,
    request::{self, REQUEST},
    zend::{
        Args, Class, Handle, Method, Parsed, Thrown, Type, method,
        method::signature,
        native::{self, Native},
        param, throw,
    },
};

pub static INTERFACE: Handle = Handle::new();

const RESPONSE: Type = Type::class("RetryClient\\Response");

/// A class whose objects send.
pub trait Sender: Native {
    /// The options that apply.
    fn client(&self) -> Parsed<&Client>;
    /// Where the answers come from, if not from the network.
    fn script(&self) -> Parsed<Option<&Script>>;
    /// A copy with other options.
    fn with(&self, options: Option<Zval>, args: &Args<'_>) -> Parsed<Zval>;
}

pub fn register() -> Result<()> {
    Class::interface("RetryClient\\ClientInterface")
        .methods(DECLARED.map(|name| declare(name, signature(name))))
        .register(&INTERFACE)
}

/// The interface's methods, for a class whose state is an `S`.
pub fn methods<S: Sender>() -> Vec<Method> {
    vec![
        declare("send", method("send", send::<S>)),
        declare("get", method("get", |args, result| verb::<S>("GET", args, result))),
        declare("post", method("post", |args, result| verb::<S>("POST", args, result))),
        declare("put", method("put", |args, result| verb::<S>("PUT", args, result))),
        declare("patch", method("patch", |args, result| verb::<S>("PATCH", args, result))),
        declare("delete", method("delete", |args, result| verb::<S>("DELETE", args, result))),
        declare("head", method("head", |args, result| verb::<S>("HEAD", args, result))),
        declare("sendRequest", method("sendRequest", send_request::<S>)),
        declare("with", method("with", with::<S>)),
    ]
}

const DECLARED: [&str; 9] = ["send", "get", "post", "put", "patch", "delete", "head", "sendRequest", "with"];

/// Parameters and return type.
fn declare(name: &str, method: Method) -> Method {
    match name {
        "send" => method.params(parameters::with_method()).returns(RESPONSE),
        "sendRequest" => method.param(param("request", Type::class(request::NAME))).returns(RESPONSE),
        "with" => method.param(param("options", Type::MIXED).variadic()).returns(Type::STATIC),
        _ => method.params(parameters::without_method()).returns(RESPONSE),
    }
}

/// The state of `$this`. The object lives as long as the call of its method.
fn this<'a, S: Sender>(args: &Args<'a>) -> Parsed<&'a S> {
    let this = args.this()?;
    // SAFETY: these methods are declared for classes registered with `Class::native::<S>` only, all final.
    unsafe { native::state::<S>(this) }
}

fn send<S: Sender>(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let place = Place::WithMethod(args);
    let parameters = Parameters::from_args(args, &place, None)?;
    parameters.check(&place)?;
    *result = drive::send(this::<S>(args)?, &parameters, &place, None)?;
    Ok(())
}

fn verb<S: Sender>(method: &str, args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let place = Place::WithoutMethod(args);
    let parameters = Parameters::from_args(args, &place, Some(method))?;
    parameters.check(&place)?;
    *result = drive::send(this::<S>(args)?, &parameters, &place, None)?;
    Ok(())
}

fn send_request<S: Sender>(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let request = args.object(0, REQUEST.class())?.ok_or(Thrown)?;
    let parameters = Parameters::from_request(request)?;
    *result = drive::send(this::<S>(args)?, &parameters, &Place::Request(args), Some(request))?;
    Ok(())
}

fn with<S: Sender>(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let options = args.take_named();
    refuse_positional(args, 0)?;
    *result = this::<S>(args)?.with(options, args)?;
    Ok(())
}

/// Options have no order.
pub fn refuse_positional(args: &Args<'_>, declared: u32) -> Parsed<()> {
    if args.count() > declared {
        args.hide_surplus(declared);
        let message = format!("{} takes its options by name only", running());
        return Err(throw::throw(ce::argument_count_error(), message));
    }
    Ok(())
}
