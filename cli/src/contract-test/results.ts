/** Checks that every client can read a tool result. */
import { isObject } from 'ftl-contract'

/** Content types of the protocol with the fields each must have. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
}
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const CUSTOM = /^[^/]+\/[^/]+$/

/** @returns the first problem. */
export function resultProblem(result: unknown): string | undefined {
  if (!isObject(result)) return 'the result must be a JSON object'
  const { content, isError } = result
  if (!Array.isArray(content)) return 'the result has no array "content"'
  if (isError !== undefined && typeof isError !== 'boolean') return '"isError" must be a boolean'
  for (const [index, block] of content.entries()) {
    const problem = contentProblem(block)
    if (problem !== undefined) return `content[${index}] ${problem}`
  }
  return undefined
}

export function contentProblem(block: unknown): string | undefined {
  if (!isObject(block) || typeof block.type !== 'string') return 'has no "type"'
  const { type } = block
  if (type === 'resource') return resourceProblem(block.resource)
  const fields = FIELDS[type]
  if (!fields) {
    if (CUSTOM.test(type)) return undefined
    return `has the type "${type}", which the protocol does not define; a custom type must contain "/"`
  }
  const missing = fields.find((field) => typeof block[field] !== 'string')
  if (missing !== undefined) return `(${type}) has no text "${missing}"`
  if ('data' in block && !BASE64.test(String(block.data))) return `(${type}) "data" must be base64`
  if (type === 'resource_link' && !isAddress(block.uri)) return '"uri" has no scheme'
  return undefined
}

function resourceProblem(resource: unknown): string | undefined {
  if (!isObject(resource)) return '(resource) has no object "resource"'
  const { uri, text, blob } = resource
  if (typeof uri !== 'string') return '(resource) has no "uri"'
  if (typeof text !== 'string' && typeof blob !== 'string') {
    return '(resource) has neither "text" nor "blob"'
  }
  if (blob !== undefined && !(typeof blob === 'string' && BASE64.test(blob)))
    return '(resource) "blob" must be base64'
  return undefined
}

/** Addresses of job files are relative: the gateway adds its own origin. */
function isAddress(uri: unknown): boolean {
  return /^([a-z][a-z0-9+.-]*:|\/outputs\/)/i.test(String(uri))
}
