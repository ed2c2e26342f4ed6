/**
 * The ComfyUI server, by the variables `comfyui_url` and `comfyui_auth`.
 *
 * @module
 */
import { type ComfyClient, createComfyClient } from 'ftl-comfyui/client'
import type { ToolContext } from 'ftl-sdk'

/** Milliseconds for one answer; a caller with less time gets less. */
const ANSWER_LIMIT_MS = 8_000
const SHORTEST_MS = 500

/** Its base URL; `undefined`: there is none, and tools answer with the workflow itself. */
export function serverUrl({ platform }: Pick<ToolContext, 'platform'>): string | undefined {
  return platform.variables.get('comfyui_url')?.trim() || undefined
}

/** @param baseUrl as a job remembers it; only the server of the variables gets its key. */
export function connect(baseUrl: string, context: ToolContext): ComfyClient {
  const { platform, deadline } = context
  return createComfyClient({
    baseUrl,
    fetch: (url, init) => platform.fetch(url, init),
    headers: baseUrl === serverUrl(context) ? authHeader(context) : {},
    timeoutMs: Math.max(SHORTEST_MS, Math.min(ANSWER_LIMIT_MS, deadline - SHORTEST_MS)),
  })
}

/**
 * Who is told of steps and previews while a prompt runs: the bridge, if it listens under the same id.
 */
export function liveOptions({ platform }: ToolContext) {
  const clientId = platform.variables.get('comfyui_client_id')
  return clientId ? { clientId, extraData: { preview_method: 'auto' } } : {}
}

/** `comfyui_auth` is a header such as `Authorization: Bearer abc`. */
function authHeader({ platform }: ToolContext): Record<string, string> {
  const text = platform.variables.get('comfyui_auth') ?? ''
  const [, name, value] = /^\s*([\w-]+)\s*:\s*(.+?)\s*$/.exec(text) ?? []
  return name === undefined || value === undefined ? {} : { [name]: value }
}
