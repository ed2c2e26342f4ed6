/** `search_nodes` and `describe_node`: which nodes the server has, and what they take. */
import { toNodeClass, type NodeInput } from 'ftl-comfyui/client'
import { createTool, InvalidArguments } from 'ftl-sdk'
import * as z from 'zod'
import { searchIndex } from './node-index.ts'
import { firstServer, reporting } from './servers.ts'

const LIMIT = 20
const MAX_LIMIT = 100
/** Choices of an input that a description lists. */
const MAX_CHOICES = 40
const annotations = { readOnlyHint: true, openWorldHint: true }

export const searchNodes = createTool({
  metadata: {
    name: 'search_nodes',
    title: 'Search nodes',
    description:
      'Finds ComfyUI nodes by words in their name, category, description, inputs and outputs.',
    version: '1.0.0',
    inputSchema: z.object({
      query: z.string().min(1).max(200).describe('Words; a node must have all of them'),
      limit: z.int().min(1).max(MAX_LIMIT).default(LIMIT),
    }),
    outputSchema: z.object({
      nodes: z.array(
        z.object({
          name: z.string(),
          title: z.string(),
          category: z.string(),
          description: z.string(),
          outputs: z.array(z.string()),
        }),
      ),
      total: z.int().describe('How many there are, listed or not'),
    }),
    annotations,
  },
  handler: ({ query, limit }, context) =>
    reporting(async () => {
      const { url, client } = firstServer(context)
      const found = await searchIndex(query, url, client, context)
      const nodes = found.slice(0, limit)
      const lines = nodes.map(({ name, title, category }) => `${name} (${title}; ${category})`)
      return {
        content: [{ type: 'text', text: lines.join('\n') || 'No node has these words.' }],
        structuredContent: { nodes, total: found.length },
      }
    }),
})

export const describeNode = createTool({
  metadata: {
    name: 'describe_node',
    title: 'Describe node',
    description: 'Describes the inputs and outputs of a ComfyUI node.',
    version: '1.0.0',
    inputSchema: z.object({
      name: z.string().min(1).max(200).describe('Class of the node, for example KSampler'),
    }),
    annotations,
  },
  handler: ({ name }, context) =>
    reporting(async () => {
      const infos = await firstServer(context).client.objectInfo(name)
      const info = Object.hasOwn(infos, name) ? infos[name] : undefined
      if (info === undefined) {
        throw new InvalidArguments(`name: the server has no node "${name}"; use search_nodes`)
      }
      const { inputs, outputs, isOutput } = toNodeClass(info)
      const described = {
        name,
        description: textOf(info, 'description'),
        category: textOf(info, 'category'),
        inputs: Object.fromEntries(
          Object.entries(inputs).map(([key, input]) => [key, limited(input)]),
        ),
        outputs,
        writesFiles: isOutput,
      }
      return {
        content: [{ type: 'text', text: JSON.stringify(described, null, 2) }],
        structuredContent: described,
      }
    }),
})

/** Of thousands of files only some; `list_models` has all. */
function limited({ choices, ...input }: NodeInput) {
  if (!choices) return input
  return { ...input, choices: choices.slice(0, MAX_CHOICES), choicesTotal: choices.length }
}

function textOf(info: unknown, key: string): string {
  const value = (info as Record<string, unknown>)[key]
  return typeof value === 'string' ? value.slice(0, 2_000) : ''
}
