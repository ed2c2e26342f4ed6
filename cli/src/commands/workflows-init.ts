/** Writes a first configuration for a workflow. */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { convertedName, type Finding, proposeTool } from 'ftl-comfyui/workflow'
import { CommandFailure } from '../terminal/failure.ts'
import type { ServerInfo } from './workflows-classes.ts'
import { fromEditor } from './workflows-editor.ts'
import { readText } from './workflows-lint.ts'

export interface Written {
  /** The file; `undefined` when the workflow cannot be used. */
  output?: string
  /** The workflow in the API format, if it was written: the file was in the editor's, or elsewhere. */
  converted?: string
  /** The name of the tool, if it is not that of the file. */
  renamed?: string
  /** Names of the fields. */
  fields: string[]
  findings: Finding[]
}

export interface ProposalOptions {
  /** The configuration. @default the name of the workflow, in `config` beside the workflow's folder */
  output?: string
  /** Overwrites files. */
  force?: boolean
  /** Of the component: a workflow that is in no folder `workflows` is copied there. @default it stays where it is */
  folder?: string | undefined
}

/** @throws {CommandFailure} when there is no such workflow, or a configuration already. */
export async function writeProposal(
  file: string,
  server: ServerInfo | undefined,
  { output, force = false, folder }: ProposalOptions,
): Promise<Written> {
  const path = pathOf(file, folder)
  const stem = basename(path).replace(/\.json$/i, '')
  const own = await readText(path)
  const editor = fromEditor(file, own, server)
  if (editor && editor.text === undefined) return { fields: [], findings: editor.findings }
  const text = editor?.text ?? own
  const { tool, findings } = proposeTool({ path: file, text }, stem, server?.classes)
  if (!tool) return { fields: [], findings }
  const isPlaced = basename(dirname(path)) === 'workflows' || output !== undefined
  if (!isPlaced && folder === undefined) {
    throw new CommandFailure(
      'this folder has no component "workflows" to put the tool into; "ftl add comfyui" adds it, and --output FILE names another place',
    )
  }
  const place = isPlaced || folder === undefined ? dirname(path) : resolve(folder, 'workflows')
  const target = resolve(output ?? join(dirname(place), 'config', `${stem}.json`))
  const source = join(place, editor ? convertedName(basename(path)) : basename(path))
  const { name: toolName, ...rest } = tool
  // A configuration of another name has to say which workflow it is about.
  const workflow = basename(target) === basename(source) ? {} : { workflow: basename(source) }
  const config = [{ name: toolName, ...workflow, ...rest }]
  await mkdir(dirname(target), { recursive: true })
  if (!force && source !== path && existsSync(source)) throw isThere(source)
  await write(target, JSON.stringify(config, undefined, 2), force)
  if (source !== path && text !== undefined) {
    await mkdir(place, { recursive: true })
    await write(source, text, force)
  }
  return {
    ...{ output: target, findings, fields: tool.fields.map(({ name: field }) => field) },
    ...(source !== path && { converted: source }),
    ...(toolName !== stem && { renamed: toolName }),
  }
}

/**
 * A name alone may be that of a file of the component, such as a template that was saved there.
 *
 * @throws {CommandFailure} if there is no such file.
 */
function pathOf(file: string, folder: string | undefined): string {
  const path = resolve(file)
  if (existsSync(path)) return path
  const own = resolve(folder ?? '.', 'workflows', file)
  if (folder !== undefined && basename(file) === file && existsSync(own)) return own
  throw new CommandFailure(`there is no ${path}`)
}

async function write(path: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(path, `${text}\n`, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw isThere(path)
  }
}

function isThere(path: string): CommandFailure {
  return new CommandFailure(`${path} already exists; --force overwrites it`)
}
