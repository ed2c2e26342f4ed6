//! The host's interfaces that a bundle imports by their WIT names, and the engine's own.
mod environment;
mod filesystem;
mod key_value;
mod realm;
pub mod variables;

use rquickjs::{Ctx, Error, Exception, IntoJs, Module, Object, Result, Value};

pub fn install(ctx: &Ctx<'_>) -> Result<()> {
    Module::declare_def::<key_value::KeyValue, _>(ctx.clone(), "fermyon:spin/key-value@2.0.0")?;
    Module::declare_def::<variables::Variables, _>(ctx.clone(), "fermyon:spin/variables@2.0.0")?;
    Module::declare_def::<filesystem::Preopens, _>(ctx.clone(), "wasi:filesystem/preopens@0.2.10")?;
    Module::declare_def::<filesystem::Types, _>(ctx.clone(), "wasi:filesystem/types@0.2.10")?;
    Module::declare_def::<environment::Environment, _>(ctx.clone(), "wasi:cli/environment@0.2.10")?;
    Module::declare_def::<realm::Realm, _>(ctx.clone(), "ftl:engine/realm")?;
    Ok(())
}

/// Throws an Error whose `payload` is the WIT value of the error.
fn throw_payload<'js>(ctx: &Ctx<'js>, message: &str, payload: impl IntoJs<'js>) -> Error {
    let made = (|| {
        let error = Exception::from_message(ctx.clone(), message)?;
        error.as_object().set("payload", payload)?;
        Ok::<Value, Error>(error.into_value())
    })();
    match made {
        Ok(error) => ctx.throw(error),
        Err(error) => error,
    }
}

/// The payload of a WIT variant.
fn variant<'js>(ctx: &Ctx<'js>, tag: &str, value: Option<&str>) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    object.set("tag", tag)?;
    if let Some(value) = value {
        object.set("val", value)?;
    }
    Ok(object)
}

fn throw_variant(ctx: &Ctx<'_>, tag: &str, value: Option<&str>) -> Error {
    let message = match value {
        Some(value) => format!("{tag}: {value}"),
        None => tag.to_owned(),
    };
    match variant(ctx, tag, value) {
        Ok(payload) => throw_payload(ctx, &message, payload),
        Err(error) => error,
    }
}
