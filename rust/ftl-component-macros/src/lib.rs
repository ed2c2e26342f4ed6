//! The `#[tool]` attribute of ftl-component.

mod options;

use options::Options;
use proc_macro::TokenStream;
use quote::{format_ident, quote};
use syn::{parse_macro_input, Error, FnArg, ItemFn, Pat, ReturnType, Type};

/// Makes a function a tool of the component.
///
/// The doc comment is the tool's description, and what the model chooses by. The function takes its input (a type with
/// `serde::Deserialize` and `schemars::JsonSchema`), `&ftl_component::Context`, both or neither, and returns whatever
/// `ftl_component::IntoToolResponse` knows: `ToolResponse`, a text, `Json<T>`, or a `Result` of these. It stays a function
/// that tests can call.
///
/// Options: `name`, `title`, `description` (texts) and the hints `read_only`, `destructive`, `idempotent`,
/// `open_world` (`true` unless `= false`).
///
/// ```ignore
/// /// Adds two numbers
/// #[tool(title = "Adder", read_only)]
/// fn add(input: Sum) -> String { … }
/// ```
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let options = parse_macro_input!(attribute as Options);
    let function = parse_macro_input!(item as ItemFn);
    match expand(&options, &function) {
        Ok(tokens) => tokens.into(),
        Err(error) => {
            let error = error.to_compile_error();
            quote!(#function #error).into()
        }
    }
}

fn expand(options: &Options, function: &ItemFn) -> Result<proc_macro2::TokenStream, Error> {
    let signature = &function.sig;
    if signature.asyncness.is_some() && !cfg!(feature = "async") {
        let message =
            "an async tool needs the feature `async`: ftl-component = { features = [\"async\"] }";
        return Err(Error::new_spanned(signature.asyncness, message));
    }
    if !signature.generics.params.is_empty() {
        let message = "a tool has one input type and one answer: no generics";
        return Err(Error::new_spanned(&signature.generics, message));
    }
    let ReturnType::Type(_, output) = &signature.output else {
        let message =
            "a tool answers something: -> ToolResponse, -> String, -> Json<T> or a Result";
        return Err(Error::new_spanned(&signature.ident, message));
    };

    let mut input = None;
    let mut tells = false;
    let mut passed = Vec::new();
    for argument in &signature.inputs {
        let FnArg::Typed(typed) = argument else {
            return Err(Error::new_spanned(argument, "a tool is a function, not a method"));
        };
        if matches!(*typed.ty, Type::Reference(_)) {
            if tells {
                return Err(Error::new_spanned(typed, "the context is passed once"));
            }
            tells = true;
            passed.push(quote!(context));
        } else {
            if input.is_some() {
                let name = match &*typed.pat {
                    Pat::Ident(name) => name.ident.to_string(),
                    _ => "this".into(),
                };
                let message = format!("a tool has one input: make `{name}` a field of it");
                return Err(Error::new_spanned(typed, message));
            }
            input = Some(&*typed.ty);
            passed.push(quote!(input));
        }
    }

    let ident = &signature.ident;
    let name = options.name(ident)?;
    let description = options.description(&function.attrs);
    let description = option(description.as_deref());
    let title = option(options.title.as_deref());
    let hints = options.hints.iter().map(|(name, value)| quote!((#name, #value)));
    let entry = format_ident!("call");
    let (schema, read) = match input {
        Some(ty) => (
            quote!(::ftl_component::__private::schema_of::<#ty>),
            quote!(let input = ::ftl_component::__private::arguments::<#ty>(args)?;),
        ),
        None => (
            quote!(::ftl_component::__private::NO_ARGUMENTS),
            quote!(::ftl_component::__private::no_arguments(&args)?;),
        ),
    };
    let mut run = quote!(#ident(#(#passed),*));
    if signature.asyncness.is_some() {
        run = quote!(::ftl_component::__private::block_on(#run));
    }
    Ok(quote! {
        #function

        const _: () = {
            fn #entry(
                args: ::ftl_component::__private::Value,
                context: &::ftl_component::Context<'_>,
            ) -> ::ftl_component::__private::CallOutcome {
                let _ = context;
                #read
                ::ftl_component::__private::answer(#run)
            }
            ::ftl_component::__private::inventory::submit! {
                ::ftl_component::__private::ToolEntry {
                    name: #name,
                    title: #title,
                    description: #description,
                    hints: &[#(#hints),*],
                    tells: #tells,
                    input_schema: #schema,
                    output_schema: ::ftl_component::__private::output_schema::<#output>,
                    call: #entry,
                }
            }
        };
    })
}

fn option(text: Option<&str>) -> proc_macro2::TokenStream {
    match text {
        Some(text) => quote!(::core::option::Option::Some(#text)),
        None => quote!(::core::option::Option::None),
    }
}
