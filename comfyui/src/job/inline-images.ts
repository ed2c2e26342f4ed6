/**
 * Pictures inside a result, for models that can see: ComfyUI encodes each one again, as small as the budget demands.
 *
 * The picture keeps its size in pixels, so of a large one with many details even the lowest quality may be too large. Then
 * the result says so, and its link still leads to the file. A failure here never costs the result.
 */
import type { Content } from 'ftl-contract'
import { type ToolContext, ToolResponse } from 'ftl-sdk'
import type { ComfyClient } from '../client/client.ts'
import { ComfyError } from '../client/errors.ts'
import { extensionOf, mediaTypeOf } from '../client/media-types.ts'
import { imageInfo } from '../image/format.ts'
import { readLimited, TooLarge } from '../client/read-limited.ts'
import type { PromptState } from './submit.ts'

/**
 * Bytes of all pictures of a result together. In base64 they are a third more, and the record of a job, which may have
 * 900 KB, is stored by the component and by the gateway.
 */
const BUDGET = 150_000
/** Milliseconds for a picture. The poll that fetches it has ten seconds in all; without an answer it is repeated. */
const LIMIT_MS = 4_000
/** From good to just recognizable. */
const PREVIEWS = ['webp;75', 'webp;40', 'webp;10']

/** The description of the argument `inline_images`. */
export const INLINE_IMAGES =
  'Whether the result also contains the images, strongly compressed, for a model that can see'

/** The first revision of MCP whose clients say with every call whether they show MCP Apps. */
const WITH_CAPABILITIES = '2026-07-28'

/**
 * Whether a result contains its pictures: as the call says, else as the variable `inline_images` says, else by the
 * client.
 *
 * A client before 2025-06-18 gets them, because its revision has no links. So does one of 2026-07-28, unless it shows the
 * viewer. The clients in between do not say whether they show the viewer, and a plain caller follows the links.
 *
 * @param asked the argument `inline_images`.
 */
export function showsInline(
  asked: boolean | undefined,
  { platform, client }: Pick<ToolContext, 'platform' | 'client'>,
): boolean {
  if (asked !== undefined) return asked
  const chosen = platform.variables.get('inline_images')?.trim() || 'auto'
  if (chosen !== 'auto') return chosen === 'true'
  const { protocol, readsLinks, showsApps } = client
  if (protocol === 'plain') return false
  return !readsLinks || (protocol >= WITH_CAPABILITIES && !showsApps)
}

/** @returns image contents, and a text for those that are too large. */
export async function inlineImages(
  client: Pick<ComfyClient, 'view'>,
  files: NonNullable<PromptState['files']>,
): Promise<Content[]> {
  const pictures = files.filter(({ filename }) =>
    mediaTypeOf(extensionOf(filename)).startsWith('image/'),
  )
  const share = Math.floor(BUDGET / Math.max(1, pictures.length))
  const shown = await Promise.all(pictures.map((file) => inTime(smallest(client, file, share))))
  const contents = shown.flatMap((content) => content ?? [])
  const missing = shown.length - contents.length
  if (missing === 0) return contents
  const text = `${missing} of ${shown.length} pictures could not be shown here: open the links.`
  return [...contents, { type: 'text', text }]
}

/** Only stops waiting: a fetch whose response has begun must not be aborted in the components' engine. */
async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LIMIT_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

async function smallest(
  client: Pick<ComfyClient, 'view'>,
  file: NonNullable<PromptState['files']>[number],
  limit: number,
): Promise<Content | undefined> {
  for (const preview of PREVIEWS) {
    try {
      const response = await client.view(file, {}, preview)
      if (response.status !== 200) {
        await response.body?.cancel()
        return undefined
      }
      const bytes = await readLimited(response, limit)
      // By its bytes: a proxy may have answered with a page.
      const info = imageInfo(bytes)
      return info && ToolResponse.image(bytes, `image/${info.format}`).content[0]
    } catch (error) {
      if (error instanceof TooLarge) continue
      if (error instanceof ComfyError || error instanceof TypeError) return undefined
      throw error
    }
  }
  return undefined
}
