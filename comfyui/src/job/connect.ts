/** Connects a component to a ComfyUI server, within the deadline of the call. */
import type { ContextPlatform, ToolContext } from 'ftl-sdk'
import { type ComfyClient, createComfyClient } from '../client/client.ts'

/** Milliseconds for one answer; less if the caller's deadline is sooner. */
const ANSWER_LIMIT_MS = 8_000
const SHORTEST_MS = 500

export interface ServerAccess {
  /** Base URL. */
  url: string
  /** Sent with every request to this server; they may contain its key. */
  headers: Record<string, string>
}

/** @param limitMs for one answer. */
export function connectTo(
  { url: baseUrl, headers }: ServerAccess,
  { platform, deadline }: Pick<ToolContext, 'platform' | 'deadline'>,
  limitMs = ANSWER_LIMIT_MS,
): ComfyClient {
  return createComfyClient({
    baseUrl,
    headers,
    fetch: (url, init) => platform.fetch(url, init),
    timeoutMs: Math.max(SHORTEST_MS, Math.min(limitMs, deadline - SHORTEST_MS)),
  })
}

/**
 * `comfyui_auth`: header for every request to ComfyUI, such as `X-API-Key: abc` or `Authorization: Bearer abc`. Not declared
 * in our `spin.toml`: add it.
 *
 * @default none
 */
export function authHeader(
  variables: Pick<ContextPlatform['variables'], 'get'>,
): Record<string, string> {
  const text = variables.get('comfyui_auth') ?? ''
  const [, name, value] = /^\s*([\w-]+)\s*:\s*(.+?)\s*$/.exec(text) ?? []
  return name === undefined || value === undefined ? {} : { [name]: value }
}
