/** Converts a result to text for the model; content that is not text becomes a short placeholder. */
import { isObject, isString } from 'ftl-contract'
import { outside } from './gateway.ts'
import type { Item, ToolEnd } from './tool-end.ts'

/** Characters of one result. Longer results make a model slow, and make it forget the conversation. */
const LIMIT = 20_000

export function resultText({ content, structuredContent, isError }: ToolEnd): string {
  const texts = content.map(itemText).filter((text) => text !== '')
  if (texts.length === 0 && structuredContent !== undefined) {
    texts.push(JSON.stringify(structuredContent))
  }
  const all = withoutLinks(outside(texts.join('\n'))) || 'Done; there is nothing to show.'
  const cut =
    all.length <= LIMIT
      ? all
      : `${all.slice(0, LIMIT)}\n[cut here: ${all.length - LIMIT} more characters]`
  // An error from `failedCall` already says that it is one.
  return isError && !cut.startsWith('{"error"') ? `Error: ${cut}` : cut
}

/** A link to a file opens it without a token, so it is not for the server of a model. */
function withoutLinks(text: string): string {
  return text.replace(/\?link=[0-9a-z]+\.[\w-]{43}/g, '')
}

function itemText(item: Item): string {
  const { type, text, mimeType, resource } = item
  switch (type) {
    case 'text':
      return isString(text) ? text : ''
    case 'image':
    case 'audio':
      // As text, the bytes would cost more tokens than the conversation and mean nothing to the model.
      return `[${type}${isString(mimeType) ? ` ${mimeType}` : ''}, already shown to the user]`
    case 'resource_link':
      return link(item)
    case 'resource': {
      if (!isObject(resource)) return ''
      return isString(resource.text) ? resource.text : link(resource)
    }
    default:
      return JSON.stringify(item)
  }
}

function link({ uri, name, mimeType }: Record<string, unknown>): string {
  const words = [mimeType ?? name ?? 'resource', uri].filter(isString).join(': ')
  return `[${words}; already shown to the user]`
}
