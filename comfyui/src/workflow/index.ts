/**
 * ComfyUI workflow files: reading them and setting their inputs.
 *
 * @module
 */
export { parseWorkflow, WorkflowError } from './parse.ts'
export type { Workflow, WorkflowNode } from './parse.ts'
export { inject, outputNodes, setInput, TITLES } from './inject.ts'
export type { Fields } from './inject.ts'
