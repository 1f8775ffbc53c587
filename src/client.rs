//! `\RetryClient`: what it was constructed with, and how a copy with other options is made.

use ext_php_rs::{
    boxed::ZBox,
    error::Result,
    types::{ZendHashTable, Zval},
};

use crate::{
    client_interface::{self, INTERFACE, Sender},
    flight::Source,
    hooks::Callbacks,
    options::{self, Config, DECLARED},
    pending, stats, text,
    zend::{
        Args, Class, Handle, Object, Parsed, Thrown, Type, method,
        native::{self, Native, Tracer},
        object, param, static_method,
    },
};

pub static CLIENT: Handle = Handle::new();

/// The state of a client. Nothing in it changes after construction.
#[derive(Debug)]
pub struct Client {
    pub config: Config,
    pub callbacks: Callbacks,
    /// The constructor's arguments by name, with the callbacks bound, for copies.
    arguments: Zval,
}

pub fn register() -> Result<()> {
    Class::native::<Client>("RetryClient")
        .implements(INTERFACE.class())
        .method(method("__construct", construct).params(options::params()))
        .methods(client_interface::methods::<Client>())
        .method(
            static_method("poll", pending::poll)
                .param(param("pending", Type::ITERABLE))
                .param(param("timeout", Type::FLOAT.or_null()).default("null"))
                .returns(Type::ARRAY),
        )
        .method(static_method("stats", show_stats).returns(Type::ARRAY))
        .register(&CLIENT)
}

fn construct(args: &Args<'_>, _: &mut Zval) -> Parsed<()> {
    let config = Config::from_args(args)?;
    let callbacks = Callbacks::from_args(args)?;
    let arguments = arguments(args, &callbacks);
    // SAFETY: the constructor of a final class registered with `Class::native::<Client>`.
    unsafe { native::init(args.this()?, Client { config, callbacks, arguments }) }
}

fn show_stats(_: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    *result = stats::array();
    Ok(())
}

fn arguments(args: &Args<'_>, callbacks: &Callbacks) -> Zval {
    let mut array = ZendHashTable::new();
    for (index, declared) in DECLARED.iter().enumerate() {
        if let Some(value) = args.get(index) {
            object::insert(&mut array, declared.name.as_bytes(), value.shallow_clone());
        }
    }
    for (name, callback) in callbacks.named() {
        if !callback.is_null() {
            object::insert(&mut array, name.as_bytes(), callback.shallow_clone());
        }
    }
    object::value(array)
}

impl Native for Client {
    fn trace(&self, tracer: &mut Tracer) {
        tracer.value(&self.arguments);
        self.callbacks.trace(tracer);
    }
}

impl Client {
    /// The state of a `\RetryClient`.
    pub fn of(object: &Zval) -> Parsed<&Self> {
        let object = Object::of(object).filter(|object| object.is_a(CLIENT.class())).ok_or(Thrown)?;
        // SAFETY: of the class registered with `Class::native::<Client>`, which is final.
        unsafe { native::state(object) }
    }
}

impl Sender for Client {
    fn source(&self, this: Object<'_>) -> Parsed<Source> {
        Ok(Source::new(object::reference(this), None))
    }

    /// The constructor of a new object is called with the old arguments and the new ones over them: there
    /// is one parser, and null is an argument like any other.
    fn with(&self, options: Option<Zval>, args: &Args<'_>) -> Parsed<Zval> {
        let mut merged = ZendHashTable::new();
        for (key, value) in self.arguments.array().map(text::entries).into_iter().flatten() {
            object::insert(&mut merged, &text::key(&key), value.shallow_clone());
        }
        add_options(&mut merged, options.as_ref(), args)?;
        construct_with(merged)
    }
}

/// Adds the named arguments that `args` was called with. A caller with `strict_types` gets no conversion,
/// though the constructor is called by this method, which is weak.
pub fn add_options(merged: &mut ZendHashTable, options: Option<&Zval>, args: &Args<'_>) -> Parsed<()> {
    let strict = args.is_strict();
    for (key, value) in options.and_then(Zval::array).map(text::entries).into_iter().flatten() {
        let name = text::key(&key);
        if strict {
            options::check_strictly(&name, value)?;
        }
        object::insert(merged, &name, value.shallow_clone());
    }
    Ok(())
}

/// A new client; what is wrong with its arguments is told by its constructor.
pub fn construct_with(mut arguments: ZBox<ZendHashTable>) -> Parsed<Zval> {
    object::construct(CLIENT.class(), &mut [], Some(&mut arguments))
}
