//! `fermyon:spin/variables@2.0.0`
use super::throw_variant;
use crate::globals::check_request;
use crate::wit::fermyon::spin::variables::{self, Error as VariableError};
use rquickjs::{
    Ctx, Function, Result,
    module::{Declarations, Exports, ModuleDef},
};

fn get(ctx: Ctx<'_>, name: String) -> Result<String> {
    check_request(&ctx, "get of a variable")?;
    variables::get(&name).map_err(|error| match error {
        VariableError::InvalidName(text) => throw_variant(&ctx, "invalid-name", Some(&text)),
        VariableError::Undefined(text) => throw_variant(&ctx, "undefined", Some(&text)),
        VariableError::Provider(text) => throw_variant(&ctx, "provider", Some(&text)),
        VariableError::Other(text) => throw_variant(&ctx, "other", Some(&text)),
    })
}

/// The same, and `undefined` where the component has no such variable: most have a default, and an error for each
/// takes a request longer than the rest of its access checks.
pub fn value_of(ctx: Ctx<'_>, name: String) -> Result<Option<String>> {
    check_request(&ctx, "get of a variable")?;
    match variables::get(&name) {
        Ok(value) => Ok(Some(value)),
        Err(VariableError::InvalidName(_) | VariableError::Undefined(_)) => Ok(None),
        Err(VariableError::Provider(text)) => Err(throw_variant(&ctx, "provider", Some(&text))),
        Err(VariableError::Other(text)) => Err(throw_variant(&ctx, "other", Some(&text))),
    }
}

pub struct Variables;

impl ModuleDef for Variables {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        declarations.declare("get").map(drop)
    }
    fn evaluate<'js>(ctx: &Ctx<'js>, exports: &Exports<'js>) -> Result<()> {
        exports.export("get", Function::new(ctx.clone(), get)?.with_name("get")?).map(drop)
    }
}
