/** All tools of a folder: those of `config/`, and those of workflows no configuration speaks of. */
import type { Finding, SourceFile } from './finding.ts'
import {
  readBareSource,
  readConfigSource,
  type Source,
  type SourceOptions,
  type SourceTool,
  type WorkflowFolder,
} from './read-source.ts'

export interface FolderTools {
  /** In the order of their files; each name once. */
  tools: (SourceTool & { source: string })[]
  /** Each once. */
  findings: Finding[]
}

export interface FolderListing {
  /** Names in `config/` and in `workflows/`. */
  config: readonly string[]
  workflows: readonly string[]
}

/** Whether a file makes tools; the others belong to editors and to people. */
export function isToolFile(name: string): boolean {
  return /(?<!\.schema)\.json$/i.test(name) && !name.startsWith('.')
}

/**
 * Reads a folder.
 *
 * @param read the text of `config/x.json` or `workflows/x.json`; `undefined` when it cannot be read.
 * @param known results of files that have not changed, so that no file is read twice.
 */
export async function readSources(
  { config, workflows }: FolderListing,
  read: (path: string) => Promise<string | undefined>,
  options: SourceOptions & { known?: (path: string) => Source | undefined } = {},
): Promise<Source[]> {
  const toFile = async (path: string): Promise<SourceFile> => ({ path, text: await read(path) })
  const names = new Set(workflows.filter(isToolFile))
  const folder: WorkflowFolder = { names, open: (name) => toFile(`workflows/${name}`) }
  const sources: Source[] = []
  const claimed = new Set<string>()
  for (const name of config.filter(isToolFile)) {
    const path = `config/${name}`
    const source =
      options.known?.(path) ?? (await readConfigSource(await toFile(path), folder, options))
    sources.push(source)
    for (const each of source.reads) claimed.add(each)
  }
  for (const name of names) {
    if (claimed.has(name)) continue
    sources.push(
      options.known?.(`workflows/${name}`) ?? (await readBareSource(name, folder, options)),
    )
  }
  return sources
}

/** Of two tools of one name the first counts, and the other is reported. */
export function assemble(sources: readonly Source[]): FolderTools {
  const tools = new Map<string, FolderTools['tools'][number]>()
  const findings = new Map<string, Finding>()
  const add = (finding: Finding) => findings.set(JSON.stringify(finding), finding)
  for (const { path, tools: own, findings: found } of sources) {
    found.forEach(add)
    for (const entry of own) {
      const { name } = entry.tool
      const first = tools.get(name)
      if (!first) {
        tools.set(name, { ...entry, source: path })
        continue
      }
      const where = `${first.source}:${first.line}`
      const message = `there is a tool "${name}" already, in ${where}`
      const line = entry.line
      add({
        severity: 'error',
        file: path,
        line,
        tool: name,
        message,
        fix: 'rename one of the two',
      })
    }
  }
  return { tools: [...tools.values()], findings: [...findings.values()] }
}
