/**
 * A tool's result as things to show. What comes from a tool is never markup, and an address is used only where it is
 * known to be harmless.
 */
import {
  bytesOf,
  inlinePicture,
  LARGEST,
  pictureOfDataUrl,
  type Unshown,
} from '../picture/inline.ts'
import { whyNoLink } from './address.ts'
import { asArray, asRecord, text } from './api.ts'

export type Shown =
  | {
      kind: 'text'
      text: string
      /** What else there is to say, in the page's words. */ note?: string
    }
  | { kind: 'image'; url: string; name: string; isAnimated?: boolean }
  | Unshown
  | { kind: 'file'; url: string; name: string; mimeType: string }
  | { kind: 'link'; url: string; name: string }
  | { kind: 'json'; value: unknown }

const PICTURE = /^image\/(png|jpeg|webp|gif)$/
const OUTPUT = /^\/outputs\/[\w.-]+$/
/** What an address of a file cannot make a browser run. */
const HARMLESS = /^(audio|video)\/[\w.+-]+$/

export interface Shows {
  shown: Shown[]
  isError: boolean
}

/** Of results that were read: views ask for the parts of a large one again and again. */
const known = new WeakMap<object, Shows>()

export function readResult(result: unknown): Shows {
  const record = asRecord(result)
  const shows = known.get(record) ?? read(record)
  known.set(record, shows)
  return shows
}

function read(result: Record<string, unknown>): Shows {
  const { content, structuredContent, isError } = result
  const shown = asArray(content).flatMap((block) => readBlock(asRecord(block)))
  if (structuredContent !== undefined) shown.push({ kind: 'json', value: structuredContent })
  return { shown, isError: isError === true }
}

/** The pictures of a result, as addresses. */
export function picturesOf(result: unknown): string[] {
  return readResult(result).shown.flatMap((item) => (item.kind === 'image' ? item.url : []))
}

function readBlock(block: Record<string, unknown>): Shown[] {
  const { type, data, source } = block
  const mimeType = text(block['mimeType']) ?? ''
  if (type === 'text') return [{ kind: 'text', text: text(block['text']) ?? '' }]
  if (type === 'image' && typeof data === 'string') return [inlinePicture(data, mimeType, 'image')]
  if (type === 'image' && typeof source === 'string')
    return [atAddress(source, 'image', 'image/png')]
  if (type === 'audio' && typeof data === 'string') return [inlineFile(data, mimeType, 'audio')]
  if (type === 'resource_link') {
    const uri = text(block['uri']) ?? ''
    return [atAddress(uri, text(block['title']) ?? text(block['name']) ?? uri, mimeType)]
  }
  if (type === 'resource') {
    const resource = asRecord(block['resource'])
    const said = text(resource['text'])
    if (said !== undefined) return [{ kind: 'text', text: said }]
    const blob = text(resource['blob'])
    const type = text(resource['mimeType']) ?? ''
    const name = text(resource['uri']) ?? 'resource'
    if (blob !== undefined && type.startsWith('image/')) return [inlinePicture(blob, type, name)]
    if (blob !== undefined) return [inlineFile(blob, type, name)]
    return [{ kind: 'json', value: { uri: resource['uri'], mimeType: resource['mimeType'] } }]
  }
  return [{ kind: 'json', value: block }]
}

/** Sound and video are played; anything else can be downloaded. */
function inlineFile(data: string, mimeType: string, name: string): Shown {
  const why = !HARMLESS.test(mimeType)
    ? 'the page does not show this type'
    : bytesOf(data) > LARGEST
      ? `it is larger than ${LARGEST / 1e6} MB`
      : undefined
  if (why !== undefined) return { kind: 'unshown', name, mimeType, why, data }
  return { kind: 'file', url: `data:${mimeType};base64,${data}`, name, mimeType }
}

/** A file a job made is shown; anything else on the web is a link; everything else is only its words. */
export function atAddress(address: string, name: string, mimeType: string): Shown {
  const inline = pictureOfDataUrl(address, name)
  if (inline) return inline
  const url = tryUrl(address)
  // A proxy may have ended TLS, so the scheme is not compared.
  if (
    url &&
    /^https?:$/.test(url.protocol) &&
    url.host === location.host &&
    OUTPUT.test(url.pathname)
  ) {
    const isPicture = PICTURE.test(mimeType) || /\.(png|jpe?g|webp|gif)$/.test(url.pathname)
    return isPicture
      ? { kind: 'image', url: url.pathname, name }
      : { kind: 'file', url: url.pathname, name, mimeType }
  }
  const note = whyNoLink(url)
  if (url && note === undefined) return { kind: 'link', url: url.href, name }
  const shown = address.slice(0, LONGEST_ADDRESS)
  return { kind: 'text', text: name === address ? shown : `${name}: ${shown}`, note }
}

/** Characters. */
const LONGEST_ADDRESS = 2_000

function tryUrl(address: string): URL | undefined {
  try {
    return new URL(address, location.origin)
  } catch {
    return undefined
  }
}
