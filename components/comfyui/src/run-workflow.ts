/**
 * `run_workflow`: a workflow that the caller sends.
 *
 * A workflow can use every node that the server has, and some of them read files, use the network or run code. So the
 * tool is off until the operator turns it on.
 */
import { classesOf, toNodeClass } from 'ftl-comfyui/client'
import {
  DEFAULT_MAX_QUEUE,
  nameOutputs,
  preferKept,
  promptJob,
  type PromptState,
  SENDING_MESSAGE,
  submitPrompt,
  toLink,
} from 'ftl-comfyui/job'
import { checkWorkflow, parseWorkflow, type Workflow, WorkflowError } from 'ftl-comfyui/workflow'
import { createTool, InvalidArguments, type ToolContext, ToolError } from 'ftl-sdk'
import * as z from 'zod'
import { connect, firstServer, reporting } from './servers.ts'
import { isOn } from './switches.ts'

const MAX_BYTES = 512 * 1024
const MAX_NODES = 256
/** Problems that an error lists. */
const MAX_PROBLEMS = 20

const job = promptJob<PromptState>({
  connect: async (server, context) => connect(server, context),
  activity: 'Running',
  nothingMade: 'The workflow made nothing.',
  selectFiles: ({ files }) => preferKept(files),
  toResult(jobId, _, files, texts) {
    if (files.length === 0 && texts.length === 0) return undefined
    const named = nameOutputs(jobId, files)
    const outputs = named.map(({ url, mimeType }) => ({ url, mimeType }))
    const shown =
      named.length > 0
        ? [`Made ${named.length === 1 ? '1 file' : `${named.length} files`}.`, ...texts]
        : texts
    return {
      content: [...named.map(toLink), ...shown.map((text) => ({ type: 'text' as const, text }))],
      structuredContent: { outputs, ...(texts.length > 0 && { texts }) },
    }
  },
  explain: (error) => error,
})

export const runWorkflow = createTool({
  metadata: {
    name: 'run_workflow',
    title: 'Run workflow',
    description:
      'Runs a ComfyUI workflow in API format. It is checked against the nodes and models of the server first. Use search_nodes, describe_node and list_models to write one.',
    version: '1.0.0',
    inputSchema: z.object({
      workflow: z
        .record(z.string(), z.unknown())
        .describe('Nodes by id: { "3": { "class_type": "KSampler", "inputs": { … } } }'),
    }),
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    },
  },
  job: {
    ...job,
    prepare: ({ workflow }, context) => check(workflow, context),
    async start(text: string, context): Promise<PromptState> {
      const { url, client } = firstServer(context)
      const state = { server: url, promptId: context.job.id }
      // Stored before the submission: if the answer is lost, this records where the job may be.
      await context.job.update({ state, message: SENDING_MESSAGE })
      return reporting(async () => {
        if ((await client.queueRemaining()) >= DEFAULT_MAX_QUEUE) {
          throw new ToolError('Too many prompts are waiting; try again later.', {
            kind: 'queue_full',
          })
        }
        const { warnings, ...sent } = await submitPrompt(
          client,
          { workflow: text, promptId: context.job.id },
          context,
        )
        // Part of it would run, although the check found nothing: say so in the log of the operator.
        for (const { message } of warnings) console.warn('a part was left out:', message)
        return { ...state, ...sent }
      }, '')
    },
  },
})

/** @returns the workflow as text, without a wrapper. @throws {InvalidArguments} with every problem that was found. */
async function check(given: Record<string, unknown>, context: ToolContext): Promise<string> {
  if (!isOn('comfyui_run_workflow', context)) throw new ToolError('run_workflow is turned off.')
  const workflow = parse(given)
  const text = JSON.stringify(workflow)
  if (new TextEncoder().encode(text).length > MAX_BYTES)
    throw refuse(`has more than ${MAX_BYTES / 1024} KB`)
  const nodes = Object.keys(workflow).length
  if (nodes > MAX_NODES) throw refuse(`has ${nodes} nodes; at most ${MAX_NODES} are allowed`)
  const infos = await reporting(() => firstServer(context).client.objectInfo(classesOf(workflow)))
  const classes = Object.entries(infos).map(([name, info]) => [name, toNodeClass(info)] as const)
  const problems = checkWorkflow(text, Object.fromEntries(classes))
  if (problems.length === 0) return text
  const lines = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ message, fix }) => `workflow: ${message}; ${fix}`)
  if (problems.length > MAX_PROBLEMS) lines.push(`and ${problems.length - MAX_PROBLEMS} more`)
  throw new InvalidArguments(lines.join('\n'))
}

function parse(given: Record<string, unknown>): Workflow {
  try {
    return parseWorkflow(given)
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error
    throw new InvalidArguments(`workflow: ${error.message}`)
  }
}

function refuse(why: string): InvalidArguments {
  return new InvalidArguments(`workflow: it ${why}`)
}
