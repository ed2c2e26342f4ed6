/** The text that the model gets for a pinned artifact. A client can send an artifact of an earlier answer unchanged. */
import { isString } from 'ftl-contract'

/** Parameters such as `charset`, then the marker of base64. @see https://www.rfc-editor.org/rfc/rfc2397 */
const DATA_URL = /^data:([^;,]*)((?:;[^;,]*)*?)(;base64)?,(.*)$/is
const READABLE = /^(text\/|application\/([\w.-]+\+)?(json|xml|yaml)$)|\+(json|xml)$/i

/**
 * The text of an artifact, or a description of one that is not text: a model cannot read the bytes of a picture here.
 *
 * @returns `undefined` for an object that is not an artifact.
 */
export function artifactContent(artifact: Record<string, unknown>): unknown {
  const { url, title, mimeType, tool, arguments: args } = artifact
  if (!isString(url)) return undefined
  const [, type = '', , base64, data = ''] = DATA_URL.exec(url) ?? []
  if (data !== '' && READABLE.test(type)) {
    const text = decoded(data, base64 !== undefined)
    if (text !== undefined) return text
  }
  // The address of data is the data itself.
  const address = /^data:/i.test(url) ? undefined : url
  return { title, mimeType, url: address, tool, arguments: args }
}

/** @returns `undefined` if the data is not in the encoding that its address names. */
function decoded(data: string, isBase64: boolean): string | undefined {
  try {
    if (!isBase64) return decodeURIComponent(data)
    const bytes = Uint8Array.from(atob(decodeURIComponent(data)), (each) => each.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
