/**
 * ftl-sdk: write MCP tools as WebAssembly components.
 *
 * @module
 */
export type * from './contract/index.ts'
export type { ToolContext, ContextKeyValue, ContextPlatform } from './tool/context.ts'
export { JobEnded } from './job/definition.ts'
export type {
  CancelOutcome,
  JobContext,
  JobDefinition,
  JobFailure,
  JobFile,
  JobHandle,
  JobPhase,
  JobProgress,
  JobUpdate,
  PollOutcome,
} from './job/definition.ts'
export { createTool } from './tool/create-tool.ts'
export { InvalidArguments, ToolError } from './tool/errors.ts'
export type { ToolGenerator, ToolNews, ToolStatus, ToolStream } from './tool/stream.ts'
export type { Tool, ToolDefinition, ToolMetadata } from './tool/create-tool.ts'
export { createDynamicTools } from './tool/create-dynamic-tools.ts'
export type { DynamicOffer, DynamicTools } from './tool/create-dynamic-tools.ts'
export { createTools } from './tool/create-tools.ts'
export type { JobHandlers, ToolSet, ToolSetOptions } from './tool/create-tools.ts'
export { ToolResponse } from './tool/response.ts'
export type { JobStarted, ResourceInput, ToolAnswer } from './tool/response.ts'
export type { InferInput, InputSchema, StandardSchema } from './schema/standard-schema.ts'
