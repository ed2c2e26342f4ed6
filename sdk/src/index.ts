/**
 * ftl-sdk: write MCP tools as WebAssembly components.
 *
 * @module
 */
export type * from 'ftl-contract'
export type { ToolCaller } from './tool/caller.ts'
export type { ClientProtocol, ToolClient } from './tool/client.ts'
export type {
  CalledTool,
  ContextKeyValue,
  ContextPlatform,
  ToolContext,
  ToolLog,
  ToolStore,
  ToolVariables,
} from './tool/context.ts'
export { createPrompt } from './prompts-and-resources/prompt.ts'
export type {
  Prompt,
  PromptAnswer,
  PromptArguments,
  PromptDefinition,
} from './prompts-and-resources/prompt.ts'
export { createResource } from './prompts-and-resources/resource.ts'
export type {
  Resource,
  ResourceAnswer,
  ResourceDefinition,
} from './prompts-and-resources/resource.ts'
export { createSkill } from './prompts-and-resources/skill.ts'
export type { Skill } from './prompts-and-resources/skill.ts'
export type { Complete } from './prompts-and-resources/common.ts'
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
export { ConfigurationError, InvalidAnswer, InvalidArguments, ToolError } from './tool/errors.ts'
export type { ToolGenerator, ToolUpdate, ToolStatus, ToolStream } from './tool/stream.ts'
export type { GivenTo, ResultOf, Tool } from './tool/create-tool.ts'
export type { HandlerAnswer, ToolDefinition, ToolMetadata } from './tool/definition.ts'
export { createDynamicFeatures } from './prompts-and-resources/dynamic.ts'
export type {
  CompletionAnswer,
  DynamicFeatures,
  FeatureServer,
} from './prompts-and-resources/dynamic.ts'
export type { CompletionQuestion } from './prompts-and-resources/serve.ts'
export { createDynamicTools } from './tool/create-dynamic-tools.ts'
export type { DynamicOffer, DynamicTools, Rehearsal } from './tool/create-dynamic-tools.ts'
export { createTools } from './tool/create-tools.ts'
export type { JobHandlers, ToolSet, ToolSetOptions } from './tool/create-tools.ts'
export { ToolResponse } from './tool/answer-builders.ts'
export type { ErrorResult } from './tool/errors.ts'
export type { Elicit, Elicited } from './tool/elicit.ts'
export type {
  ContentOptions,
  JobStarted,
  ResourceInput,
  StructuredResult,
  ToolAnswer,
} from './tool/answer-builders.ts'
export type {
  InferGiven,
  InferInput,
  InputSchema,
  StandardSchema,
} from './schema/standard-schema.ts'
export type { FromJsonSchema } from './schema/from-json-schema.ts'
export { withJsonSchema } from './schema/with-json-schema.ts'
