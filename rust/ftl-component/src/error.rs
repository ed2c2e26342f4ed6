use std::fmt::Display;

/// Why a tool failed: in words for the caller ([`ToolError::new`]), or for the component's log only.
///
/// `?` turns every standard error into one of the second kind: messages of foreign code may hold paths and secrets. So
/// this type is no `std::error::Error` itself.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolError {
    pub(crate) message: String,
    pub(crate) shown: bool,
}

impl ToolError {
    /// The model reads the message, and may correct what it did.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), shown: true }
    }

    /// For errors that are no `std::error::Error`, for example those of `anyhow`. Only the log of the component has it.
    pub fn hidden(error: impl Display) -> Self {
        Self { message: error.to_string(), shown: false }
    }
}

impl<E: std::error::Error> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self::hidden(error)
    }
}
