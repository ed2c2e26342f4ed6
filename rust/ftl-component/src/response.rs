use crate::content::{base64, Content, Resource};
use crate::error::ToolError;
use crate::registry::plain_numbers;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// What a tool answers.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResponse {
    pub content: Vec<Content>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<Value>,
    /// A failure the model should read; the call itself succeeded.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

impl ToolResponse {
    pub fn content(content: impl IntoIterator<Item = Content>) -> Self {
        Self { content: content.into_iter().collect(), ..Self::default() }
    }

    pub fn text(text: impl Into<String>) -> Self {
        Self::content([Content::Text { text: text.into() }])
    }

    /// A failure the model should read, and may correct.
    pub fn error(message: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::text(message) }
    }

    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        let data = base64(bytes.as_ref());
        Self::content([Content::Image { data, mime_type: mime_type.into() }])
    }

    pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        let data = base64(bytes.as_ref());
        Self::content([Content::Audio { data, mime_type: mime_type.into() }])
    }

    /// A resource carried in the answer itself.
    pub fn resource(resource: Resource) -> Self {
        Self::content([Content::Resource { resource }])
    }

    /// A value as `structuredContent`, repeated as JSON text, because older clients read only that. A tool that
    /// returns [`Json`] publishes the value's schema besides.
    ///
    /// Fails when the value has no form in JSON, for example a map whose keys are no strings.
    pub fn structured(value: impl Serialize) -> Result<Self, ToolError> {
        let value = serde_json::to_value(value)?;
        Ok(Self { structured_content: Some(value.clone()), ..Self::text(value.to_string()) })
    }

    /// Puts another answer's content behind this one's.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.content.extend(other.content);
        self
    }
}

/// A value as a tool's answer: `structuredContent`, with the value's schema as the tool's `outputSchema`. It must be an
/// object.
pub struct Json<T>(pub T);

/// What a tool may return.
pub trait IntoToolResponse {
    /// The schema of `structuredContent`, where the type tells.
    fn output_schema() -> Option<Value> {
        None
    }

    fn into_tool_response(self) -> Result<ToolResponse, ToolError>;
}

impl IntoToolResponse for ToolResponse {
    fn into_tool_response(self) -> Result<ToolResponse, ToolError> {
        Ok(self)
    }
}

impl IntoToolResponse for String {
    fn into_tool_response(self) -> Result<ToolResponse, ToolError> {
        Ok(ToolResponse::text(self))
    }
}

impl IntoToolResponse for &str {
    fn into_tool_response(self) -> Result<ToolResponse, ToolError> {
        Ok(ToolResponse::text(self))
    }
}

impl<T: Serialize + JsonSchema> IntoToolResponse for Json<T> {
    fn output_schema() -> Option<Value> {
        let settings = SchemaSettings::draft2020_12()
            .for_serialize()
            .with_transform(RecursiveTransform(plain_numbers));
        Some(settings.into_generator().into_root_schema_for::<T>().into())
    }

    fn into_tool_response(self) -> Result<ToolResponse, ToolError> {
        ToolResponse::structured(self.0)
    }
}

impl<T: IntoToolResponse, E: Into<ToolError>> IntoToolResponse for Result<T, E> {
    fn output_schema() -> Option<Value> {
        T::output_schema()
    }

    fn into_tool_response(self) -> Result<ToolResponse, ToolError> {
        self.map_err(Into::into)?.into_tool_response()
    }
}
