//! What goes wrong in an operation, before it is an exception.
use crate::error::dom_exception;
use rquickjs::{Ctx, Error, Exception};

#[derive(Debug)]
pub struct Problem {
    name: &'static str,
    message: String,
}

pub type Outcome<T> = Result<T, Problem>;

impl Problem {
    fn new(name: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Problem { name, message }
    }
    /// The bytes or the JSON are not a key of the kind that was asked for.
    pub fn data(message: impl Into<String>) -> Self {
        Problem::new("DataError", message)
    }
    pub fn operation(message: impl Into<String>) -> Self {
        Problem::new("OperationError", message)
    }
    /// The key is not made for this.
    pub fn access(message: impl Into<String>) -> Self {
        Problem::new("InvalidAccessError", message)
    }
    /// The usages do not fit the algorithm.
    pub fn syntax(message: impl Into<String>) -> Self {
        Problem::new("SyntaxError", message)
    }
    pub fn not_supported(message: impl Into<String>) -> Self {
        Problem::new("NotSupportedError", message)
    }

    pub fn throw(self, ctx: &Ctx<'_>) -> Error {
        dom_exception(ctx, self.name, &self.message)
    }
}

pub fn type_error(ctx: &Ctx<'_>, message: &str) -> Error {
    Exception::throw_type(ctx, message)
}
