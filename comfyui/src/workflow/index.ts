/**
 * ComfyUI workflow files: reading them, making tools of them and setting their inputs.
 *
 * @module
 */
export { isLink } from '../client/nodes.ts'
export { parseWorkflow, WorkflowError } from './parse.ts'
export type { Workflow, WorkflowNode } from './parse.ts'
export { checkWorkflow } from './check.ts'
export { injectValues } from './compile.ts'
export type { PlannedField, WorkflowTool } from './compile.ts'
export { withStandIns } from './editor-views.ts'
export { isFile, isMedia } from './field.ts'
export type { Field, FieldType, Generator } from './field.ts'
export { fill } from './fill.ts'
export type { Filled } from './fill.ts'
export { formatFinding } from './finding.ts'
export type { Finding } from './finding.ts'
export { assemble, isToolFile, readSources } from './folder.ts'
export type { FolderListing, FolderTools } from './folder.ts'
export type { NodeClasses } from './node-checks.ts'
export { JsonTextError, lineAt, parseJsonText, valueAt } from './json-text.ts'
export type { JsonNode } from './json-text.ts'
export { proposeTool } from './proposal/propose.ts'
export type { ProposedField, ProposedTool } from './proposal/proposed.ts'
export { convertedName } from './read-source.ts'
export type { Source, SourceTool } from './read-source.ts'
export type { Target } from './targets.ts'
