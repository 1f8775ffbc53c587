//! `RetryClient\Event`: one server-sent event.

use ext_php_rs::{error::Result, types::Zval};

use crate::{
    fields::{self, Field},
    zend::{Args, Class, Handle, Parsed, Type, method, object},
};

pub static EVENT: Handle = Handle::new();

const FIELDS: [Field; 4] = [
    Field::new("event", Type::STRING, ("'message'", || object::string("message"))),
    Field::new("data", Type::STRING, fields::EMPTY_STRING),
    Field::new("id", Type::STRING, fields::EMPTY_STRING),
    Field::new("retry", Type::FLOAT.or_null(), fields::NULL).admit(fields::seconds),
];

pub fn register() -> Result<()> {
    Class::value("RetryClient\\Event")
        .readonlys(FIELDS.iter().map(Field::property))
        .method(method("__construct", construct).params(FIELDS.iter().map(Field::param)))
        .register(&EVENT)
}

fn construct(args: &Args<'_>, _: &mut Zval) -> Parsed<()> {
    fields::construct(args, &EVENT, &FIELDS)
}

pub fn event(from: &client::Event) -> Zval {
    EVENT.create_with([
        object::string(&from.event),
        object::string(&from.data),
        object::string(&from.id),
        object::or_null(from.retry.map(|retry| object::value(retry.as_secs_f64()))),
    ])
}
