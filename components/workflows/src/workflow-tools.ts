/** Workflows as tools, wherever the workflows come from. */
import { INLINE_IMAGES } from 'ftl-comfyui/job'
import type { WorkflowTool } from 'ftl-comfyui/workflow'
import {
  createDynamicTools,
  createTool,
  type JsonSchema,
  type StandardSchema,
  type Tool,
  type ToolContext,
  type ToolSet,
} from 'ftl-sdk'
import { readFiles, requireNames } from './call-files.ts'
import { startJob, workflowJob } from './job.ts'
import { workflowResult } from './result.ts'
import { INLINE_ARGUMENT, prepare, takesInline } from './prepare-call.ts'
import { serverUrl } from './server.ts'
import { withUploadLimit } from './upload-limit.ts'
import type { UsableTool, WorkflowRepository } from './workflow-repository.ts'

/** The name is part of an address, and becomes part of a key. */
const NAME = /^[A-Za-z0-9_.-]{1,64}$/

const annotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: true }

export type RepositoryOf = (context: ToolContext) => WorkflowRepository

/**
 * A tool for every workflow of a repository.
 *
 * @param repositoryOf makes it for one request; a component keeps nothing between two.
 */
export function createWorkflowTools(repositoryOf: RepositoryOf): ToolSet {
  return createDynamicTools({
    async list(context) {
      const runs = serverUrl(context) !== undefined
      const { tools: all, problems } = await repositoryOf(context).list()
      return {
        tools: all.map((tool) => describe(tool, runs, context)),
        ...(problems.length > 0 && { problems }),
        jobs: runs,
      }
    },
    async find(name, context) {
      if (!NAME.test(name)) return undefined
      const usable = await repositoryOf(context).getByName(name)
      return usable && toTool(usable, context)
    },
    job: workflowJob,
  })
}

function toTool(usable: UsableTool, context: ToolContext): Tool {
  const server = serverUrl(context)
  const described = describe(usable.tool, server !== undefined, context)
  const metadata = { ...described, inputSchema: unchecked(described.inputSchema) }
  if (server === undefined) {
    return createTool({
      metadata,
      handler: (args) => {
        const draft = prepare(usable, args, false)
        requireNames(draft)
        return workflowResult(draft.finish(new Map()))
      },
    })
  }
  return createTool({
    metadata,
    job: {
      ...workflowJob,
      prepare: (args, call) => readFiles(prepare(usable, args, true), call),
      start: (ready, job) => startJob(server, ready, job),
    },
  })
}

/** `prepare` checks the arguments, with all it knows of the workflow. */
function unchecked(inputSchema: JsonSchema): StandardSchema<Record<string, unknown>> {
  const validate = (value: unknown) => ({ value: value as Record<string, unknown> })
  const jsonSchema = { input: () => inputSchema }
  return { '~standard': { version: 1, vendor: 'ftl-workflows', validate, jsonSchema } }
}

/** @param runs whether a server is configured that runs it. */
function describe(tool: WorkflowTool, runs: boolean, { platform }: ToolContext) {
  const { name, title, description } = tool
  const inputSchema = withUploadLimit(tool, platform.variables)
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: runs && takesInline(tool) ? withInline(inputSchema) : inputSchema,
    annotations,
  }
}

function withInline(schema: JsonSchema): JsonSchema {
  const inline = { type: 'boolean', description: INLINE_IMAGES }
  return { ...schema, properties: { ...(schema.properties as object), [INLINE_ARGUMENT]: inline } }
}
