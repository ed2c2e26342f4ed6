/** The templates that a ComfyUI server offers in its editor, or that a folder has: search, and what a server lacks. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  editorClasses,
  type EditorModel,
  editorModels,
  isEditorFormat,
  type ObjectInfo,
} from 'ftl-comfyui/editor'
import { asObject, isObject } from 'ftl-contract'
import { authHeaders, hidden, readComfyuiAddress } from '../comfyui-server/address.ts'
import { CommandFailure } from '../terminal/failure.ts'
import type { ServerInfo } from './workflows-classes.ts'

export interface Template {
  name: string
  title: string
  description: string
  /** `image`, `video`, `audio`, `3d`. */
  media: string
  tags: string[]
  models: string[]
}

/** Reads a file of the templates: `index.json`, or one of them. */
export type OpenTemplates = (file: string) => Promise<unknown>

/** What a server lacks for a template. */
export interface Lacks {
  /** Classes. */
  nodes: string[]
  models: EditorModel[]
}

const TIMEOUT_MS = 30_000
/** The index of all official templates has 1 MB. */
const MAX_BYTES = 16 * 1024 * 1024
/** A name becomes a part of a path. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/

/** @throws {CommandFailure} if neither is given. */
export function openTemplates(from: { comfyui?: string; folder?: string }): OpenTemplates {
  const { comfyui, folder } = from
  if (folder !== undefined) return (file) => readLocal(join(resolve(folder), file))
  if (comfyui === undefined) {
    throw new CommandFailure('name the server with --comfyui URL, or a folder with --folder PATH')
  }
  const typed = (address: string) => `--comfyui ${address}`
  const address = readComfyuiAddress(comfyui, typed)
  const headers = authHeaders(address.auth ?? process.env['SPIN_VARIABLE_COMFYUI_AUTH'])
  return (file) =>
    readRemote(`${address.origin}${address.path}/templates/${file}`, headers, hidden(comfyui))
}

/** @throws {CommandFailure} if there is no index. */
export async function listTemplates(open: OpenTemplates): Promise<Template[]> {
  const index = await open('index.json')
  const found = (Array.isArray(index) ? (index as unknown[]) : []).flatMap((category) => {
    const { templates } = asObject(category)
    return Array.isArray(templates) ? (templates as unknown[]).flatMap(toTemplate) : []
  })
  if (found.length === 0) throw new CommandFailure('the index of the templates lists none')
  return found
}

/** Those with all words in what is said of them; a word in the name or the title counts most. */
export function searchTemplates(all: readonly Template[], words: readonly string[]): Template[] {
  const wanted = words.flatMap((word) => word.toLowerCase().split(/\s+/)).filter((word) => word)
  const rated = all.flatMap((template) => {
    const { name, title, description, media, tags, models } = template
    const first = `${name} ${title}`.toLowerCase()
    const rest = [description, media, ...tags, ...models].join(' ').toLowerCase()
    if (!wanted.every((word) => first.includes(word) || rest.includes(word))) return []
    const rate = wanted.filter((word) => first.includes(word)).length
    return [{ template, rate: wanted.join(' ') === name.toLowerCase() ? Infinity : rate }]
  })
  return rated.sort((a, b) => b.rate - a.rate).map(({ template }) => template)
}

/** @returns `undefined` for a template that cannot be read. */
export async function lacksOf(
  { name }: Template,
  open: OpenTemplates,
  { info }: ServerInfo,
): Promise<Lacks | undefined> {
  const file = await open(`${name}.json`).catch(() => undefined)
  if (file === undefined) return undefined
  const files = filesOf(info)
  return {
    nodes: editorClasses(file).filter((type) => !Object.hasOwn(info, type)),
    models: editorModels(file).filter((model) => !files.has(model.name)),
  }
}

/** @throws {CommandFailure} if the file is there already. */
export async function saveTemplate(
  { name }: Template,
  open: OpenTemplates,
  folder: string,
): Promise<string> {
  const path = join(resolve(folder), `${name}.json`)
  if (existsSync(path)) throw new CommandFailure(`${path} already exists`)
  const text = written(await open(`${name}.json`))
  if (text === undefined) throw new CommandFailure(`${name} is not a workflow of the editor`)
  await mkdir(resolve(folder), { recursive: true })
  await writeFile(path, `${text}\n`, { flag: 'wx' })
  return path
}

/** @returns `undefined` for what is not a workflow, or nests deeper than can be written. */
function written(file: unknown): string | undefined {
  try {
    return isEditorFormat(file) ? JSON.stringify(file, undefined, 2) : undefined
  } catch {
    return undefined
  }
}

function toTemplate(value: unknown): Template[] {
  const { name, title, description, mediaType, tags, models } = asObject(value)
  if (typeof name !== 'string' || !NAME.test(name)) return []
  const text = (given: unknown) => (typeof given === 'string' ? given : '')
  const texts = (given: unknown) =>
    Array.isArray(given) ? (given as unknown[]).filter((each) => typeof each === 'string') : []
  return [
    {
      name,
      title: text(title) || name,
      description: text(description),
      media: text(mediaType),
      tags: texts(tags),
      models: texts(models),
    },
  ]
}

/** Every file name that an input of the server offers; those in folders also without their folder. */
function filesOf(info: ObjectInfo): ReadonlySet<string> {
  const names = new Set<string>()
  const add = (value: unknown, depth: number): void => {
    if (typeof value === 'string') {
      names.add(value)
      names.add(value.slice(Math.max(value.lastIndexOf('/'), value.lastIndexOf('\\')) + 1))
    } else if (depth > 0 && Array.isArray(value)) {
      for (const each of value as unknown[]) add(each, depth - 1)
    } else if (depth > 0 && isObject(value)) {
      for (const each of Object.values(value)) add(each, depth - 1)
    }
  }
  for (const each of Object.values(info)) add(asObject(each).input, 9)
  return names
}

async function readLocal(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    throw new CommandFailure(`${path} does not exist, or is not JSON`)
  }
}

async function readRemote(
  url: string,
  headers: Record<string, string>,
  shown: string,
): Promise<unknown> {
  let response
  try {
    response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
  } catch {
    throw new CommandFailure(`${shown} could not be reached`)
  }
  if (response.status === 404) {
    throw new CommandFailure(
      `${shown} has no such templates; use --folder with those of the package comfyui-workflow-templates-json`,
    )
  }
  if (!response.ok) throw new CommandFailure(`${shown} answered ${response.status}`)
  const text = await readText(response)
  if (text === undefined) throw new CommandFailure(`${shown} answered more than ${MAX_BYTES} bytes`)
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandFailure(`${shown} answered something that is not JSON`)
  }
}

/** @returns `undefined` for more than a server of templates has. */
async function readText(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > MAX_BYTES) return undefined
      chunks.push(chunk)
    }
  } catch {
    // Cut off: no JSON.
    return ''
  }
  return Buffer.concat(chunks).toString('utf8')
}
