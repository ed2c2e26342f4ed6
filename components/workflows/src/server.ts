/** The ComfyUI server that the variables `comfyui_url` and `comfyui_auth` configure. */
import type { ComfyClient } from 'ftl-comfyui/client'
import { authHeader, connectTo } from 'ftl-comfyui/job'
import type { ToolContext } from 'ftl-sdk'

/** Its base URL. If it is `undefined`, no server is configured and tools return the workflow itself. */
export function serverUrl({ platform }: Pick<ToolContext, 'platform'>): string | undefined {
  return platform.variables.get('comfyui_url')?.trim() || undefined
}

/**
 * @param url as stored in a job; `comfyui_auth` is sent only to the server of `comfyui_url`.
 * @param limitMs for one answer. @default that of `connectTo`
 */
export function connect(url: string, context: ToolContext, limitMs?: number): ComfyClient {
  const headers = url === serverUrl(context) ? authHeader(context.platform.variables) : {}
  return connectTo({ url, headers }, context, limitMs)
}
