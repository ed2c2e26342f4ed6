/** The body of a request, of the arguments that belong to it. */
import { type ApiBody, type ApiField, isNested } from 'ftl-contract'
import { ToolError } from '../tool/errors.ts'
import { pairsOf, scalar } from './styles.ts'

export interface SentBody {
  mediaType: string
  content: string | Uint8Array<ArrayBuffer>
}

type Arguments = ReadonlyMap<string, unknown>
type Part = [field: ApiField, value: unknown]

/**
 * @param boundary between the parts of `multipart/form-data`; must not be in any of them.
 * @returns `undefined` if the caller gave none.
 * @throws {ToolError} for bytes that are not base64.
 */
export function bodyOf(body: ApiBody, args: Arguments, boundary: string): SentBody | undefined {
  const { mediaType, kind, argument, fields = [] } = body
  if (argument !== undefined) {
    const value = args.get(argument)
    if (value === undefined) return undefined
    if (kind === 'binary') return { mediaType, content: bytesOf(argument, value) }
    return { mediaType, content: kind === 'text' ? scalar(value) : JSON.stringify(value) }
  }
  const parts = fields.flatMap((field): Part[] => {
    const value = args.get(field.argument)
    // In a form, null would be the text "null".
    return value === undefined || (value === null && kind !== 'json') ? [] : [[field, value]]
  })
  switch (kind) {
    case 'form':
      return { mediaType, content: parts.flatMap(formPairs).join('&') }
    case 'multipart':
      return {
        mediaType: `multipart/form-data; boundary=${boundary}`,
        content: multipart(parts, boundary),
      }
    default:
      return {
        mediaType,
        content: JSON.stringify(
          Object.fromEntries(parts.map(([{ name }, value]) => [name, value])),
        ),
      }
  }
}

/** An object without a style is JSON, as OpenAPI has it. */
function formPairs([{ name, style, explode = true }, value]: Part): string[] {
  const isJson = style === undefined && isNested(value) && !Array.isArray(value)
  return pairsOf({ name, style: isJson ? 'json' : (style ?? 'form'), explode }, value)
}

function multipart(parts: readonly Part[], boundary: string): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const pieces: Uint8Array[] = []
  for (const [field, value] of parts) {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
      pieces.push(encoder.encode(headOf(field, each, boundary)))
      pieces.push(field.isFile ? bytesOf(field.argument, each) : encoder.encode(scalar(each)))
      pieces.push(encoder.encode('\r\n'))
    }
  }
  pieces.push(encoder.encode(`--${boundary}--\r\n`))
  const content = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    content.set(piece, at)
    at += piece.length
  }
  return content
}

/** @see https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
function headOf({ name, isFile, mediaType }: ApiField, value: unknown, boundary: string): string {
  const quoted = name.replace(/["\r\n]/g, (character) => encodeURIComponent(character))
  const type =
    mediaType ?? (isFile ? 'application/octet-stream' : isNested(value) ? 'application/json' : '')
  return [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${quoted}"${isFile ? `; filename="${quoted}"` : ''}`,
    ...(type === '' ? [] : [`Content-Type: ${type}`]),
    '',
    '',
  ].join('\r\n')
}

function bytesOf(argument: string, value: unknown): Uint8Array<ArrayBuffer> {
  try {
    const binary = atob(typeof value === 'string' ? value : '!')
    const bytes = new Uint8Array(binary.length)
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
    return bytes
  } catch {
    throw new ToolError(`${argument}: must be base64`)
  }
}
