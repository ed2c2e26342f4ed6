//! Functions of the JavaScript part that the native part calls.
use crate::prelude;
use rquickjs::{Ctx, Error, Exception, FromJs, Result, Value, function::IntoArgs};

pub fn call<'js, A: IntoArgs<'js>, R: FromJs<'js>>(
    ctx: &Ctx<'js>,
    name: &str,
    args: A,
) -> Result<R> {
    prelude::function(ctx, name)?.call(args)
}

/// An exception as a value, to reject a promise with.
pub fn caught<'js>(ctx: &Ctx<'js>, error: Error) -> Value<'js> {
    match error {
        Error::Exception => ctx.catch(),
        other => match Exception::from_message(ctx.clone(), &other.to_string()) {
            Ok(made) => made.into_value(),
            Err(_) => ctx.catch(),
        },
    }
}
