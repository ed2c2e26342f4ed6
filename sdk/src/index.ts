/**
 * ftl-sdk: write MCP tools as WebAssembly components.
 *
 * @module
 */
export type * from './contract/index.ts'
export type { ToolContext, ContextKeyValue, ContextPlatform } from './tool/context.ts'
export { createTool, InvalidArguments, ToolError } from './tool/create-tool.ts'
export type { Tool, ToolDefinition, ToolMetadata } from './tool/create-tool.ts'
export { createTools } from './tool/create-tools.ts'
export type { JobHandlers, ToolSet, ToolSetOptions } from './tool/create-tools.ts'
export { ToolResponse } from './tool/response.ts'
export type { JobStarted, ResourceInput, ToolAnswer } from './tool/response.ts'
export type { InferInput, InputSchema, StandardSchema } from './schema/standard-schema.ts'
