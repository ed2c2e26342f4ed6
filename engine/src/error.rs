//! Errors that the Web specifications name.
use rquickjs::{Ctx, Error, Exception, Object, Result, Value, function::Constructor, qjs};
use std::cell::Cell;

/// The engine's class of a `DOMException`, which the engine does not count among the errors.
struct ClassId(Cell<u32>);
// SAFETY: a component has one thread.
unsafe impl Sync for ClassId {}
static DOM_EXCEPTION: ClassId = ClassId(Cell::new(0));

fn class_id(object: &Object<'_>) -> u32 {
    // SAFETY: an object of a living context.
    unsafe { qjs::JS_GetClassID(object.as_raw()) }
}

pub fn install(ctx: &Ctx<'_>) -> Result<()> {
    let value = build(ctx, "Error", "")?;
    if let Some(object) = value.as_object()
        && class_id(object) != class_id(&Object::new(ctx.clone())?)
    {
        DOM_EXCEPTION.0.set(class_id(object));
    }
    Ok(())
}

/// Whether it has a name, a message and a stack.
pub fn is_error(object: &Object<'_>) -> bool {
    object.is_error() || class_id(object) == DOM_EXCEPTION.0.get()
}

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
