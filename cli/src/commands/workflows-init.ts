/** Writes a first configuration for a workflow. */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type Finding, type NodeClasses, proposeTool } from 'ftl-comfyui/workflow'
import { CommandFailure } from '../terminal/failure.ts'
import { readText } from './workflows-lint.ts'

export interface Written {
  /** The file; `undefined` when the workflow cannot be used. */
  output?: string
  /** Names of the fields. */
  fields: string[]
  findings: Finding[]
}

/** @throws {CommandFailure} when there is no such workflow, or a configuration already. */
export async function writeProposal(
  file: string,
  classes: NodeClasses | undefined,
  { output, force = false }: { output?: string; force?: boolean },
): Promise<Written> {
  const path = resolve(file)
  if (!existsSync(path)) throw new CommandFailure(`there is no ${path}`)
  const stem = basename(path).replace(/\.json$/i, '')
  const name = stem.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, 64)
  const { tool, findings } = proposeTool({ path: file, text: await readText(path) }, name, classes)
  if (!tool) return { fields: [], findings }
  const target = resolve(output ?? join(dirname(dirname(path)), 'config', `${stem}.json`))
  const { name: toolName, ...rest } = tool
  // A configuration of another name has to say which workflow it is about.
  const workflow = basename(target) === basename(path) ? {} : { workflow: basename(path) }
  const config = [{ name: toolName, ...workflow, ...rest }]
  await mkdir(dirname(target), { recursive: true })
  try {
    await writeFile(target, `${JSON.stringify(config, undefined, 2)}\n`, {
      flag: force ? 'w' : 'wx',
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new CommandFailure(`${target} is there already; --force overwrites it`)
  }
  return { output: target, fields: tool.fields.map(({ name: field }) => field), findings }
}
