/** `POST /uploads/`: passes a file on to a ComfyUI server while it arrives. */
import {
  ComfyError,
  HEAD_BYTES,
  Interrupted,
  Pieces,
  uploadFormat,
  type UploadFormat,
  WrongLength,
} from 'ftl-comfyui/client'
import { MAX_IMAGE_BYTES } from 'ftl-comfyui/image'
import { connectTo, isSameServer, uploadLimit, workflowServer } from 'ftl-comfyui/job'
import type { Server } from 'ftl-comfyui/servers'
import { UPLOADS_PATH } from 'ftl-contract'
import { ConfigurationError, type ToolContext } from 'ftl-sdk'
import { requireServers, withWorkflowServer } from '../servers.ts'
import { failure } from './failure.ts'
import { fileName } from './file-name.ts'
import { requireRoom, TooManyUploads } from './own-uploads.ts'
import { keepUpload } from './record.ts'

const FORMATS =
  'PNG, JPEG, WebP, GIF, MP4, MOV, WebM, MKV, MP3, WAV, FLAC, OGG, M4A, GLB, glTF, OBJ, STL, FBX, PLY or SPZ'

export async function receive(context: ToolContext, request: Request): Promise<Response> {
  const query = new URL(request.url).searchParams
  const length = query.get('length')
  const announced = length === null ? undefined : Number(length)
  const maxBytes = limitOf(context)
  const pieces = new Pieces(request.body, { announced, maxBytes })
  try {
    await requireRoom(context)
    const head = await pieces.head(HEAD_BYTES)
    if (head.length === 0) return failure(400, 'empty_file', 'The file is empty.')
    const format = uploadFormat(head, announced)
    if (!format) {
      const hint = announced === undefined ? ' A binary STL needs a Content-Length.' : ''
      const message = `The file must be ${FORMATS}: its first bytes are of none of them.${hint}`
      return failure(415, 'unsupported_file', message)
    }
    if (format.kind === 'image') pieces.limitTo(MAX_IMAGE_BYTES)
    return await store(format, pieces, fileName(query.get('name'), format.extension), context)
  } catch (error) {
    if (error instanceof WrongLength) {
      return error.isTooLong
        ? failure(413, 'file_too_large', error.message)
        : failure(400, 'wrong_length', error.message)
    }
    if (error instanceof TooManyUploads) return failure(429, 'too_many_uploads', error.message)
    if (error instanceof Interrupted) return failure(400, 'interrupted', error.message)
    if (error instanceof ComfyError) return failure(502, 'not_uploaded', error.message)
    throw error
  }
}

async function store(
  format: UploadFormat,
  pieces: Pieces,
  name: string,
  context: ToolContext,
): Promise<Response> {
  const { principal, deadline } = context
  const server = await serverFor(context)
  const client = connectTo(server, context, deadline)
  const file = await client.uploadStream(format, pieces)
  const { kind, type: mimeType } = format
  const about = { kind, mimeType, bytes: pieces.count }
  const owner = principal === undefined ? {} : { owner: principal }
  const { id, expiresMs } = await keepUpload(
    { ...owner, server: server.url, file, ...about },
    context,
  )
  const expiresAt = new Date(expiresMs).toISOString()
  return Response.json({ uri: UPLOADS_PATH + id, name, ...about, expiresAt }, { status: 201 })
}

/** The server of the workflow tools, which take the file by its name there; images are read from any server. */
async function serverFor(context: ToolContext): Promise<Server> {
  const { list } = withWorkflowServer(await requireServers(context), context)
  const own = workflowServer(context.platform.variables)
  const server = list.find(({ url }) => own && isSameServer(url, own.url)) ?? list[0]
  if (!server) throw new ComfyError('unreachable', 'No ComfyUI server is configured.')
  return server
}

/** @throws {ConfigurationError} */
function limitOf({ platform }: ToolContext): number {
  const bytes = uploadLimit(platform.variables)
  if (bytes !== undefined) return bytes
  throw new ConfigurationError('upload_max_bytes must be a number of bytes, at least 1.')
}
