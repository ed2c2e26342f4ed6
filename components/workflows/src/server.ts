/** The ComfyUI server of the workflow tools: the first of `comfyui_url`. */
import type { ComfyClient } from 'ftl-comfyui/client'
import { connectTo, DEFAULT_MAX_QUEUE, isSameServer, workflowServer } from 'ftl-comfyui/job'
import type { ToolContext } from 'ftl-sdk'

/** Its base URL. If it is `undefined`, no server is configured and tools return the workflow itself. */
export function serverUrl({ platform }: Pick<ToolContext, 'platform'>): string | undefined {
  return workflowServer(platform.variables)?.url
}

/**
 * @param url as stored in a job; `comfyui_auth` is sent only to the server of `comfyui_url`.
 * @param limitMs for one answer. @default that of `connectTo`
 */
export function connect(url: string, context: ToolContext, limitMs?: number): ComfyClient {
  const own = workflowServer(context.platform.variables)
  const headers = own && isSameServer(own.url, url) ? own.headers : {}
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
      if (typeof address !== 'string' || !isSameServer(address, url)) continue
      if (typeof maxQueue === 'number' && maxQueue >= 1) return maxQueue
    }
  } catch {
    // Not JSON.
  }
  return DEFAULT_MAX_QUEUE
}
