/**
 * The repository of mounted files: `/config` and `/workflows`, checked again for each list.
 *
 * No file is parsed twice: the result is stored in the key-value store until the file changes.
 */
import {
  assemble,
  type FolderTools,
  formatFinding,
  isToolFile,
  readSources,
  type WorkflowTool,
} from 'ftl-comfyui/workflow'
import type { ToolContext } from 'ftl-sdk'
import { sha256 } from 'ftl-http'
import { openMemory, type StoredSource } from './stored-sources.ts'
import type { UsableTool, WorkflowRepository } from './workflow-repository.ts'

/** The data of a tool that a call needs. */
export interface StoredTool {
  tool: WorkflowTool
  workflow: string
  /** Digest of the workflow file that the tool was compiled from: its places fit only that text. */
  digest: string
  /** The file that defines the tool, and its stamp. */
  source: string
  stamp: string
}

export function fileRepository({ platform, component }: ToolContext): WorkflowRepository {
  const { files } = platform
  const memory = openMemory(platform, component)
  const read = async (path: string) => decode(await files.read(`/${path}`))

  /** Reads the files that have changed and stores the results. */
  async function refresh(): Promise<FolderTools & { stored: Map<string, StoredTool> }> {
    const [config, workflows] = await Promise.all([files.list('/config'), files.list('/workflows')])
    const stamps = new Map<string, string>()
    const paths = [
      ...config.filter(isToolFile).map((name) => `config/${name}`),
      ...workflows.filter(isToolFile).map((name) => `workflows/${name}`),
    ]
    for (const path of paths) stamps.set(path, (await files.stamp(`/${path}`)) ?? '')
    const known = await memory.sources()
    const digests = new Map<string, string>()
    const holds = ({ stamps: then }: StoredSource) =>
      Object.entries(then).every(([path, stamp]) => (stamps.get(path) ?? '') === stamp)
    const sources = await readSources(
      { config, workflows },
      async (path) => {
        const text = await read(path)
        if (text !== undefined) digests.set(path, await sha256(text))
        return text
      },
      {
        known: (path) => {
          const source = known.get(path)
          return source && holds(source) ? source.source : undefined
        },
      },
    )
    const folder = assemble(sources)
    const next = sources.map((source): StoredSource => {
      const before = known.get(source.path)
      if (before?.source === source) return before
      const used = [source.path, ...source.reads.map((name) => `workflows/${name}`)]
      return {
        source,
        stamps: Object.fromEntries(used.map((path) => [path, stamps.get(path) ?? ''])),
        digests: Object.fromEntries(used.map((path) => [path, digests.get(path) ?? ''])),
      }
    })
    const stored = new Map(folder.tools.map((entry) => [entry.tool.name, toStored(entry, next)]))
    await memory.write(next, stored, known)
    return { ...folder, stored }
  }

  async function open({ tool, workflow, digest }: StoredTool): Promise<UsableTool | undefined> {
    const text = await read(`workflows/${workflow}`)
    return text !== undefined && (await sha256(text)) === digest ? { tool, text } : undefined
  }

  return {
    async list() {
      const { tools, findings } = await refresh()
      return { tools: tools.map(({ tool }) => tool), problems: findings.map(formatFinding) }
    },
    async getByName(name) {
      const known = await memory.tool(name)
      if (known && (await files.stamp(`/${known.source}`)) === known.stamp) {
        const usable = await open(known)
        if (usable) return usable
      }
      const { stored } = await refresh()
      const tool = stored.get(name)
      return tool && open(tool)
    },
  }
}

function toStored(
  { tool, workflow, source: path }: FolderTools['tools'][number],
  sources: readonly StoredSource[],
): StoredTool {
  const made = sources.find(({ source }) => source.path === path)
  const digest = made?.digests[`workflows/${workflow}`] ?? ''
  return { tool, workflow, digest, source: path, stamp: made?.stamps[path] ?? '' }
}

/** `undefined` for bytes that are not UTF-8, because they would be changed on the way to ComfyUI. */
function decode(bytes: Uint8Array | undefined): string | undefined {
  if (!bytes) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
