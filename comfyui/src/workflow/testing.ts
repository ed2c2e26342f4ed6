/** A folder of tools in memory, for tests. */
import { assemble, type FolderTools, readSources } from './folder.ts'
import type { SourceOptions } from './read-source.ts'

/** @param files text by `config/x.json` or `workflows/x.json`; a value is written as JSON, `undefined` cannot be read. */
export async function readFolder(
  files: Record<string, unknown>,
  options: SourceOptions = {},
): Promise<FolderTools> {
  const names = (mount: string) =>
    Object.keys(files)
      .filter((path) => path.startsWith(`${mount}/`))
      .map((path) => path.slice(mount.length + 1))
      .sort()
  const listing = { config: names('config'), workflows: names('workflows') }
  const read = async (path: string) => {
    const file = files[path]
    return typeof file === 'string' || file === undefined ? file : JSON.stringify(file)
  }
  return assemble(await readSources(listing, read, options))
}

export const node = (class_type: string, inputs: Record<string, unknown>, title?: string) => ({
  class_type,
  inputs,
  ...(title !== undefined && { _meta: { title } }),
})

/** Two prompts, a sampler and a node in a group; saves an image. */
export const workflow = () => ({
  '3': node('KSampler', { seed: 1, cfg: 7.5, positive: ['6', 0], negative: ['7', 0] }),
  '6': node('CLIPTextEncode', { text: 'a' }, 'Positive'),
  '7': node('CLIPTextEncode', { text: 'b' }),
  '57:27': node('EmptyLatentImage', { width: 8, size: { deep: [1, { x: 2 }] }, 'a.b': 3 }),
  '9': node('SaveImage', { images: ['3', 0], filename_prefix: 'x' }),
})

/** A field that can be used. */
export const field = (more: Record<string, unknown> = {}) => ({
  name: 'prompt',
  type: 'string',
  mapping: { node: 6, attribute: 'text' },
  ...more,
})
