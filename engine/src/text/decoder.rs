//! `TextDecoder`.
use super::labels::{Encoding, Kind};
use crate::bytes;
use crate::error::needs_new;
use rquickjs::atom::PredefinedAtom;
use rquickjs::function::{Opt, This};
use rquickjs::{Ctx, Exception, JsLifetime, Object, Result, Value, class::Trace};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};

#[derive(Trace, JsLifetime)]
#[rquickjs::class(frozen)]
pub struct TextDecoder {
    #[qjs(skip_trace)]
    encoding: &'static Encoding,
    fatal: bool,
    ignore_bom: bool,
    /// The start of a character whose end a later call brings.
    #[qjs(skip_trace)]
    rest: RefCell<Vec<u8>>,
    /// The stream has had its first character.
    #[qjs(skip_trace)]
    started: Cell<bool>,
}

const INVALID: &str = "The encoded data was not valid for encoding";

fn flag(options: &Option<Object<'_>>, name: &str) -> Result<bool> {
    let Some(options) = options else {
        return Ok(false);
    };
    let value: Value = options.get(name)?;
    Ok(value.get::<rquickjs::Coerced<bool>>()?.0)
}

fn dictionary<'js>(ctx: &Ctx<'js>, value: Opt<Value<'js>>) -> Result<Option<Object<'js>>> {
    match value.0 {
        None => Ok(None),
        Some(value) if value.is_undefined() || value.is_null() => Ok(None),
        Some(value) => value
            .into_object()
            .map(Some)
            .ok_or_else(|| Exception::throw_type(ctx, "the options must be an object")),
    }
}

#[rquickjs::methods(rename_all = "camelCase")]
impl TextDecoder {
    #[qjs(constructor)]
    pub fn new<'js>(
        ctx: Ctx<'js>,
        this: This<Value<'js>>,
        label: Opt<Value<'js>>,
        options: Opt<Value<'js>>,
    ) -> Result<Self> {
        needs_new(&ctx, &this.0)?;
        let label = match label.0.filter(|label| !label.is_undefined()) {
            Some(label) => bytes::text(&ctx, &label)?,
            None => "utf-8".into(),
        };
        let options = dictionary(&ctx, options)?;
        let fatal = flag(&options, "fatal")?;
        let ignore_bom = flag(&options, "ignoreBOM")?;
        let encoding = Encoding::of(&label).ok_or_else(|| {
            let text = "there are UTF-8, UTF-16 and the single-byte ones";
            Exception::throw_range(
                &ctx,
                &format!("The \"{label}\" encoding is not supported: {text}"),
            )
        })?;
        Ok(TextDecoder {
            encoding,
            fatal,
            ignore_bom,
            rest: RefCell::default(),
            started: Cell::new(false),
        })
    }

    #[qjs(get, enumerable, configurable)]
    pub fn encoding(&self) -> &'static str {
        self.encoding.name
    }

    #[qjs(get, enumerable, configurable)]
    pub fn fatal(&self) -> bool {
        self.fatal
    }

    #[qjs(get, enumerable, configurable, rename = "ignoreBOM")]
    pub fn ignore_bom(&self) -> bool {
        self.ignore_bom
    }

    pub fn decode<'js>(
        &self,
        ctx: Ctx<'js>,
        input: Opt<Value<'js>>,
        options: Opt<Value<'js>>,
    ) -> Result<Value<'js>> {
        let input = input.0.filter(|input| !input.is_undefined());
        let wrong = || Exception::throw_type(&ctx, "the input must be a buffer or a view");
        if let Some(input) = &input {
            bytes::place(input).ok_or_else(wrong)?;
        }
        let options = dictionary(&ctx, options)?;
        let stream = flag(&options, "stream")?;
        // Looked up again: a getter of the options may have moved the bytes.
        let data: &[u8] = match &input {
            // SAFETY: making the text is all that happens while the slice is held.
            Some(input) => unsafe { bytes::place(input).ok_or_else(wrong)?.bytes() },
            None => &[],
        };
        // One byte may become three, and a copy of the text is on the way.
        if !data.is_ascii() {
            crate::memory::check(&ctx, 6 * data.len())?;
        }
        let rest = self.rest.take();
        let outcome = if rest.is_empty() {
            self.step(&ctx, data, stream)
        } else {
            self.step(&ctx, &[&rest, data].concat(), stream)
        };
        if !stream || outcome.is_err() {
            self.rest.take();
            self.started.set(false);
        }
        outcome
    }

    #[qjs(prop, rename = PredefinedAtom::SymbolToStringTag, configurable)]
    pub fn tag() -> &'static str {
        "TextDecoder"
    }
}

impl TextDecoder {
    fn step<'js>(&self, ctx: &Ctx<'js>, data: &[u8], stream: bool) -> Result<Value<'js>> {
        let (text, rest) = match self.encoding.kind {
            Kind::Utf8 => utf8(data, stream),
            Kind::Utf16 { big } => utf16(data, big, stream),
            Kind::Single(table) => (single_byte(data, table), 0),
        };
        let text = match text {
            Decoded::Valid(text) => text,
            Decoded::Repaired(_) if self.fatal => {
                let message = format!("{INVALID} {}", self.encoding.name);
                return Err(Exception::throw_type(ctx, &message));
            }
            Decoded::Repaired(text) => Cow::Owned(text),
        };
        self.rest.replace(data[data.len() - rest..].to_vec());
        let mut shown: &str = &text;
        if !self.started.get() && !shown.is_empty() {
            self.started.set(true);
            let unicode = !matches!(self.encoding.kind, Kind::Single(_));
            if unicode && !self.ignore_bom {
                shown = shown.strip_prefix('\u{feff}').unwrap_or(shown);
            }
        }
        bytes::string(ctx, shown)
    }
}

enum Decoded<'a> {
    Valid(Cow<'a, str>),
    /// With U+FFFD for what is not valid.
    Repaired(String),
}

/// The text, and how many bytes at the end are the start of a character.
fn utf8(data: &[u8], stream: bool) -> (Decoded<'_>, usize) {
    let error = match std::str::from_utf8(data) {
        Ok(text) => return (Decoded::Valid(text.into()), 0),
        Err(error) => error,
    };
    if stream && error.error_len().is_none() {
        let (good, rest) = data.split_at(error.valid_up_to());
        let good = std::str::from_utf8(good).unwrap_or_default();
        return (Decoded::Valid(good.into()), rest.len());
    }
    let mut text = String::with_capacity(data.len() + 16);
    for chunk in data.utf8_chunks() {
        text.push_str(chunk.valid());
        let bad = chunk.invalid();
        if bad.is_empty() {
            continue;
        }
        let at_the_end = bad.as_ptr_range().end == data.as_ptr_range().end;
        let open = std::str::from_utf8(bad).is_err_and(|e| e.error_len().is_none());
        if stream && at_the_end && open {
            return (Decoded::Repaired(text), bad.len());
        }
        text.push('\u{fffd}');
    }
    (Decoded::Repaired(text), 0)
}

fn utf16(data: &[u8], big: bool, stream: bool) -> (Decoded<'static>, usize) {
    let unit = |pair: &[u8; 2]| match big {
        true => u16::from_be_bytes(*pair),
        false => u16::from_le_bytes(*pair),
    };
    let (pairs, odd) = data.as_chunks::<2>();
    let mut units: Vec<u16> = pairs.iter().map(unit).collect();
    let mut rest = 0;
    if stream {
        rest = odd.len();
        if units.last().is_some_and(|u| (0xd800..0xdc00).contains(u)) {
            units.pop();
            rest += 2;
        }
    }
    match String::from_utf16(&units) {
        Ok(text) if stream || odd.is_empty() => (Decoded::Valid(text.into()), rest),
        _ => {
            let mut text = String::from_utf16_lossy(&units);
            // A high surrogate and the byte after it are one mistake.
            let open = units.last().is_some_and(|u| (0xd800..0xdc00).contains(u));
            if !stream && !odd.is_empty() && !open {
                text.push('\u{fffd}');
            }
            (Decoded::Repaired(text), rest)
        }
    }
}

fn single_byte<'a>(data: &'a [u8], table: &[u16; 128]) -> Decoded<'a> {
    if data.is_ascii() {
        // SAFETY: ASCII is UTF-8.
        return Decoded::Valid(unsafe { std::str::from_utf8_unchecked(data) }.into());
    }
    let mut good = true;
    let one = |byte: &u8| match *byte {
        byte @ 0..0x80 => char::from(byte),
        byte => match table[usize::from(byte) - 0x80] {
            0 => {
                good = false;
                '\u{fffd}'
            }
            unit => char::from_u32(unit.into()).unwrap_or('\u{fffd}'),
        },
    };
    let text: String = data.iter().map(one).collect();
    match good {
        true => Decoded::Valid(text.into()),
        false => Decoded::Repaired(text),
    }
}
