/**
 * The component `workflows`: every ComfyUI workflow in `/workflows` is a tool, with the parameters `/config` gives it.
 *
 * Variables: `comfyui_url` (empty: tools answer with the workflow), `comfyui_auth`, `comfyui_client_id`.
 *
 * @module
 */
import type { WorkflowTool } from 'ftl-comfyui/workflow'
import { createDynamicTools, createTool, type Tool, type ToolContext } from 'ftl-sdk'
import { fileRepository } from './file-repository.ts'
import { startJob, workflowJob } from './job.ts'
import { workflowResult } from './result.ts'
import { prepare } from './run.ts'
import { serverUrl } from './server.ts'
import type { UsableTool } from './workflow-repository.ts'

/** The name is part of an address, and becomes part of a key. */
const NAME = /^[A-Za-z0-9_.-]{1,64}$/

const annotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: true }

export const tools = createDynamicTools({
  async list(context) {
    const { tools: all, problems } = await fileRepository(context).list()
    return {
      tools: all.map(describe),
      ...(problems.length > 0 && { problems }),
      jobs: serverUrl(context) !== undefined,
    }
  },
  async find(name, context) {
    if (!NAME.test(name)) return undefined
    const usable = await fileRepository(context).getByName(name)
    return usable && toTool(usable, context)
  },
  job: workflowJob,
})

function toTool(usable: UsableTool, context: ToolContext): Tool {
  const metadata = describe(usable.tool)
  const server = serverUrl(context)
  if (server === undefined) {
    return createTool({ metadata, handler: (args) => workflowResult(prepare(usable, args)) })
  }
  return createTool({
    metadata,
    job: {
      ...workflowJob,
      prepare: (args) => prepare(usable, args),
      start: (prepared, job) => startJob(server, prepared, job),
    },
  })
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
