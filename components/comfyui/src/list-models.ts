/** `list_models`: model folders and the files in one of them. */
import { createTool, InvalidArguments } from 'ftl-sdk'
import * as z from 'zod'
import { firstServer, reporting } from './servers.ts'

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
    }),
    annotations: { readOnlyHint: true, openWorldHint: true },
  },
  handler: ({ folder, search = '', limit }, context) =>
    reporting(async () => {
      const { client } = firstServer(context)
      const folders = await client.modelFolders()
      // Only names that the server lists become part of a request.
      if (folder !== undefined && !folders.includes(folder)) {
        throw new InvalidArguments(`folder: must be one of ${folders.join(', ')}`)
      }
      const names = folder === undefined ? folders : ((await client.models(folder)) ?? [])
      const found = names.filter((name) => name.toLowerCase().includes(search.toLowerCase()))
      const listed = found.slice(0, limit)
      const more = found.length > listed.length ? `\n(${found.length} in all: use search)` : ''
      return {
        content: [{ type: 'text', text: `${listed.join('\n') || 'None.'}${more}` }],
        structuredContent: {
          [folder === undefined ? 'folders' : 'models']: listed,
          total: found.length,
        },
      }
    }),
})
