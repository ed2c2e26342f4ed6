//! Errors that the Web specifications name.
use rquickjs::{Ctx, Error, Exception, Result, Value, function::Constructor};

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
