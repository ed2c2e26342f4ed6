/** Reads a folder as the component `workflows` does. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { assemble, type Finding, readSources } from 'ftl-comfyui/workflow'
import { CommandFailure } from '../terminal/failure.ts'
import type { ServerInfo } from './workflows-classes.ts'
import { checkFromEditor } from './workflows-editor.ts'

export interface LintedFolder {
  /** Names of the tools that can be used. */
  tools: string[]
  findings: Finding[]
}

/** @throws {CommandFailure} when the folder has neither `config/` nor `workflows/`. */
export async function lintFolder(
  path: string,
  server: ServerInfo | undefined,
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
    server ? { classes: server.classes } : {},
  )
  const { tools, findings } = assemble(sources)
  const more: Finding[] = []
  if (server) {
    // That a file has to be converted first is reported already; here is what the server lacks besides.
    const files = findings.map(({ file }) => file).filter((file) => file.startsWith('workflows/'))
    for (const file of new Set(files))
      more.push(...checkFromEditor(file, await readText(join(folder, file)), server))
  }
  return { tools: tools.map(({ tool }) => tool.name), findings: [...findings, ...more] }
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
