/** Reads a folder as the component `workflows` does. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { assemble, type Finding, type NodeClasses, readSources } from 'ftl-comfyui/workflow'
import { CommandFailure } from '../terminal/failure.ts'

export interface LintedFolder {
  /** Names of the tools that can be used. */
  tools: string[]
  findings: Finding[]
}

/** @throws {CommandFailure} when the folder has neither `config/` nor `workflows/`. */
export async function lintFolder(
  path: string,
  classes: NodeClasses | undefined,
): Promise<LintedFolder> {
  const folder = resolve(path)
  const [config, workflows] = await Promise.all([
    names(folder, 'config'),
    names(folder, 'workflows'),
  ])
  if (!config && !workflows) {
    throw new CommandFailure(
      `${folder} has neither config/ nor workflows/; name the folder they are in`,
    )
  }
  const sources = await readSources(
    { config: config ?? [], workflows: workflows ?? [] },
    (file) => readText(join(folder, file)),
    classes ? { classes } : {},
  )
  const { tools, findings } = assemble(sources)
  return { tools: tools.map(({ tool }) => tool.name), findings }
}

/** @returns `undefined` when the file cannot be read or is not UTF-8. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch {
    return undefined
  }
}

async function names(folder: string, mount: string): Promise<string[] | undefined> {
  const path = join(folder, mount)
  return existsSync(path) ? (await readdir(path)).sort() : undefined
}
