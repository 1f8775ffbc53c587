//! Value classes as tables of fields: a field is a readonly property, the constructor's parameter of the same name
//! and a key of the serialized form. What the constructor refuses, `__unserialize` refuses too.

use ext_php_rs::types::{ZendHashTable, Zval};

use crate::{
    refusal::Refusal,
    text,
    zend::{Args, Handle, Object, Param, Parsed, Thrown, Type, object, param, throw},
};

/// One field.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    pub type_: Type,
    /// The property's type where it is not the parameter's.
    property: Type,
    /// The default, as PHP reads it and as a value: they must agree.
    default: (&'static str, fn() -> Zval),
    /// The value to keep for one of the right type, or the rule that it breaks.
    admit: fn(&Zval) -> Result<Zval, Refusal>,
}

impl Field {
    #[must_use]
    pub const fn new(name: &'static str, type_: Type, default: (&'static str, fn() -> Zval)) -> Self {
        Self { name, type_, property: type_, default, admit: |value| Ok(value.shallow_clone()) }
    }

    #[must_use]
    pub const fn admit(self, admit: fn(&Zval) -> Result<Zval, Refusal>) -> Self {
        Self { admit, ..self }
    }

    /// The parameter may be null, the property is not initialized then.
    #[must_use]
    pub const fn or_uninitialized(self) -> Self {
        Self { type_: self.type_.or_null(), ..self }
    }

    #[must_use]
    pub fn property(&self) -> (&'static str, Type) {
        (self.name, self.property)
    }

    #[must_use]
    pub fn param(&self) -> Param {
        param(self.name, self.type_).default(self.default.0)
    }

    /// The constructor's argument at `index`, converted, checked, or the default.
    pub fn read(&self, args: &Args<'_>, index: usize) -> Parsed<Zval> {
        let Some(given) = args.value_of(index, self.type_)? else { return Ok((self.default.1)()) };
        (self.admit)(&given).map_err(|refusal| match refusal {
            Refusal::Type(rule) => args.type_error_rule(index, &rule),
            Refusal::Value(rule) => args.value_error(index, &rule),
            Refusal::Thrown => Thrown,
        })
    }
}

pub const NULL: (&str, fn() -> Zval) = ("null", Zval::null);
pub const EMPTY_STRING: (&str, fn() -> Zval) = ("''", || object::string(""));
pub const EMPTY_ARRAY: (&str, fn() -> Zval) = ("[]", || object::list([]));
pub const ZERO: (&str, fn() -> Zval) = ("0.0", || object::value(0.0));

/// `__construct` of a class that has these fields and no others.
pub fn construct(args: &Args<'_>, handle: &Handle, fields: &[Field]) -> Parsed<()> {
    let this = args.this()?;
    refuse_again(this, handle, fields)?;
    let values = read(args, 0, fields)?;
    fill(this, handle, fields, values);
    Ok(())
}

/// The values of these fields from a constructor's parameters from `first` on.
pub fn read(args: &Args<'_>, first: usize, fields: &[Field]) -> Parsed<Vec<Zval>> {
    (first..).zip(fields).map(|(index, field)| field.read(args, index)).collect()
}

/// `__serialize`: the properties by name.
pub fn to_array(this: Object<'_>, handle: &Handle, fields: &[Field]) -> Parsed<Zval> {
    let mut array = ZendHashTable::new();
    for (index, field) in fields.iter().enumerate() {
        object::insert(&mut array, field.name.as_bytes(), handle.read(this, index)?.shallow_clone());
    }
    Ok(object::value(array))
}

/// `__unserialize`: each field must be there and have exactly its type; unknown keys, of a later version, are left.
pub fn unserialize(args: &Args<'_>, handle: &Handle, fields: &[Field]) -> Parsed<()> {
    let this = args.this()?;
    refuse_again(this, handle, fields)?;
    let data = args.array(0)?.ok_or(Thrown)?;
    let mut values = Vec::with_capacity(fields.len());
    for field in fields {
        let name = field.name;
        let found =
            object::find(data, name.as_bytes()).filter(|value| field.type_.admits(value)).map(text::hold);
        let Some(found) = found else {
            return Err(
                args.value_error(0, &format!("must have a value of the declared type for \"{name}\""))
            );
        };
        values.push((field.admit)(&found).map_err(|refusal| match refusal {
            Refusal::Type(rule) | Refusal::Value(rule) => {
                args.value_error(0, &format!("must be valid: \"{name}\" {rule}"))
            }
            Refusal::Thrown => Thrown,
        })?);
    }
    fill(this, handle, fields, values);
    Ok(())
}

/// Writes them; null for a property that cannot be null leaves it uninitialized.
pub fn fill(this: Object<'_>, handle: &Handle, fields: &[Field], values: Vec<Zval>) {
    for (index, (field, value)) in fields.iter().zip(values).enumerate() {
        if field.property.admits(&value) {
            handle.fill(this, index, value);
        }
    }
}

/// Readonly means that a second constructor call changes nothing.
pub fn refuse_again(this: Object<'_>, handle: &Handle, fields: &[Field]) -> Parsed<()> {
    match fields.first() {
        Some(first) if handle.peek(this, 0).is_some() => {
            let class = handle.class().name().unwrap_or("object");
            Err(throw::error(format!("Cannot modify readonly property {class}::${}", first.name)))
        }
        _ => Ok(()),
    }
}

/// Seconds: finite and not negative; null passes.
pub fn seconds(value: &Zval) -> Result<Zval, Refusal> {
    match value.double() {
        Some(seconds) if !seconds.is_finite() || seconds < 0.0 => {
            let shown = policy::given::float(seconds);
            Err(Refusal::value(format!("must be finite and greater than or equal to 0, {shown} given")))
        }
        _ => Ok(value.shallow_clone()),
    }
}

/// A list whose elements are all instances of the class.
pub fn list_of(value: &Zval, class: &Handle) -> Result<Zval, Refusal> {
    let list = value.array().filter(|array| {
        array.has_sequential_keys() && array.values().all(|item| class.owns(item.dereference()))
    });
    if let Some(list) = list {
        // Without references, by which an element could be replaced later.
        return Ok(object::list(list.values().map(|item| item.dereference().shallow_clone())));
    }
    Err(Refusal::ty(format!("must be a list of {} objects", class.class().name().unwrap_or_default())))
}
