//! What the engine exports and ext-php-rs does not declare. Signatures as in php-src's headers, 8.1 to 8.6.

use std::ffi::{c_char, c_int, c_void};

pub use ext_php_rs::ffi::*;

/// php-src's `zend_get_gc_buffer` (Zend/zend_gc.h).
#[repr(C)]
#[derive(Debug)]
pub struct GcBuffer {
    pub cur: *mut zval,
    pub end: *mut zval,
    pub start: *mut zval,
}

// Zend/zend_API.h: arguments
unsafe extern "C" {
    #[cfg(not(php86))]
    pub fn zend_parse_arg_bool_slow(arg: *const zval, dest: *mut bool, number: u32) -> bool;
    pub fn zend_parse_arg_long_slow(arg: *const zval, dest: *mut zend_long, number: u32) -> bool;
    #[cfg(not(php86))]
    pub fn zend_parse_arg_double_slow(arg: *const zval, dest: *mut f64, number: u32) -> bool;
    #[cfg(not(php86))]
    pub fn zend_parse_arg_str_slow(arg: *mut zval, dest: *mut *mut zend_string, number: u32) -> bool;
    pub fn zend_argument_type_error(number: u32, format: *const c_char, ...);
    pub fn zend_argument_value_error(number: u32, format: *const c_char, ...);
    pub fn zend_wrong_callback_or_null_error(number: u32, error: *mut c_char);
    #[cfg(not(php83))]
    pub fn zend_zval_type_name(value: *const zval) -> *const c_char;
    #[cfg(php83)]
    pub fn zend_zval_value_name(value: *const zval) -> *const c_char;
}

#[cfg(php86)]
pub use parse_arg::*;

/// Since PHP 8.6 these return what they have made of the argument: here as before.
#[cfg(php86)]
mod parse_arg {
    use std::ffi::c_int;

    use super::{zend_string, zval};

    unsafe extern "C" {
        #[link_name = "zend_parse_arg_bool_slow"]
        fn parse_bool(arg: *const zval, number: u32) -> c_int;
        #[link_name = "zend_parse_arg_double_slow"]
        fn parse_double(arg: *const zval, number: u32) -> f64;
        #[link_name = "zend_parse_arg_str_slow"]
        fn parse_str(arg: *mut zval, number: u32) -> *mut zend_string;
    }

    /// # Safety
    /// As of the engine's functions: an argument of the method that runs, and a place for the result.
    pub unsafe extern "C" fn zend_parse_arg_bool_slow(
        arg: *const zval,
        dest: *mut bool,
        number: u32,
    ) -> bool {
        // SAFETY: by the caller.
        let parsed = unsafe { parse_bool(arg, number) };
        // SAFETY: by the caller.
        unsafe { dest.write(parsed == 1) };
        // ZPP_PARSE_BOOL_STATUS_FALSE and _TRUE
        parsed == 0 || parsed == 1
    }

    /// # Safety
    /// As above.
    pub unsafe extern "C" fn zend_parse_arg_double_slow(
        arg: *const zval,
        dest: *mut f64,
        number: u32,
    ) -> bool {
        // SAFETY: by the caller.
        let parsed = unsafe { parse_double(arg, number) };
        // SAFETY: by the caller.
        unsafe { dest.write(parsed) };
        !parsed.is_nan()
    }

    /// # Safety
    /// As above.
    pub unsafe fn zend_parse_arg_str_slow(arg: *mut zval, dest: *mut *mut zend_string, number: u32) -> bool {
        // SAFETY: by the caller.
        let parsed = unsafe { parse_str(arg, number) };
        // SAFETY: by the caller.
        unsafe { dest.write(parsed) };
        !parsed.is_null()
    }
}

// Zend/zend_API.h, zend_attributes.h, zend_enum.h: declarations
unsafe extern "C" {
    pub fn zend_declare_typed_property(
        ce: *mut zend_class_entry,
        name: *mut zend_string,
        default: *mut zval,
        access: c_int,
        doc_comment: *mut zend_string,
        type_: zend_type,
    ) -> *mut zend_property_info;
    pub fn zend_add_attribute(
        attributes: *mut *mut HashTable,
        name: *mut zend_string,
        argument_count: u32,
        flags: u32,
        offset: u32,
        line: u32,
    ) -> *mut c_void;
    pub fn zend_enum_get_case_cstr(ce: *mut zend_class_entry, name: *const c_char) -> *mut zend_object;
}

// Zend/zend_hash.h
unsafe extern "C" {
    pub fn zend_hash_get_current_key_zval_ex(table: *const HashTable, key: *mut zval, position: *const u32);
    pub fn zend_hash_get_current_data_ex(table: *mut HashTable, position: *mut u32) -> *mut zval;
    pub fn zend_hash_move_forward_ex(table: *mut HashTable, position: *mut u32) -> c_int;
}

// Zend/zend_exceptions.h, zend_object_handlers.h, zend_gc.h: objects
unsafe extern "C" {
    pub static mut spl_ce_RuntimeException: *mut zend_class_entry;
    pub fn zend_exception_set_previous(exception: *mut zend_object, previous: *mut zend_object);
    pub fn zend_update_property_ex(
        scope: *mut zend_class_entry,
        object: *mut zend_object,
        name: *mut zend_string,
        value: *mut zval,
    );
    pub fn zend_objects_not_comparable(a: *mut zval, b: *mut zval) -> c_int;
    pub fn zend_objects_clone_obj(object: *mut zend_object) -> *mut zend_object;
    pub fn zend_std_get_properties_for(
        object: *mut zend_object,
        purpose: zend_prop_purpose,
    ) -> *mut zend_array;
    pub fn zend_get_gc_buffer_create() -> *mut GcBuffer;
    pub fn zend_get_gc_buffer_grow(buffer: *mut GcBuffer);
}

// Zend/zend_execute.h, zend_operators.h
unsafe extern "C" {
    pub fn zend_timeout();
    pub fn zend_memory_usage(real: bool) -> usize;
    pub fn zend_set_memory_limit(limit: usize) -> c_int;
}

// Zend/zend_ini.h
unsafe extern "C" {
    pub fn zend_ini_string_ex(
        name: *const c_char,
        length: usize,
        original: c_int,
        exists: *mut bool,
    ) -> *mut c_char;
    pub fn zend_unregister_ini_entries(module_number: c_int);
    pub fn display_ini_entries(module: *mut zend_module_entry);
}

// ext/json/php_json.h
unsafe extern "C" {
    pub static mut php_json_serializable_ce: *mut zend_class_entry;
    pub fn php_json_decode_ex(
        result: *mut zval,
        text: *const c_char,
        length: usize,
        options: zend_long,
        depth: zend_long,
    ) -> c_int;
}

// main/SAPI.h
unsafe extern "C" {
    pub fn sapi_getenv(name: *const c_char, length: usize) -> *mut c_char;
    pub fn sapi_get_request_time() -> f64;
}

// main/php_streams.h, Zend/zend_list.h. PHP 8.6 took the underscores away.
unsafe extern "C" {
    pub fn zend_fetch_resource2_ex(
        resource: *mut zval,
        name: *const c_char,
        type_a: c_int,
        type_b: c_int,
    ) -> *mut c_void;
    pub fn php_file_le_stream() -> c_int;
    pub fn php_file_le_pstream() -> c_int;
    #[cfg_attr(php86, link_name = "php_stream_seek")]
    pub fn _php_stream_seek(stream: *mut c_void, offset: i64, whence: c_int) -> c_int;
    #[cfg_attr(php86, link_name = "php_stream_write")]
    pub fn _php_stream_write(stream: *mut c_void, bytes: *const c_char, length: usize) -> isize;
    #[cfg_attr(php86, link_name = "php_stream_read")]
    pub fn _php_stream_read(stream: *mut c_void, bytes: *mut c_char, length: usize) -> isize;
    #[cfg_attr(php86, link_name = "php_stream_truncate_set_size")]
    pub fn _php_stream_truncate_set_size(stream: *mut c_void, size: usize) -> c_int;
}
