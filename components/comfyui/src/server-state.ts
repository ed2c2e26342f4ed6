/** `queue_status`, `server_stats` and `free_memory`: the state of the servers. */
import type { ComfyClient } from 'ftl-comfyui/client'
import { createTool, ToolError } from 'ftl-sdk'
import * as z from 'zod'
import { askEach, configuredServers, serverLabel, shownLabel, toStates } from './servers.ts'
import { isOn } from './switches.ts'

const readOnly = { readOnlyHint: true, openWorldHint: true }
const error = z.string().optional().describe('Why the server did not answer')

export const queueStatus = createTool({
  metadata: {
    name: 'queue_status',
    title: 'Queue status',
    description:
      'How many prompts run or wait on each ComfyUI server, those of other users included. With a job id also how many are before that job.',
    version: '1.0.0',
    inputSchema: z.object({
      job_id: z.uuid().optional().describe('Id of a job that has not ended'),
    }),
    outputSchema: z.object({
      servers: z.array(
        z.object({
          ...serverLabel,
          remaining: z.int().optional().describe('Prompts that run or wait'),
          position: z
            .int()
            .optional()
            .describe('Prompts before the job; absent if it is not there'),
          error,
        }),
      ),
    }),
    annotations: readOnly,
  },
  handler: async ({ job_id }, context) => {
    const configured = await configuredServers(context)
    const answers = await askEach(configured, context, async (client) => ({
      remaining: await client.queueRemaining(),
      position: job_id === undefined ? undefined : await client.position(job_id),
    }))
    const servers = toStates(answers)
    const lines = servers.map((each) => {
      if ('error' in each) return `${shownLabel(each)}: ${each.error}`
      const place = each.position === undefined ? '' : `, ${each.position} before the job`
      return `${shownLabel(each)}: ${each.remaining} prompts run or wait${place}`
    })
    return { content: [{ type: 'text', text: lines.join('\n') }], structuredContent: { servers } }
  },
})

export const serverStats = createTool({
  metadata: {
    name: 'server_stats',
    title: 'Server statistics',
    description: 'Version, memory and devices of each ComfyUI server.',
    version: '1.0.0',
    inputSchema: z.object({}),
    annotations: readOnly,
  },
  handler: async (_, context) => {
    const configured = await configuredServers(context)
    const servers = toStates(await askEach(configured, context, (client) => client.systemStats()))
    const text = JSON.stringify(servers, null, 2)
    return { content: [{ type: 'text', text }], structuredContent: { servers } }
  },
})

export const freeMemory = createTool({
  metadata: {
    name: 'free_memory',
    title: 'Free memory',
    description:
      'Makes every ComfyUI server, or one, unload its models and drop its cached results. The next job of every user takes longer.',
    version: '1.0.0',
    inputSchema: z.object({
      server: z.int().min(1).optional().describe('Place of the only server; by default all'),
    }),
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: true,
    },
  },
  handler: async ({ server }, context) => {
    if (!isOn('comfyui_free_memory', context)) throw new ToolError('free_memory is turned off.')
    const configured = await configuredServers(context)
    const free = async (client: ComfyClient) => {
      await client.freeMemory()
      return {}
    }
    const servers = toStates(await askEach(configured, context, free, server))
    const lines = servers.map((each) =>
      'error' in each ? `${shownLabel(each)}: ${each.error}` : `${shownLabel(each)}: done`,
    )
    return { content: [{ type: 'text', text: lines.join('\n') }], structuredContent: { servers } }
  },
})
