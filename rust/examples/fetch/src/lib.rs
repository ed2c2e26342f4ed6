//! An async tool: it asks another server, and gives up when its caller does.
#![cfg(target_arch = "wasm32")]

use ftl_component::{tool, Context, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use wstd::future::FutureExt;
use wstd::http::{Body, Client, Request};
use wstd::time::Duration;

#[derive(Deserialize, JsonSchema)]
struct Address {
    /// What to read; its host must stand in allowed_outbound_hosts
    url: String,
}

/// Reads a page as text
#[tool(read_only, open_world)]
async fn read(input: Address, context: &Context<'_>) -> Result<String, ToolError> {
    let request = Request::get(&input.url)
        .body(Body::empty())
        .map_err(|_| ToolError::new("url: give an address like https://example.com/"))?;
    let time = Duration::from_millis(context.deadline().as_millis() as u64);
    let read = async {
        let mut response = Client::new().send(request).await?;
        Ok::<_, wstd::http::Error>(response.body_mut().str_contents().await?.to_owned())
    };
    match read.timeout(time).await {
        Ok(page) => page.map_err(ToolError::hidden),
        Err(_) => Err(ToolError::new("The page did not come in time.")),
    }
}
