//! Errors that the Web specifications name.
use rquickjs::{Ctx, Error, Exception, Object, Result, Value, function::Constructor, qjs};

/// Throws a `DOMException`, or a `TypeError` with the same name in its message where that class is missing.
pub fn dom_exception(ctx: &Ctx<'_>, name: &str, message: &str) -> Error {
    match build(ctx, name, message) {
        Ok(value) => ctx.throw(value),
        Err(_) => {
            // Whatever went wrong with the class is of no use to the caller.
            let _ = ctx.catch();
            Exception::throw_type(ctx, &format!("{name}: {message}"))
        }
    }
}

fn build<'js>(ctx: &Ctx<'js>, name: &str, message: &str) -> Result<Value<'js>> {
    let class: Constructor = ctx.globals().get("DOMException")?;
    class.construct((message, name))
}

/// Whether it is an `Error` or a `DOMException`, which QuickJS makes a class of its own.
pub fn is_error<'js>(ctx: &Ctx<'js>, object: &Object<'js>) -> bool {
    // SAFETY: only reads the class of a live value.
    let class_of = |value: &Value<'js>| unsafe { qjs::JS_GetClassID(value.as_raw()) };
    if object.is_error() {
        return true;
    }
    match build(ctx, "", "") {
        Ok(exception) => class_of(&exception) == class_of(object.as_value()),
        Err(_) => {
            let _ = ctx.catch();
            false
        }
    }
}

/// For a constructor: `this` is what `new` was given, and nothing when the class was called as a function.
pub fn needs_new(ctx: &Ctx<'_>, this: &Value<'_>) -> Result<()> {
    if this.is_function() {
        return Ok(());
    }
    Err(Exception::throw_type(
        ctx,
        "the class must be called with new",
    ))
}
