//! `ftl:engine/realm`: only a bundle that imports it can make a realm.
use crate::realm;
use rquickjs::{
    Ctx, Function, Result,
    module::{Declarations, Exports, ModuleDef},
};

pub struct Realm;

impl ModuleDef for Realm {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        declarations.declare("open")?.declare("limit")?.declare("syntaxError")?.declare("run")?.declare("deliver").map(drop)
    }
    fn evaluate<'js>(ctx: &Ctx<'js>, exports: &Exports<'js>) -> Result<()> {
        exports.export("open", Function::new(ctx.clone(), realm::open)?)?;
        exports.export("limit", Function::new(ctx.clone(), realm::limit)?)?;
        exports.export("syntaxError", Function::new(ctx.clone(), realm::syntax_error)?)?;
        exports.export("run", Function::new(ctx.clone(), realm::run)?)?;
        exports.export("deliver", Function::new(ctx.clone(), realm::deliver)?).map(drop)
    }
}
