//! PHP types as declarations state them.

use std::fmt;

use ext_php_rs::{flags::DataType, types::Zval, zend::ClassEntry};

use super::ffi;

/// The type of a parameter, a property or a return value: a class, scalars, or a union of scalars.
///
/// `Type::FLOAT.or_null()` is `?float`, `Type::STRING.or(Type::BOOL)` is `string|bool`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// `MAY_BE_*` of Zend/zend_type_info.h.
    pub(super) mask: u32,
    pub(super) class: Option<&'static str>,
}

// Zend/zend_types.h; not all of them are in ext-php-rs's bindings. The same from 8.1 on.
const IS_CALLABLE: u32 = 12;
const IS_VOID: u32 = 14;
const IS_STATIC: u32 = 15;
#[cfg(not(php82))]
const IS_ITERABLE: u32 = 13;
/// `_ZEND_TYPE_ITERABLE_BIT`: Reflection shows the union as it was written.
#[cfg(php82)]
const ITERABLE_BIT: u32 = 1 << 21;
/// All of `MAY_BE_*`: `_ZEND_TYPE_MAY_BE_MASK`.
pub(super) const MAY_BE_MASK: u32 = (1 << 18) - 1;
const MAY_BE_NULL: u32 = 1 << ffi::IS_NULL;

impl Type {
    pub const NULL: Self = Self::bits(MAY_BE_NULL);
    pub const BOOL: Self = Self::bits(ffi::MAY_BE_BOOL);
    pub const INT: Self = Self::bits(1 << ffi::IS_LONG);
    pub const FLOAT: Self = Self::bits(1 << ffi::IS_DOUBLE);
    pub const STRING: Self = Self::bits(1 << ffi::IS_STRING);
    pub const ARRAY: Self = Self::bits(1 << ffi::IS_ARRAY);
    pub const CALLABLE: Self = Self::bits(1 << IS_CALLABLE);
    pub const MIXED: Self = Self::bits(ffi::MAY_BE_ANY);
    /// `iterable`, which is `Traversable|array` since PHP 8.2.
    #[cfg(php82)]
    pub const ITERABLE: Self = Self { mask: Self::ARRAY.mask | ITERABLE_BIT, class: Some("Traversable") };
    #[cfg(not(php82))]
    pub const ITERABLE: Self = Self::bits(1 << IS_ITERABLE);
    pub const VOID: Self = Self::bits(1 << IS_VOID);
    pub const STATIC: Self = Self::bits(1 << IS_STATIC);

    const fn bits(mask: u32) -> Self {
        Self { mask, class: None }
    }

    /// A class or interface, without a leading backslash.
    #[must_use]
    pub const fn class(name: &'static str) -> Self {
        Self { mask: 0, class: Some(name) }
    }

    #[must_use]
    pub const fn or_null(self) -> Self {
        self.or(Self::NULL)
    }

    /// The union of both; at most one of them may name a class.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        let class = match self.class {
            Some(name) => Some(name),
            None => other.class,
        };
        Self { mask: self.mask | other.mask, class }
    }

    pub(super) const fn allows_null(self) -> bool {
        self.mask & MAY_BE_NULL != 0
    }

    /// Whether the value has this type as it is, without any conversion.
    #[must_use]
    pub fn admits(self, value: &Zval) -> bool {
        let value = value.dereference();
        // SAFETY: every member of this union is a view of the same word; its lowest byte is the type.
        let kind = unsafe { value.u1.type_info } & 0xff;
        self.mask & (1 << kind) != 0
            || self.class_entry().is_some_and(|class| super::object::is_instance(value, class))
    }

    /// The nearest type that ext-php-rs's builders can say, and whether it may be null. The engine looks at it while it
    /// registers magic methods; then the exact one is written over it.
    pub(super) fn nearest(self) -> (DataType, bool) {
        let data_type = match (self.class, self.without_null()) {
            (Some(class), _) => DataType::object(class),
            (None, Self::BOOL) => DataType::Bool,
            (None, Self::INT) => DataType::Long,
            (None, Self::FLOAT) => DataType::Double,
            (None, Self::STRING) => DataType::String,
            (None, Self::ARRAY) => DataType::Array,
            (None, Self::VOID) => DataType::Void,
            (None, _) => return (DataType::Mixed, false),
        };
        (data_type, self.allows_null())
    }

    pub(super) fn class_entry(self) -> Option<&'static ClassEntry> {
        self.class.and_then(ClassEntry::try_find)
    }

    /// The one scalar, or array, that it is if it is not null.
    pub const fn without_null(self) -> Self {
        Self { mask: self.mask & !MAY_BE_NULL, class: self.class }
    }
}

/// As error messages name it: `int`, `?float`, `RetryClient\Reason`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.class.is_none() && self.mask == ffi::MAY_BE_ANY {
            return f.write_str("mixed");
        }
        if self.allows_null() {
            f.write_str("?")?;
        }
        let names = [
            (Self::ARRAY, "array"),
            (Self::STRING, "string"),
            (Self::INT, "int"),
            (Self::FLOAT, "float"),
            (Self::BOOL, "bool"),
        ];
        let known =
            names.iter().filter(|(type_, _)| self.mask & type_.mask == type_.mask).map(|(_, name)| *name);
        let all: Vec<&str> = self.class.into_iter().chain(known).collect();
        f.write_str(&all.join("|"))
    }
}
