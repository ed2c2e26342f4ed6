/**
 * ftl-sdk/testing: calls a component's tools in a plain test, through the code that serves them.
 *
 * @module
 */
export { type InputAnswers, textOf, ToolFailed } from './calls.ts'
export type { TestClock } from './clock.ts'
export type { FetchAnswer, FetchHandler, FetchHandlers } from './fetch.ts'
export type { CallOptions } from './headers.ts'
export type { InitialValues, TestKeyValue } from './key-value.ts'
export { NotJson } from './plain-json.ts'
export type { TestPlatform, TestPlatformOptions } from './platform.ts'
export type { Built, BuiltComponent, BuiltOptions } from './built/built-component.ts'
export type { CallSettings, ComponentCalls, TestCalls, TestComponentOptions } from './component.ts'
export { testComponent, type TestComponent } from './test-component.ts'
export type { TestJob } from './test-job.ts'
export { type BuiltTool, testTool, type TestTool, type ToolCalls } from './test-tool.ts'
