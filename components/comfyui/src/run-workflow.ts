/**
 * `run_workflow`: a workflow that the caller sends.
 *
 * A workflow can use every node that the server has, and some of them read files, use the network or run code. So the
 * tool is off until the operator turns it on.
 */
import { ComfyError } from 'ftl-comfyui/client'
import {
  connectTo,
  INLINE_IMAGES,
  nameOutputs,
  preferKept,
  promptJob,
  type PromptState,
  SENDING_MESSAGE,
  showsInline,
  submitPrompt,
  toLink,
} from 'ftl-comfyui/job'
import { connect } from 'ftl-comfyui/servers'
import { createTool, type ToolContext, ToolError } from 'ftl-sdk'
import * as z from 'zod'
import { type Chosen, chooseServer } from './choose-server.ts'
import { readGiven } from './given-workflow.ts'
import { configuredServers, toFailure } from './servers.ts'
import { isOn } from './switches.ts'

/** Refused nodes that a result lists. */
const MAX_LEFT_OUT = 20

/** A node that ComfyUI refused when it accepted the rest of the workflow. */
interface LeftOut {
  node: string
  class: string
  /** ComfyUI's own words. */
  message: string
}

interface RunState extends PromptState {
  /** At most {@link MAX_LEFT_OUT}. */
  leftOut: LeftOut[]
  /** How many there are, listed or not. */
  leftOutTotal: number
}

interface Prepared extends Chosen {
  inline: boolean
}

const job = promptJob<RunState>({
  connect: async (server, context) => connect(server, await configuredServers(context), context),
  activity: 'Running',
  nothingMade: 'The workflow made nothing.',
  selectFiles: ({ files }) => preferKept(files),
  toResult(jobId, { leftOut, leftOutTotal }, files, texts) {
    if (files.length === 0 && texts.length === 0) return undefined
    const named = nameOutputs(jobId, files)
    const outputs = named.map(({ url, mimeType }) => ({ url, mimeType }))
    const made = `Made ${named.length === 1 ? '1 file' : `${named.length} files`}.`
    // Several agent frameworks read the first text only.
    const summary = [made, ...named.map(({ url }) => url)].join('\n')
    const shown = named.length > 0 ? [summary, ...texts] : texts
    const all = leftOutTotal > 0 ? [...shown, describeLeftOut(leftOut, leftOutTotal)] : shown
    return {
      content: [...all.map((text) => ({ type: 'text' as const, text })), ...named.map(toLink)],
      structuredContent: {
        outputs,
        ...(texts.length > 0 && { texts }),
        ...(leftOutTotal > 0 && { leftOut, leftOutTotal }),
      },
    }
  },
  explain: (error) => error,
})

export const runWorkflow = createTool({
  metadata: {
    name: 'run_workflow',
    title: 'Run workflow',
    description:
      'Runs a ComfyUI workflow, in API format or as the editor saves it. It is checked against the nodes and models of the server first. Use search_nodes, describe_node and list_models to write one.',
    version: '1.0.0',
    inputSchema: z.object({
      workflow: z
        .union([z.record(z.string(), z.unknown()), z.string()])
        .describe(
          'Nodes by id: { "3": { "class_type": "KSampler", "inputs": { … } } }, a file of the editor ({ "nodes": [ … ], "links": [ … ] }), or one of both as JSON text',
        ),
      inline_images: z.boolean().optional().describe(INLINE_IMAGES),
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
    prepare: async ({ workflow, inline_images }, context) => ({
      ...(await check(workflow, context)),
      inline: showsInline(inline_images, context),
    }),
    async start({ text, inline, server, isFull }: Prepared, context): Promise<RunState> {
      const promptId = context.job.id
      const begin = { server: server.url, promptId, leftOut: [], leftOutTotal: 0 }
      const state: RunState = { ...begin, ...(inline && { inline }) }
      if (isFull) {
        throw new ToolError('Too many prompts are waiting; try again later.', {
          kind: 'queue_full',
        })
      }
      // Stored before the submission: if the answer is lost, this records where the job may be.
      await context.job.update({ state, message: SENDING_MESSAGE })
      try {
        const client = connectTo(server, context)
        const { warnings, ...sent } = await submitPrompt(
          client,
          { workflow: text, promptId },
          context,
        )
        const leftOut = warnings.slice(0, MAX_LEFT_OUT).map(toLeftOut)
        return { ...state, ...sent, leftOut, leftOutTotal: warnings.length }
      } catch (error) {
        throw error instanceof ComfyError ? toFailure(error, '') : error
      }
    },
  },
})

/** @throws {InvalidArguments} with every problem that was found. */
async function check(
  given: Record<string, unknown> | string,
  context: ToolContext,
): Promise<Chosen> {
  if (!isOn('comfyui_run_workflow', context)) throw new ToolError('run_workflow is turned off.')
  return chooseServer(readGiven(given), context)
}

function toLeftOut({ message, details }: ComfyError): LeftOut {
  const { nodeId = '', nodeType = '', said = message } = details
  return { node: nodeId, class: nodeType, message: said }
}

function describeLeftOut(leftOut: readonly LeftOut[], total: number): string {
  const lines = leftOut.map(
    ({ node, class: name, message }) => `Node ${node}${name && ` (${name})`}: ${message}`,
  )
  if (total > lines.length) lines.push(`and ${total - lines.length} more`)
  const nodes = total === 1 ? 'a node' : 'nodes'
  return `ComfyUI refused ${nodes}, and did not run the parts of the workflow that need ${total === 1 ? 'it' : 'them'}:\n${lines.join('\n')}`
}
