/** Converts content that the protocol does not define, or that lacks a field, to a type that it defines. No content is lost. */
import { isSpecType } from '@modelcontextprotocol/client'
import { isObject } from './is-object.ts'

type Fields = Record<string, unknown>

/** The key of an item as the server sent it, in the `_meta` of the resource that stands for it. */
const ORIGINAL = 'ftl/content'

/** First bytes of the common formats; each matches the start of the base64 text as Latin-1. */
const SIGNATURES: readonly [start: RegExp, mimeType: string][] = [
  [/^\x89PNG/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8/, 'image/gif'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
  [/^[^]{4}ftypavif/, 'image/avif'],
  [/^BM/, 'image/bmp'],
  [/^\s*(<\?xml[^]*)?<svg/, 'image/svg+xml'],
  [/^RIFF[^]{4}WAVE/, 'audio/wav'],
  [/^(ID3|\xff[\xe2-\xfb])/, 'audio/mpeg'],
  [/^OggS/, 'audio/ogg'],
  [/^fLaC/, 'audio/flac'],
]
/** Base64 characters that are decoded to find the signature: a multiple of four. */
const SIGNATURE_CHARACTERS = 64

/**
 * The result with every item of its `content` in a form that the protocol knows.
 *
 * An image or audio without `mimeType` gets the type that its first bytes show. Any other item that is not valid, for
 * example of the type `custom/chart`, becomes an embedded resource with the item as JSON.
 */
export function withReadableContent(result: Fields): Fields {
  const { content } = result
  if (!Array.isArray(content) || content.every(isSpecType.ContentBlock)) return result
  return { ...result, content: content.map(readable) }
}

function readable(item: unknown, place: number): unknown {
  if (isSpecType.ContentBlock(item)) return item
  const typed = withMimeType(item)
  if (isSpecType.ContentBlock(typed)) return typed
  const type = isObject(item) && typeof item['type'] === 'string' ? item['type'] : ''
  return {
    type: 'resource',
    resource: {
      uri: `urn:ftl:content:${place}`,
      mimeType: type.includes('/') ? mimeTypeOf(type) : 'application/json',
      text: JSON.stringify(item),
    },
    _meta: { [ORIGINAL]: item },
  }
}

/** The same name that the gateway gives to a custom type. */
function mimeTypeOf(type: string): string {
  return `application/vnd.${type.replace(/[^a-z\d]+/gi, '.')}+json`
}

/** @see https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern */
function withMimeType(item: unknown): unknown {
  if (!isObject(item) || typeof item['data'] !== 'string') return item
  const { type, data, mimeType } = item
  if ((type !== 'image' && type !== 'audio') || typeof mimeType === 'string') return item
  const start = Buffer.from(data.slice(0, SIGNATURE_CHARACTERS), 'base64').toString('latin1')
  const [, found = type === 'image' ? 'image/png' : 'audio/wav'] =
    SIGNATURES.find(([pattern, name]) => name.startsWith(type) && pattern.test(start)) ?? []
  return { ...item, mimeType: found }
}
