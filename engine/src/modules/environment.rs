//! `wasi:cli/environment@0.2.10`
use crate::globals::check_request;
use crate::wit::wasi::cli::environment;
use rquickjs::{
    Ctx, Function, Result,
    module::{Declarations, Exports, ModuleDef},
};

fn get_environment(ctx: Ctx<'_>) -> Result<Vec<Vec<String>>> {
    check_request(&ctx, "getEnvironment")?;
    Ok(environment::get_environment().into_iter().map(|(name, value)| vec![name, value]).collect())
}

fn get_arguments(ctx: Ctx<'_>) -> Result<Vec<String>> {
    check_request(&ctx, "getArguments")?;
    Ok(environment::get_arguments())
}

fn initial_cwd(ctx: Ctx<'_>) -> Result<Option<String>> {
    check_request(&ctx, "initialCwd")?;
    Ok(environment::initial_cwd())
}

pub struct Environment;

impl ModuleDef for Environment {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        declarations.declare("getEnvironment")?.declare("getArguments")?.declare("initialCwd").map(drop)
    }
    fn evaluate<'js>(ctx: &Ctx<'js>, exports: &Exports<'js>) -> Result<()> {
        exports.export("getEnvironment", Function::new(ctx.clone(), get_environment)?)?;
        exports.export("getArguments", Function::new(ctx.clone(), get_arguments)?)?;
        exports.export("initialCwd", Function::new(ctx.clone(), initial_cwd)?).map(drop)
    }
}
