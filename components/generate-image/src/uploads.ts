/** Images that a caller has uploaded before, found by their names. */
import { ComfyError } from 'ftl-comfyui/client'
import { connect, loadServers } from 'ftl-comfyui/servers'
import type { ToolContext } from 'ftl-sdk'
import { toImageError } from './failures.ts'

/**
 * Opens an image that `upload_image` has uploaded, on the first server that has it. The job may run on another server, so
 * it gets the bytes, and not the name.
 *
 * @param name as `upload_image` returns it.
 * @throws {ToolError} when a server that may have it does not answer, and no other has it.
 */
export async function openUpload(name: string, context: ToolContext): Promise<Response> {
  const servers = await loadServers(context.platform)
  const [subfolder = '', filename = ''] = name.split('/')
  let silence: ComfyError | undefined
  for (const { url } of servers.list) {
    try {
      const file = { filename, subfolder, type: 'input' as const }
      const response = await connect(url, servers, context).view(file)
      if (response.status === 200) return response
      await response.body?.cancel()
    } catch (error) {
      if (!(error instanceof ComfyError)) throw error
      silence = error
    }
  }
  if (silence) throw toImageError(silence, '')
  return new Response(null, { status: 404 })
}
