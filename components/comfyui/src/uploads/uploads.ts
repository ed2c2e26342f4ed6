/** `/uploads/`: takes files of callers, and gives them to the components whose tools are called with them. */
import { ComfyError } from 'ftl-comfyui/client'
import { connect } from 'ftl-comfyui/servers'
import { UPLOADS_PATH } from 'ftl-contract'
import type { ToolContext } from 'ftl-sdk'
import { requireServers, withWorkflowServer } from '../servers.ts'
import { failure } from './failure.ts'
import { receive } from './receive.ts'
import { readUpload } from './record.ts'

export async function answerUploads(
  path: string,
  context: ToolContext,
  request: Request,
): Promise<Response> {
  const id = path.slice(UPLOADS_PATH.length)
  const isPost = request.method === 'POST'
  if (id === '' && isPost) return receive(context, request)
  if (id === '' || isPost || request.method !== 'GET') {
    return failure(405, 'method_not_allowed', 'The method is not allowed.')
  }
  if (request.headers.get('accept') !== 'application/json') return openUpload(id, context)
  const record = await readUpload(id, context)
  if (!record) return notFound()
  const { owner, ...about } = record
  return Response.json(about)
}

/** The bytes of an upload of the caller. */
export async function openUpload(id: string, context: ToolContext): Promise<Response> {
  const record = await readUpload(id, context)
  if (!record) return notFound()
  const at = record.file.lastIndexOf('/')
  const [subfolder, filename] = [record.file.slice(0, at), record.file.slice(at + 1)]
  const servers = withWorkflowServer(await requireServers(context), context)
  try {
    const client = connect(record.server, servers, context)
    return await client.view({ filename, subfolder, type: 'input' })
  } catch (error) {
    if (!(error instanceof ComfyError)) throw error
    return failure(502, 'upload_unavailable', 'The ComfyUI server does not give the file.')
  }
}

function notFound(): Response {
  return failure(404, 'upload_not_found', 'There is no such upload, or it has expired.')
}
