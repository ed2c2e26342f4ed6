/** Workflows as tools, wherever the workflows come from. */
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
import { readImages, requireNames } from './images.ts'
import { startJob, workflowJob } from './job.ts'
import { workflowResult } from './result.ts'
import { prepare } from './run.ts'
import { serverUrl } from './server.ts'
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
  const set: ToolSet = createDynamicTools({
    async list(context) {
      const { tools: all, problems } = await repositoryOf(context).list()
      return {
        tools: all.map(describe),
        ...(problems.length > 0 && { problems }),
        jobs: serverUrl(context) !== undefined,
      }
    },
    async find(name, context) {
      if (!NAME.test(name)) return undefined
      const usable = await repositoryOf(context).getByName(name)
      return usable && toTool(usable, context, set)
    },
    job: workflowJob,
  })
  return set
}

/** @param set serves the files of its jobs, which may be images of a call. */
function toTool(usable: UsableTool, context: ToolContext, set: ToolSet): Tool {
  const described = describe(usable.tool)
  const metadata = { ...described, inputSchema: unchecked(described.inputSchema) }
  const server = serverUrl(context)
  if (server === undefined) {
    return createTool({
      metadata,
      handler: (args) => {
        const draft = prepare(usable, args)
        requireNames(draft)
        return workflowResult(draft.finish(new Map()))
      },
    })
  }
  return createTool({
    metadata,
    job: {
      ...workflowJob,
      prepare: (args, call) => readImages(prepare(usable, args), set, call),
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

function describe({ name, title, description, inputSchema }: WorkflowTool) {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema,
    annotations,
  }
}
