/**
 * Videos, sounds and 3D models that the caller sent by `POST /uploads`: they may be larger than a component's memory, so the
 * workflow gets them by their name on the ComfyUI server.
 */
import { HEAD_BYTES, MEDIA_KINDS, uploadFormat } from 'ftl-comfyui/client'
import type { ComfyClient, MediaKind } from 'ftl-comfyui/client'
import { openAnyUpload } from 'ftl-comfyui/image'
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

const NOT_FOUND = 'was not found; an upload expires after a day, and only its sender can use it'

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
    throw new InvalidArguments(`${argument}: it ${NOT_FOUND}`)
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
  context: ToolContext,
): Promise<string> {
  if (from === server) return file
  const response = await openAnyUpload(id, context)
  const reader = response.body?.getReader()
  const first = await reader?.read()
  const head = first?.value
  const format = head && uploadFormat(head.subarray(0, HEAD_BYTES), bytes)
  if (response.status !== 200 || !reader || !format) throw new ToolError(`An upload ${NOT_FOUND}.`)
  let isFirst = true
  return client.uploadStream(format, {
    async next() {
      if (!isFirst) return reader.read()
      isFirst = false
      return first
    },
  })
}
