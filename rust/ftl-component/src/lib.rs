//! MCP tools as WebAssembly components, in Rust.
//!
//! ```
//! use ftl_component::{tool, ToolResponse};
//! use schemars::JsonSchema;
//! use serde::Deserialize;
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Input {
//!     /// Whom to greet
//!     name: String,
//! }
//!
//! /// Says hello
//! #[tool]
//! fn greet(input: Input) -> ToolResponse {
//!     ToolResponse::text(format!("Hello, {}!", input.name))
//! }
//! ```
//!
//! Built with `cargo build --release --target wasm32-wasip2` (crate type `cdylib`) this is a component of the contract
//! the gateway speaks. Each function with [`macro@tool`] in the crate is one of its tools; nothing else is to be listed.

mod caller;
mod content;
mod context;
mod error;
mod registry;
mod response;
mod serve;
pub mod testing;
#[cfg(target_arch = "wasm32")]
mod wasi;

pub use caller::Caller;
pub use content::{Content, Resource};
pub use context::{Context, Level};
pub use error::ToolError;
pub use ftl_component_macros::tool;
pub use response::{IntoToolResponse, Json, ToolResponse};

/// What the macro writes refers to. Not part of the interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::registry::{
        answer, arguments, no_arguments, output_schema, schema_of, CallOutcome, ToolEntry,
        NO_ARGUMENTS,
    };
    pub use inventory;
    pub use serde_json::Value;

    /// Runs an `async fn` tool to its end.
    #[cfg(all(feature = "async", target_arch = "wasm32"))]
    pub use wstd::runtime::block_on;

    /// For tests on the machine of the developer, where nothing of WASI is there to wait for.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn block_on<F: std::future::Future>(future: F) -> F::Output {
        let mut future = std::pin::pin!(future);
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        loop {
            if let std::task::Poll::Ready(output) = future.as_mut().poll(&mut context) {
                return output;
            }
            std::thread::yield_now();
        }
    }
}
