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

type Variables = Pick<ContextPlatform['variables'], 'get'>

/** The header of the variable `comfyui_auth`: `X-API-Key: abc`, `Authorization: Bearer abc`, or the value of the latter. */
export function authHeader(variables: Variables): Record<string, string> {
  const text = (variables.get('comfyui_auth') ?? '').trim()
  if (/^(?:Bearer|Basic) +\S/i.test(text)) return { Authorization: text }
  const [, name, value] = /^([\w-]+)\s*:\s*(.+)$/.exec(text) ?? []
  return name === undefined || value === undefined ? {} : { [name]: value }
}

/** The addresses of the variable `comfyui_url`, each with the path of `comfyui_path`. */
export function configuredUrls(variables: Variables): string[] {
  const path = (variables.get('comfyui_path') ?? '').trim().replace(/^\/+|\/+$/g, '')
  const urls = (variables.get('comfyui_url') ?? '').split(',').flatMap((url) => url.trim() || [])
  return path === '' ? urls : urls.map((url) => `${url.replace(/\/+$/, '')}/${path}`)
}

/** Where workflow tools run, and where files of `POST /uploads` go: the first address of the variable `comfyui_url`. */
export function workflowServer(variables: Variables): ServerAccess | undefined {
  const [url] = configuredUrls(variables)
  return url === undefined ? undefined : { url: withoutSlash(url), headers: authHeader(variables) }
}

/** A slash at the end makes no other server. */
export function isSameServer(one: string, other: string): boolean {
  return withoutSlash(one) === withoutSlash(other)
}

function withoutSlash(url: string): string {
  return url.trim().replace(/\/+$/, '')
}
