/** `list_models`: model folders and the files in one of them, of all servers together. */
import { createTool, InvalidArguments } from 'ftl-sdk'
import * as z from 'zod'
import { merge, placesText, sharedBy, toShared } from './merge.ts'
import { answeredOnly, askEach, requireServers, silentLines } from './servers.ts'

const LIMIT = 100
const MAX_LIMIT = 500

export const listModels = createTool({
  metadata: {
    name: 'list_models',
    title: 'List models',
    description:
      'Lists model files of ComfyUI: checkpoints, LoRAs, VAEs and others. Without a folder it lists the folders.',
    version: '1.0.0',
    inputSchema: z.object({
      folder: z.string().min(1).max(100).optional().describe('For example checkpoints or loras'),
      search: z.string().max(100).optional().describe('Only names that contain this text'),
      limit: z.int().min(1).max(MAX_LIMIT).default(LIMIT),
    }),
    outputSchema: z.object({
      folders: z.array(z.string()).optional(),
      models: z.array(z.string()).optional(),
      total: z.int().describe('How many there are, listed or not'),
      ...sharedBy,
    }),
    annotations: { readOnlyHint: true, openWorldHint: true },
  },
  async handler({ folder, search = '', limit }, context) {
    const servers = await requireServers(context)
    const answers = await askEach(servers, context, async (client) => {
      const folders = await client.modelFolders()
      // Only names that the server lists become part of a request.
      if (folder === undefined || !folders.includes(folder)) return { folders, names: folders }
      return { folders, names: (await client.models(folder)) ?? [] }
    })
    const answered = answeredOnly(answers)
    const folders = new Set(answered.flatMap(({ value }) => value.folders))
    if (folder !== undefined && !folders.has(folder)) {
      throw new InvalidArguments(`folder: must be one of ${[...folders].join(', ')}`)
    }
    const lists = answered.map(({ server, value }) => {
      const has = folder === undefined || value.folders.includes(folder)
      return { server, items: has ? value.names : [] }
    })
    const found = merge(lists, (name) => name).filter(({ key }) =>
      key.toLowerCase().includes(search.toLowerCase()),
    )
    const listed = found.slice(0, limit)
    const lines = listed.map(({ key, servers: on }) => `${key}${placesText(on, answered.length)}`)
    if (lines.length === 0) lines.push('None.')
    if (found.length > listed.length) lines.push(`(${found.length} in all: use search)`)
    return {
      content: [{ type: 'text', text: [...lines, ...silentLines(answers)].join('\n') }],
      structuredContent: {
        [folder === undefined ? 'folders' : 'models']: listed.map(({ key }) => key),
        total: found.length,
        ...toShared(listed, answers),
      },
    }
  },
})
