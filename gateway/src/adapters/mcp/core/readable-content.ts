/**
 * Texts for what several agent frameworks cannot read: they drop links, sounds and files, or lose the whole result to one.
 * Clients that read them get the content as the tool gave it.
 */
import { asObject, type Content, isString, type ToolResult } from 'ftl-contract'
import { traitsOf } from '../../../client-traits.ts'
import { type Exchange, metaOf } from '../exchange.ts'
import type { RpcRequest } from '../json-rpc.ts'
import { withStandardContent } from './own-content.ts'

/** Nearly every framework reads these. */
const READ = /^(text|image)$/

/** @returns the same result, if all of it can be read by every client. */
export function readableContent(
  result: ToolResult,
  { request }: Pick<Exchange, 'request'>,
  message: Pick<RpcRequest, 'params'>,
): ToolResult {
  const standard = withStandardContent(result)
  const { content } = standard
  if (content.length === 1 && content[0]?.type === 'text') return standard
  const { links } = traitsOf(request, metaOf(message))
  if (!links) return standard
  // A result without any content is an error to several of them.
  if (content.length === 0) return { ...standard, content: [asText(valueOf(standard))] }
  return { ...standard, content: links === 'beside' ? besides(content) : oneText(content, links) }
}

function besides(content: readonly Content[]): Content[] {
  const texts = content.flatMap((item) => (item.type === 'text' ? [item.text] : []))
  const said = texts.join('\n')
  return content.flatMap((item) => {
    if (READ.test(item.type)) return [item]
    const { uri, text } = placeOf(item)
    // Its address is in a text, or it is one, and not the only one.
    const isSaid = isString(text) ? texts.length > 0 : isString(uri) && said.includes(uri)
    return isSaid ? [item] : [asText(textFor(item)), item]
  })
}

/** One of them reads the first content only, so the text names the images behind it, and others read no images. */
function oneText(content: readonly Content[], links: 'text' | 'only-text'): Content[] {
  const images = content.filter(({ type }) => type === 'image' && links === 'text')
  if (images.length === content.length) return images
  return [asText(content.map(textFor).join('\n\n')), ...images]
}

function valueOf({ structuredContent }: ToolResult): string {
  return structuredContent === undefined ? 'No content.' : JSON.stringify(structuredContent)
}

function placeOf(item: Content): Record<string, unknown> {
  return asObject(item.type === 'resource' ? item.resource : item)
}

/** What it is and where. */
function textFor(item: Content): string {
  const { uri, title, name, mimeType, text } = placeOf(item)
  if (isString(text)) return text
  const { type } = item
  const own = type === 'audio' ? 'Audio' : type === 'image' ? 'Image' : 'File'
  const what = [title, name].find(isString) ?? own
  const kind = isString(mimeType) ? ` (${mimeType})` : ''
  return isString(uri) ? `${what}${kind}: ${uri}` : `${what}${kind}`
}

function asText(text: string): Content {
  return { type: 'text', text }
}
