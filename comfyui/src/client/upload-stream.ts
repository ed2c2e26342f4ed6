/** Uploads a file while it arrives: only a piece of it is in memory. */
import type { MediaKind } from './media-format.ts'
import { mediaFormat } from './media-format.ts'
import { pictureFormat } from './picture-format.ts'
import { exchange, type HttpOptions } from './http.ts'
import { multipart } from './multipart.ts'
import { nameIn } from './upload.ts'

/** Files whose names only their owner's tools may use. */
const SUBFOLDER = 'mcp/uploads'
/** Nodes that load a 3D model take only what is in this folder. */
const FOLDER_3D = '3d'

/** First bytes, which are enough to recognise every format. */
export const HEAD_BYTES = 84

export interface UploadFormat {
  kind: 'image' | MediaKind
  extension: string
  /** Media type. */
  type: string
}

/** @param length of the whole file; without it, a binary STL is not recognised. */
export function uploadFormat(
  head: Uint8Array,
  length: number | undefined,
): UploadFormat | undefined {
  const picture = pictureFormat(head)
  return picture ? { kind: 'image', ...picture } : mediaFormat(head, length ?? 0)
}

/**
 * Whether a value names a file that {@link uploadStream} has stored. The server reads `mcp//uploads/x` and `MCP\uploads\x`
 * as the same file.
 */
export function isStoredUpload(value: string): boolean {
  const parts: string[] = []
  for (const part of value.toLowerCase().split(/[\\/]/)) {
    const name = part.trim()
    if (name === '..') parts.pop()
    else if (name !== '' && name !== '.') parts.push(name)
  }
  return parts.some((part, at) => part === 'mcp' && parts[at + 1] === 'uploads')
}

/**
 * Nothing is stored if the pieces end with an error: the form has no end then.
 *
 * @param hex 32 random hexadecimal digits: the name of the file.
 * @param boundary of the form: text that the sender of the pieces cannot know.
 * @returns the value for an input that loads the file.
 * @throws the error of `pieces`, or a {@link ComfyError}.
 */
export async function uploadStream(
  http: HttpOptions,
  { extension, type, kind }: UploadFormat,
  { hex, boundary }: { hex: string; boundary: string },
  pieces: AsyncIterator<Uint8Array<ArrayBuffer>>,
): Promise<string> {
  const subfolder = kind === 'model3d' ? `${FOLDER_3D}/${SUBFOLDER}` : SUBFOLDER
  const file = { filename: `${hex}.${extension}`, type, subfolder }
  const { head, tail, contentType } = multipart(boundary, file)
  let failure: unknown
  let isOver = false
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(head),
    async pull(controller) {
      try {
        const piece = await pieces.next()
        if (isOver) return
        if (piece.done !== true) return controller.enqueue(piece.value)
        controller.enqueue(tail)
        controller.close()
      } catch (error) {
        failure ??= error
        if (!isOver) controller.error(error)
      }
    },
    cancel() {
      isOver = true
    },
  })
  try {
    return nameIn(await exchange(http, '/upload/image', { type: contentType, bytes: body }))
  } catch (error) {
    throw failure ?? error
  } finally {
    isOver = true
  }
}
