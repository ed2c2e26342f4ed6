//! The options of a Request that only browsers act on: checked and shown, so that code for browsers runs.
//!
//! https://fetch.spec.whatwg.org/#requestinit
use super::option;
use crate::bytes::Text;
use rquickjs::{Coerced, Ctx, Exception, Object, Result};

#[derive(Clone, Copy, PartialEq)]
pub enum Name {
    Mode,
    Credentials,
    Cache,
    Redirect,
    ReferrerPolicy,
    Referrer,
    Integrity,
    Priority,
    Duplex,
}

struct Known {
    name: Name,
    key: &'static str,
    default: &'static str,
    /// Empty for any text.
    values: &'static [&'static str],
}

const ALL: [Known; 9] = [
    Known { name: Name::Mode, key: "mode", default: "cors", values: &["cors", "no-cors", "same-origin"] },
    Known { name: Name::Credentials, key: "credentials", default: "same-origin", values: &["same-origin", "omit", "include"] },
    Known {
        name: Name::Cache,
        key: "cache",
        default: "default",
        values: &["default", "no-store", "reload", "no-cache", "force-cache", "only-if-cached"],
    },
    Known { name: Name::Redirect, key: "redirect", default: "follow", values: &["follow", "error", "manual"] },
    Known {
        name: Name::ReferrerPolicy,
        key: "referrerPolicy",
        default: "",
        values: &[
            "",
            "no-referrer",
            "no-referrer-when-downgrade",
            "same-origin",
            "origin",
            "strict-origin",
            "origin-when-cross-origin",
            "strict-origin-when-cross-origin",
            "unsafe-url",
        ],
    },
    Known { name: Name::Referrer, key: "referrer", default: "about:client", values: &[] },
    Known { name: Name::Integrity, key: "integrity", default: "", values: &[] },
    Known { name: Name::Priority, key: "priority", default: "auto", values: &["auto", "high", "low"] },
    Known { name: Name::Duplex, key: "duplex", default: "half", values: &["half"] },
];

/// Those that differ from their default.
#[derive(Default, Clone)]
pub struct Options {
    given: Vec<(Name, String)>,
    pub keepalive: bool,
}

impl Options {
    pub fn get(&self, name: Name) -> &str {
        let given = self.given.iter().find(|(other, _)| *other == name);
        let default = || ALL.iter().find(|known| known.name == name).map_or("", |known| known.default);
        given.map_or_else(default, |(_, value)| value.as_str())
    }

    fn set(&mut self, name: Name, value: String) {
        self.given.retain(|(other, _)| *other != name);
        self.given.push((name, value));
    }

    pub fn read<'js>(&mut self, ctx: &Ctx<'js>, init: &Option<Object<'js>>) -> Result<()> {
        if init.is_none() {
            return Ok(());
        }
        let wrong = |text: &str| Err(Exception::throw_type(ctx, text));
        if option(init, "window")?.is_some_and(|window| !window.is_null()) {
            return wrong("window must be null");
        }
        for Known { name, key, values, .. } in &ALL {
            let Some(value) = option(init, key)? else { continue };
            let value = value.get::<Text>()?.0;
            if !values.is_empty() && !values.contains(&value.as_str()) {
                return wrong(&format!("{key} must be one of: {}", values.join(", ")));
            }
            self.set(*name, if *name == Name::Referrer { referrer(ctx, value)? } else { value });
        }
        if let Some(keepalive) = option(init, "keepalive")? {
            self.keepalive = keepalive.get::<Coerced<bool>>()?.0;
        }
        if self.get(Name::Cache) == "only-if-cached" && self.get(Name::Mode) != "same-origin" {
            return wrong("the cache only-if-cached needs the mode same-origin");
        }
        Ok(())
    }
}

/// No page, so no address is of the same origin.
fn referrer(ctx: &Ctx<'_>, value: String) -> Result<String> {
    if value.is_empty() {
        return Ok(value);
    }
    match ::url::Url::parse(&value) {
        Ok(_) => Ok("about:client".into()),
        Err(_) => Err(Exception::throw_type(ctx, "referrer must be a URL")),
    }
}
