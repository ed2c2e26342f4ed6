/**
 * A tool's result as things to show. What comes from a tool is never markup, and an address is used only where it is
 * known to be harmless.
 */
import { asArray, asRecord, text } from './api.ts'

export type Shown =
  | { kind: 'text'; text: string }
  | { kind: 'image'; url: string; name: string }
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

export function readResult(result: unknown): Shows {
  const { content, structuredContent, isError } = asRecord(result)
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
  if (type === 'image' && typeof data === 'string' && PICTURE.test(mimeType)) {
    return [{ kind: 'image', url: `data:${mimeType};base64,${data}`, name: 'image' }]
  }
  if (type === 'image' && typeof source === 'string')
    return [atAddress(source, 'image', 'image/png')]
  if (type === 'audio' && typeof data === 'string' && HARMLESS.test(mimeType)) {
    return [{ kind: 'file', url: `data:${mimeType};base64,${data}`, name: 'audio', mimeType }]
  }
  if (type === 'resource_link') {
    const uri = text(block['uri']) ?? ''
    return [atAddress(uri, text(block['title']) ?? text(block['name']) ?? uri, mimeType)]
  }
  if (type === 'resource') {
    const resource = asRecord(block['resource'])
    const said = text(resource['text'])
    if (said !== undefined) return [{ kind: 'text', text: said }]
    return [{ kind: 'json', value: { uri: resource['uri'], mimeType: resource['mimeType'] } }]
  }
  return [{ kind: 'json', value: block }]
}

/** A file a job made is shown; anything else on the web is a link; everything else is only its words. */
export function atAddress(address: string, name: string, mimeType: string): Shown {
  if (/^data:image\/(png|jpeg|webp|gif);base64,[\w+/=]+$/.test(address)) {
    return { kind: 'image', url: address, name }
  }
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
  if (url?.protocol === 'https:') return { kind: 'link', url: url.href, name }
  return { kind: 'text', text: name === address ? name : `${name}: ${address}` }
}

function tryUrl(address: string): URL | undefined {
  try {
    return new URL(address, location.origin)
  } catch {
    return undefined
  }
}
