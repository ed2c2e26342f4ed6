/** `GET /outputs/{file}`: a file of a finished job, streamed from ComfyUI's `/view`. */
import { extensionOf, fileResponse } from 'ftl-comfyui/client'
import type { JobContext, JobFile } from 'ftl-sdk'
import { loadServers } from './server-list.ts'
import { connect } from './servers.ts'
import type { ImageState } from './state.ts'

export async function serveOutput(
  { index, extension, name }: JobFile,
  state: ImageState | undefined,
  context: JobContext,
  request: Request,
): Promise<Response | undefined> {
  const file = state?.files?.[index]
  if (!file || extensionOf(file.filename) !== extension) return undefined
  const client = connect(state.server, await loadServers(context.platform), context)
  return fileResponse(client, file, name, request)
}
