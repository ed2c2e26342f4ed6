/** The body of a call. */
import { CALL_ENVELOPE_TYPE, type CallEnvelope } from 'ftl-contract'
import type { ToolContext } from '../tool/context.ts'

type TextWithin = (
  message: Request,
  limit: number,
  announced: number,
) => string | Promise<string> | null

/** Our engine reads a body without a stream; `null` for one that is a stream already. @default `undefined` elsewhere */
const textWithin = (globalThis as { [key: symbol]: TextWithin | undefined })[
  Symbol.for('ftl.textWithin')
]

/** As far as it was announced: the look for what cannot follow is a turn of the event loop, a tenth of the whole call. */
export function readText(request: Request): string | Promise<string> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  return textWithin?.(request, Infinity, announced) ?? readStream(request, announced)
}

async function readStream(request: Request, announced: number): Promise<string> {
  const { body } = request
  if (!body || announced === 0) return request.text()
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const decoder = new TextDecoder()
  let text = ''
  for (let size = 0; size < announced;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    text += decoder.decode(value, { stream: size < announced })
  }
  return text
}

/** The arguments, and into the context what a repeated call brings besides. */
export function openCall(headers: Headers, text: string, context: ToolContext): unknown {
  const body: unknown = text === '' ? {} : JSON.parse(text)
  if (headers.get('content-type') !== CALL_ENVELOPE_TYPE) return body
  const { arguments: args, inputResponses, requestState } = body as CallEnvelope
  if (inputResponses) context.inputResponses = inputResponses
  if (requestState !== undefined) context.requestState = requestState
  return args
}
