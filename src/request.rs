//! `RetryClient\Request`: the parameters of `send()` as a value. It holds what it was given; a debugger
//! sees names and sizes instead of secrets.

use std::sync::OnceLock;

use ext_php_rs::{
    boxed::ZBox,
    error::Result,
    types::{ZendHashTable, ZendObject, Zval},
    zend::{ClassEntry, ZendObjectHandlers},
};

use crate::{
    header_rules,
    parameters::{self, Field, Parameters, Place},
    text, uri,
    zend::{Args, Class, Handle, Object, Parsed, args::type_name, ffi, method, object, throw},
};

pub static REQUEST: Handle = Handle::new();

pub const NAME: &str = "RetryClient\\Request";

const REDACTED: &str = "[redacted]";

pub fn register() -> Result<()> {
    Class::value(NAME)
        .shown(shown)
        .readonlys(Field::ALL.map(|field| (field.name(), field.type_())))
        .method(method("__construct", construct).params(parameters::with_method()))
        .register(&REQUEST)?;
    forbid_cloning();
    Ok(())
}

fn construct(args: &Args<'_>, _: &mut Zval) -> Parsed<()> {
    let this = args.this()?;
    if REQUEST.peek(this, 0).is_some() {
        return Err(throw::error(format!("Cannot modify readonly property {NAME}::$method")));
    }
    let place = Place::WithMethod(args);
    let parameters = Parameters::from_args(args, &place, None)?;
    parameters.check_head(&place)?;
    parameters.check(&place)?;
    fill(this, parameters);
    Ok(())
}

/// A request with these parameters, which are good already.
pub fn create_with(parameters: Parameters) -> Zval {
    REQUEST.create_with(parameters.into_values())
}

fn fill(this: Object<'_>, parameters: Parameters) {
    for (index, value) in parameters.into_values().into_iter().enumerate() {
        REQUEST.fill(this, index, value);
    }
}

/// What a dump shows.
fn shown(this: Object<'_>) -> ZBox<ZendHashTable> {
    let mut shown = ZendHashTable::new();
    for field in Field::ALL {
        if let Some(value) = REQUEST.peek(this, field.index()) {
            object::insert(&mut shown, field.name().as_bytes(), show(field, value));
        }
    }
    shown
}

fn show(field: Field, value: &Zval) -> Zval {
    match field {
        Field::Method | Field::Sink | Field::Cost => value.shallow_clone(),
        Field::Uri => object::string(uri::redact(text::bytes(value))),
        Field::Headers => show_headers(value),
        Field::Body | Field::Json | Field::LimitKey => show_content(value),
        Field::Form | Field::Query | Field::Multipart => show_keys(value),
    }
}

fn show_headers(headers: &Zval) -> Zval {
    let mut shown = ZendHashTable::new();
    for (key, value) in headers.array().map(text::entries).into_iter().flatten() {
        let name = text::key(&key);
        let seen =
            if header_rules::is_secret(&name) { object::string(REDACTED) } else { value.shallow_clone() };
        object::insert(&mut shown, &name, seen);
    }
    object::value(shown)
}

/// The size of a text, the keys of an array, the type of anything else.
fn show_content(value: &Zval) -> Zval {
    if value.is_null() || value.is_resource() {
        return value.shallow_clone();
    }
    if value.is_array() {
        return show_keys(value);
    }
    match value.zend_str() {
        Some(content) => object::string(format!("[{} bytes]", content.len)),
        None => object::string(format!("[{}]", type_name(value))),
    }
}

fn show_keys(array: &Zval) -> Zval {
    let mut shown = ZendHashTable::new();
    for (key, _) in array.array().map(text::entries).into_iter().flatten() {
        object::insert(&mut shown, &text::key(&key), object::string(REDACTED));
    }
    object::value(shown)
}

type Create = unsafe extern "C" fn(*mut ClassEntry) -> *mut ZendObject;

/// How a request is made, but for [`create`].
static CREATE_CLONEABLE: OnceLock<Create> = OnceLock::new();

/// A copy of what cannot change is of no use.
fn forbid_cloning() {
    let class = std::ptr::from_ref(REQUEST.class()).cast_mut();
    // SAFETY: a class that is being registered by this thread; no object of it exists yet.
    let creates = unsafe { &mut (*class).__bindgen_anon_2.create_object };
    if let Some(known) = creates.replace(create) {
        // The same function at each module start.
        let _ = CREATE_CLONEABLE.set(known);
    }
}

unsafe extern "C" fn create(class: *mut ClassEntry) -> *mut ZendObject {
    let make = CREATE_CLONEABLE.get().copied().unwrap_or(ffi::zend_objects_new);
    // SAFETY: the engine makes an object of the class; its table of handlers is copied once and lives on.
    unsafe {
        let created = make(class);
        (*created).handlers = &raw const UNCLONEABLE
            .get_or_init(|| {
                let mut handlers = std::ptr::read((*created).handlers);
                handlers.clone_obj = None;
                Handlers(handlers)
            })
            .0;
        created
    }
}

static UNCLONEABLE: OnceLock<Handlers> = OnceLock::new();

struct Handlers(ZendObjectHandlers);

// SAFETY: a table of function pointers that nobody writes to.
unsafe impl Sync for Handlers {}
// SAFETY: as above.
unsafe impl Send for Handlers {}
