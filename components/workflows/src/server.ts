/** The ComfyUI server that the variables `comfyui_url`, `comfyui_path` and `comfyui_auth` configure. */
import type { ComfyClient } from 'ftl-comfyui/client'
import { authHeader, configuredUrls, connectTo, DEFAULT_MAX_QUEUE } from 'ftl-comfyui/job'
import type { ToolContext } from 'ftl-sdk'

/** Its base URL. If it is `undefined`, no server is configured and tools return the workflow itself. */
export function serverUrl({ platform }: Pick<ToolContext, 'platform'>): string | undefined {
  const urls = configuredUrls(platform.variables)
  return urls.length > 0 ? urls.join() : undefined
}

/**
 * @param url as stored in a job; `comfyui_auth` is sent only to the server of `comfyui_url`.
 * @param limitMs for one answer. @default that of `connectTo`
 */
export function connect(url: string, context: ToolContext, limitMs?: number): ComfyClient {
  const headers = url === serverUrl(context) ? authHeader(context.platform.variables) : {}
  return connectTo({ url, headers }, context, limitMs)
}

/** The servers of the image tools, mounted here as well; the component generate-image reports what is wrong with it. */
const SERVERS_FILE = '/generate-image/servers.json'

/** How many prompts may wait on the server: the `maxQueue` that the image tools have for it, else their default. */
export async function maxQueueOf(
  url: string,
  { platform }: Pick<ToolContext, 'platform'>,
): Promise<number> {
  const bytes = await platform.files.read(SERVERS_FILE)
  if (!bytes) return DEFAULT_MAX_QUEUE
  try {
    const { servers } = JSON.parse(new TextDecoder().decode(bytes)) as { servers?: unknown }
    const entries = (Array.isArray(servers) ? servers : []) as unknown[]
    for (const entry of entries) {
      const { url: address, maxQueue } = Object(entry) as Record<string, unknown>
      if (typeof address !== 'string' || withoutSlash(address) !== withoutSlash(url)) continue
      if (typeof maxQueue === 'number' && maxQueue >= 1) return maxQueue
    }
  } catch {
    // Not JSON.
  }
  return DEFAULT_MAX_QUEUE
}

function withoutSlash(url: string): string {
  return url.trim().replace(/\/+$/, '')
}
