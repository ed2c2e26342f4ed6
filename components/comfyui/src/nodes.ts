/** `search_nodes` and `describe_node`: which nodes the server has, and what they take. */
import { type NodeClass, type NodeInput, toNodeClass } from 'ftl-comfyui/client'
import { createTool, InvalidArguments } from 'ftl-sdk'
import * as z from 'zod'
import { merge, placesText, sharedBy, toShared } from './merge.ts'
import { readIndex, searchIndex } from './node-index.ts'
import { answeredOnly, askEach, requireServers, silentLines } from './servers.ts'

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
      ...sharedBy,
    }),
    annotations,
  },
  async handler({ query, limit }, context) {
    const servers = await requireServers(context)
    let before: Promise<unknown> = Promise.resolve()
    const answers = await askEach(servers, context, (client, { url }) => {
      // One after the other: a list of all nodes is megabytes of JSON.
      const index = before.then(() => readIndex(url, client, context))
      before = index.catch(() => undefined)
      return index
    })
    const answered = answeredOnly(answers)
    const all = merge(
      answered.map(({ server, value }) => ({ server, items: value })),
      ({ name }) => name,
    )
    const found = searchIndex(query, all)
    const listed = found.slice(0, limit)
    const lines = listed.map(({ item: { name, title, category }, servers: on }) => {
      return `${name} (${title}; ${category})${placesText(on, answered.length)}`
    })
    if (lines.length === 0) lines.push('No node has these words.')
    return {
      content: [{ type: 'text', text: [...lines, ...silentLines(answers)].join('\n') }],
      structuredContent: {
        nodes: listed.map(({ item }) => item),
        total: found.length,
        ...toShared(listed, answers),
      },
    }
  },
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
  async handler({ name }, context) {
    const servers = await requireServers(context)
    const answers = await askEach(servers, context, async (client) => {
      const infos = await client.objectInfo(name)
      return Object.hasOwn(infos, name) ? infos[name] : undefined
    })
    const having = answeredOnly(answers).filter(({ value }) => value !== undefined)
    const [first] = having
    if (!first) {
      const server = servers.list.length === 1 ? 'the server has no' : 'no server has a'
      throw new InvalidArguments(`name: ${server} node "${name}"; use search_nodes`)
    }
    const classes = having.map(({ value }) => toNodeClass(value))
    const { outputs, isOutput } = toNodeClass(first.value)
    const described = {
      name,
      description: textOf(first.value, 'description'),
      category: textOf(first.value, 'category'),
      inputs: limitedAll(Object.fromEntries(mergedInputs(classes))),
      outputs,
      writesFiles: isOutput,
      ...(servers.list.length > 1 && { servers: having.map(({ server }) => server) }),
    }
    return {
      content: [{ type: 'text', text: JSON.stringify(described, null, 2) }],
      structuredContent: described,
    }
  },
})

/** The inputs of the first server, with the choices of all: each server lists its own files. */
function mergedInputs(classes: readonly NodeClass[]): [string, NodeInput][] {
  const [first, ...others] = classes
  return Object.entries(first?.inputs ?? {}).map(([name, input]) => {
    if (!input.choices || others.length === 0) return [name, input]
    const more = others.flatMap(({ inputs }) =>
      Object.hasOwn(inputs, name) ? (inputs[name]?.choices ?? []) : [],
    )
    return [name, { ...input, choices: [...new Set([...input.choices, ...more])] }]
  })
}

/** Of thousands of files only some; `list_models` has all. */
function limited({ choices, inputsByChoice, ...input }: NodeInput): object {
  return {
    ...input,
    ...(choices && { choices: choices.slice(0, MAX_CHOICES), choicesTotal: choices.length }),
    ...(inputsByChoice && {
      inputsByChoice: Object.fromEntries(
        Object.entries(inputsByChoice)
          .slice(0, MAX_CHOICES)
          .map(([choice, inputs]) => [choice, limitedAll(inputs)]),
      ),
    }),
  }
}

function limitedAll(inputs: Readonly<Record<string, NodeInput>>): Record<string, object> {
  return Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, limited(input)]))
}

function textOf(info: unknown, key: string): string {
  const value = (info as Record<string, unknown>)[key]
  return typeof value === 'string' ? value.slice(0, 2_000) : ''
}
