/** The ComfyUI server that the variables `comfyui_url` and `comfyui_auth` configure. */
import { type ComfyClient, createComfyClient } from 'ftl-comfyui/client'
import type { ToolContext } from 'ftl-sdk'

/** Milliseconds for one answer; less if the caller's deadline is shorter. */
const ANSWER_LIMIT_MS = 8_000
const SHORTEST_MS = 500

/** Its base URL. If it is `undefined`, no server is configured and tools return the workflow itself. */
export function serverUrl({ platform }: Pick<ToolContext, 'platform'>): string | undefined {
  return platform.variables.get('comfyui_url')?.trim() || undefined
}

/** @param baseUrl as stored in a job; `comfyui_auth` is sent only to the server of `comfyui_url`. */
export function connect(baseUrl: string, context: ToolContext): ComfyClient {
  const { platform, deadline } = context
  return createComfyClient({
    baseUrl,
    fetch: (url, init) => platform.fetch(url, init),
    headers: baseUrl === serverUrl(context) ? authHeader(context) : {},
    timeoutMs: Math.max(SHORTEST_MS, Math.min(ANSWER_LIMIT_MS, deadline - SHORTEST_MS)),
  })
}

/** Makes ComfyUI send steps and previews of a running prompt to the bridge, if it listens under the same id. */
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
