/** The ComfyUI servers that the variables `comfyui_url` and `comfyui_auth` configure. */
import { type ComfyClient, ComfyError } from 'ftl-comfyui/client'
import { authHeader, connectTo, ERROR_PREFIX, toToolError } from 'ftl-comfyui/job'
import { type ToolContext, ToolError } from 'ftl-sdk'

/** `comfyui_url` is one URL or a comma-separated list. */
export function serverUrls({ platform }: Pick<ToolContext, 'platform'>): string[] {
  const list = platform.variables.get('comfyui_url') ?? ''
  return list.split(',').flatMap((url) => url.trim() || [])
}

/** @param url as stored in a job; `comfyui_auth` is sent only to configured servers. */
export function connect(url: string, context: ToolContext): ComfyClient {
  const headers = serverUrls(context).includes(url) ? authHeader(context.platform.variables) : {}
  return connectTo({ url, headers }, context)
}

/** The first server: what it has stands for all of them. @throws {ToolError} if none is configured. */
export function firstServer(context: ToolContext): { url: string; client: ComfyClient } {
  const [url] = serverUrls(context)
  if (url === undefined) throw new ToolError('No ComfyUI server is configured.')
  return { url, client: connect(url, context) }
}

/** Does the same on every server. An error names a server by its place in the list: its address is not for clients. */
export async function onEach<T>(
  context: ToolContext,
  work: (client: ComfyClient) => Promise<T>,
): Promise<({ server: number } & (T | { error: string }))[]> {
  return Promise.all(
    serverUrls(context).map(async (url, index) => {
      const server = index + 1
      try {
        return { server, ...(await work(connect(url, context))) }
      } catch (error) {
        if (!(error instanceof ComfyError)) throw error
        return { server, error: error.message }
      }
    }),
  )
}

/**
 * Reports a failure of the server as one of the tool.
 *
 * @param prefix of the message; a job adds its own.
 */
export async function reporting<T>(work: () => Promise<T>, prefix = ERROR_PREFIX): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ComfyError)) throw error
    const { message, data } = toToolError(error)
    throw new ToolError(prefix + message, data)
  }
}
