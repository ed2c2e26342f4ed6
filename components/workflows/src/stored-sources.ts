/**
 * What was made of the files, in the key-value store: one entry for the list, one for each tool.
 *
 * It may be lost or unreachable at any time; then the files are read again.
 */
import type { Source } from 'ftl-comfyui/workflow'
import type { ContextPlatform } from 'ftl-sdk'
import type { StoredTool } from './file-repository.ts'

/** Raised when the form of what is stored changes: what an older version wrote is not read. */
const VERSION = 5
/** Bytes; values of up to 1 MB are safe on every platform. */
const LIMIT = 900_000

export interface StoredSource {
  source: Source
  /** Of every file it depends on; empty: the file was not there. */
  stamps: Record<string, string>
  digests: Record<string, string>
}

export interface Memory {
  sources(): Promise<Map<string, StoredSource>>
  tool(name: string): Promise<StoredTool | undefined>
  /** Writes what is new, and only that. */
  write(
    sources: readonly StoredSource[],
    tools: ReadonlyMap<string, StoredTool>,
    before: ReadonlyMap<string, StoredSource>,
  ): Promise<void>
}

interface Index {
  version: number
  sources: StoredSource[]
}

export function openMemory(platform: ContextPlatform, component: string): Memory {
  const prefix = `workflows:${component}:v${VERSION}`
  const indexKey = `${prefix}:index`
  const toolKey = (name: string) => `${prefix}:tool:${name}`
  const store = () => platform.openKeyValue('default')

  async function readJson<T>(key: string): Promise<T | undefined> {
    try {
      const bytes = await (await store()).get(key)
      return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as T)
    } catch (error) {
      console.warn('the key-value store was not read:', error)
      return undefined
    }
  }

  return {
    async sources() {
      const { sources = [] } = (await readJson<Index>(indexKey)) ?? {}
      return new Map(sources.map((source) => [source.source.path, source]))
    },

    tool: (name) => readJson<StoredTool>(toolKey(name)),

    async write(sources, tools, before) {
      const same =
        before.size === sources.length &&
        sources.every((source) => before.get(source.source.path) === source)
      if (same) return
      try {
        const values = await store()
        const owners = ownersOf(before.values())
        for (const [name, tool] of tools) {
          const owner = owners.get(name)
          const kept = owner && owner === sources.find(({ source }) => source.path === tool.source)
          if (!kept) await values.set(toolKey(name), JSON.stringify(tool))
          owners.delete(name)
        }
        for (const name of owners.keys()) await values.delete(toolKey(name))
        const index = new TextEncoder().encode(JSON.stringify({ version: VERSION, sources }))
        if (index.length <= LIMIT) await values.set(indexKey, index)
        else {
          await values.delete(indexKey)
          console.warn(
            `${index.length} bytes of tools are too many to be kept: files are read each time`,
          )
        }
      } catch (error) {
        console.warn('the key-value store was not written:', error)
      }
    },
  }
}

/** Of each tool the source it was taken from: the first that has it. */
function ownersOf(sources: Iterable<StoredSource>): Map<string, StoredSource> {
  const owners = new Map<string, StoredSource>()
  for (const stored of sources) {
    for (const { tool } of stored.source.tools) {
      if (!owners.has(tool.name)) owners.set(tool.name, stored)
    }
  }
  return owners
}
