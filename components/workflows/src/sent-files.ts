/**
 * Videos, sounds and 3D models that the caller sent by `POST /uploads`: they may be larger than a component's memory, so the
 * workflow gets them by their name on the ComfyUI server.
 */
import {
  HEAD_BYTES,
  Interrupted,
  MEDIA_KINDS,
  Pieces,
  uploadFormat,
  WrongLength,
} from 'ftl-comfyui/client'
import type { ComfyClient, MediaKind } from 'ftl-comfyui/client'
import { NO_UPLOAD, openAnyUpload } from 'ftl-comfyui/image'
import { isObject } from 'ftl-contract'
import { InvalidArguments, type ToolContext, ToolError } from 'ftl-sdk'

export interface SentFile {
  id: string
  kind: MediaKind
  bytes: number
  /** The server that has it, and its name there. */
  server: string
  file: string
}

/** @throws {InvalidArguments} if the caller has no such upload, or the field takes another kind. */
export async function findSent(
  argument: string,
  wanted: MediaKind,
  id: string,
  context: ToolContext,
): Promise<SentFile> {
  const response = await openAnyUpload(id, context, 'application/json')
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new InvalidArguments(`${argument}: it ${NO_UPLOAD}`)
  }
  const about: unknown = await response.json()
  const { kind, bytes, server, file } = isObject(about) ? about : {}
  const known = MEDIA_KINDS.find((each) => each === kind)
  // LoadAudio takes the sound of a video.
  const isTaken = known === wanted || (wanted === 'audio' && known === 'video')
  if (known === undefined || !isTaken) {
    throw new InvalidArguments(`${argument}: it must be of the kind ${wanted}, not ${String(kind)}`)
  }
  if (typeof bytes !== 'number' || typeof server !== 'string' || typeof file !== 'string') {
    throw new ToolError('The component that has the upload does not say where it is.')
  }
  return { id, kind: known, bytes, server, file }
}

/** @returns the name on the server that runs the workflow, which gets a copy if another one has the file. */
export async function placeSent(
  { id, server: from, file, bytes }: SentFile,
  server: string,
  client: ComfyClient,
  context: Parameters<typeof openAnyUpload>[1],
): Promise<string> {
  if (from === server) return file
  const response = await openAnyUpload(id, context)
  if (response.status !== 200 || !response.body) {
    await response.body?.cancel()
    throw new ToolError(`An upload ${NO_UPLOAD}.`)
  }
  const pieces = new Pieces(response.body, { announced: bytes, maxBytes: bytes })
  try {
    const format = uploadFormat(await pieces.head(HEAD_BYTES), bytes)
    if (format) return await client.uploadStream(format, pieces)
  } catch (error) {
    if (!(error instanceof WrongLength || error instanceof Interrupted)) throw error
  }
  throw new ToolError('The ComfyUI server that has an upload did not send the whole file.')
}
