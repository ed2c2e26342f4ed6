/** What a ComfyUI server says of its node classes: asked now, or saved earlier. */
import { readFile } from 'node:fs/promises'
import { ComfyError, createComfyClient, toNodeClass } from 'ftl-comfyui/client'
import type { ObjectInfo } from 'ftl-comfyui/editor'
import type { NodeClasses } from 'ftl-comfyui/workflow'
import { isObject } from 'ftl-contract'
import { authHeaders, hidden, readComfyuiAddress } from '../comfyui-server/address.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { visible } from '../terminal/visible-text.ts'

export interface ServerFlags {
  comfyui?: string
  objectInfo?: string
}

/** Milliseconds; descriptions of all classes are megabytes. */
const TIMEOUT_MS = 60_000

export interface ServerInfo {
  /** As the server says it. */
  info: ObjectInfo
  classes: NodeClasses
}

/** @throws {CommandFailure} */
export async function readServer({
  comfyui,
  objectInfo,
}: ServerFlags): Promise<ServerInfo | undefined> {
  if (comfyui === undefined && objectInfo === undefined) return undefined
  const info = comfyui === undefined ? await fromFile(objectInfo ?? '') : await fromServer(comfyui)
  const classes = Object.entries(info).map(([name, each]) => [name, toNodeClass(each)] as const)
  return { info, classes: Object.fromEntries(classes) }
}

async function fromServer(url: string): Promise<Record<string, unknown>> {
  const typed = (address: string) => `--comfyui ${address}`
  const {
    origin,
    path,
    auth = process.env['SPIN_VARIABLE_COMFYUI_AUTH'],
  } = readComfyuiAddress(url, typed)
  const client = createComfyClient({
    baseUrl: origin + path,
    headers: authHeaders(auth),
    fetch,
    timeoutMs: TIMEOUT_MS,
  })
  try {
    return await client.objectInfo()
  } catch (error) {
    if (!(error instanceof ComfyError)) throw error
    throw new CommandFailure(`${hidden(url)}: ${error.message}`)
  }
}

async function fromFile(path: string): Promise<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, 'utf8'))
  } catch {
    throw new CommandFailure(
      `${path} does not exist, or is not JSON: save GET /object_info of a server`,
    )
  }
  if (!isObject(value)) {
    throw new CommandFailure(`${path} is not an answer to GET /object_info: it must be an object`)
  }
  return value
}

/** The option that names the server, as it was typed, except where it has a password. */
export function serverOption({ comfyui, objectInfo }: ServerFlags): string {
  if (objectInfo !== undefined) return `--object-info ${visible(objectInfo)}`
  const isSecret = comfyui === undefined || hidden(comfyui) !== visible(comfyui.trim())
  return `--comfyui ${isSecret ? 'URL' : visible(comfyui)}`
}
