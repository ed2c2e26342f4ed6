/**
 * Parses the few frames of ComfyUI's WebSocket that report the progress of one prompt.
 *
 * Everything else is dropped: broadcasts without a prompt, results (the job record has them), and the older form
 * of previews, which has no prompt id and may belong to any job.
 *
 * @see https://docs.comfy.org/development/comfyui-server/comms_messages
 */
import { asObject, isJobId } from 'ftl-contract'
import type { ComfyStep } from './event.ts'

/** Type of the binary frame that carries a picture and its prompt id. */
const PREVIEW_IMAGE_WITH_METADATA = 4
const WORD = 4
const LONGEST_METADATA = 16_384
const LONGEST_NODE_ID = 100

/** Bytes of a preview; larger ones are dropped. */
const MAX_PREVIEW_BYTES = 262_144

const MEDIA_TYPES = ['image/jpeg', 'image/png', 'image/webp']

export type ComfyFrame =
  | { kind: 'step'; promptId: string; step: ComfyStep }
  | { kind: 'preview'; promptId: string; mimeType: string; image: Uint8Array }

/** @param data of a message event; binary as `ArrayBuffer`. */
export function readFrame(data: unknown): ComfyFrame | undefined {
  try {
    if (typeof data === 'string') return readText(data)
    return data instanceof ArrayBuffer ? readBinary(data) : undefined
  } catch {
    // Any node of a workflow may send frames of its own format.
    return undefined
  }
}

function readText(text: string): ComfyFrame | undefined {
  const { type, data } = asObject(JSON.parse(text))
  const { prompt_id: promptId, node, value, max } = asObject(data)
  if (!isPromptId(promptId)) return undefined
  const id = isNodeId(node) ? { node } : {}
  if (type === 'progress' && isCount(value) && isCount(max)) {
    return { kind: 'step', promptId, step: { value, max, ...id } }
  }
  if (type === 'executing' && isNodeId(node)) {
    return { kind: 'step', promptId, step: { value: 0, ...id } }
  }
  return undefined
}

function readBinary(buffer: ArrayBuffer): ComfyFrame | undefined {
  const view = new DataView(buffer)
  if (view.getUint32(0) !== PREVIEW_IMAGE_WITH_METADATA) return undefined
  const length = view.getUint32(WORD)
  if (length > LONGEST_METADATA) return undefined
  const metadata = new Uint8Array(buffer, 2 * WORD, length)
  const image = new Uint8Array(buffer, 2 * WORD + length)
  const { prompt_id: promptId, image_type: mimeType } = asObject(
    JSON.parse(new TextDecoder().decode(metadata)),
  )
  if (!isPromptId(promptId) || typeof mimeType !== 'string' || !MEDIA_TYPES.includes(mimeType)) {
    return undefined
  }
  if (image.length === 0 || image.length > MAX_PREVIEW_BYTES) return undefined
  return { kind: 'preview', promptId, mimeType, image }
}

function isPromptId(value: unknown): value is string {
  return typeof value === 'string' && isJobId(value)
}

function isNodeId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_NODE_ID
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
