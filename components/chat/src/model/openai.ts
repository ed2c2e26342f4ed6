/**
 * Chat completions: OpenAI's own, and the many servers that speak like it.
 *
 * @see https://platform.openai.com/docs/api-reference/chat-streaming
 */
import { isObject, isString } from 'ftl-contract'
import { counted } from '../limits/tokens-of.ts'
import { saidError, unreadable } from './said-error.ts'
import type { Image, Message, ModelCall, ModelEvent, Turn, Wire } from './messages.ts'

export const openai: Wire = {
  path: '/chat/completions',
  modelsPath: '/models',
  body: (model, messages, tools) => ({
    model,
    messages: messages.map(worded),
    stream: true,
    // An empty list is refused.
    ...(tools.length > 0 && { tools }),
  }),
  reader() {
    let content = ''
    let done = false
    let tokens: number | undefined
    let ending: Turn['ending']
    const calls = new Calls()
    return {
      get done() {
        return done
      },
      line(text) {
        // Server-sent events: a field a line, comments, and empty lines between them.
        const [, data] = /^data:\s?(.*)$/.exec(text) ?? []
        // An HTML page, of a proxy or of another server at this address.
        if (/^\s*</.test(text)) throw unreadable(text)
        if (data === undefined) return []
        if (data.trim() === '[DONE]') {
          done = true
          return []
        }
        const chunk = parsed(data)
        if (chunk.error) throw saidError(chunk.error)
        tokens = totalIn(chunk.usage) ?? tokens
        const choice = first(chunk.choices)
        if (!choice) return []
        if (isText(choice.finish_reason)) done = true
        const delta = isObject(choice.delta) ? choice.delta : {}
        ending = endingOf(choice.finish_reason, delta) ?? ending
        calls.add(delta.tool_calls)
        const events: ModelEvent[] = []
        if (isText(delta.reasoning_content) || isText(delta.reasoning))
          events.push({ type: 'thinking' })
        // Servers send one of them; a refusal is what the model says.
        for (const piece of [delta.content, delta.refusal]) {
          if (!isText(piece)) continue
          content += piece
          events.push({ type: 'content', content: piece })
        }
        return events
      },
      turn: () => ({ content, calls: calls.all(), ending, tokens }),
    }
  },
  whole(document) {
    if (!isObject(document)) return undefined
    if (document.error) throw saidError(document.error)
    const choice = first(document.choices)
    const message = choice?.message
    if (!isObject(message)) return undefined
    const calls = new Calls()
    calls.add(message.tool_calls)
    const content = [message.content, message.refusal].filter(isString).join('')
    const ending = endingOf(choice?.finish_reason, message)
    return { content, calls: calls.all(), ending, tokens: totalIn(document.usage) }
  },
  models: (list) =>
    isObject(list) && Array.isArray(list.data)
      ? list.data.flatMap((entry: unknown) =>
          isObject(entry) && isString(entry.id) ? [entry.id] : [],
        )
      : [],
}

/** Calls that come in pieces, each with its place. */
class Calls {
  readonly #calls: Partial<ModelCall>[] = []
  readonly #at = new Map<unknown, Partial<ModelCall>>()

  add(deltas: unknown): void {
    if (!Array.isArray(deltas)) return
    for (const [place, delta] of (deltas as unknown[]).entries()) {
      if (!isObject(delta)) continue
      const index = delta.index ?? place
      let call = this.#at.get(index)
      // Some servers give every call the place 0, and send each whole.
      const another = isText(delta.id) && call?.id !== undefined && call.id !== delta.id
      if (!call || another) {
        call = {}
        this.#at.set(index, call)
        this.#calls.push(call)
      }
      const wanted = isObject(delta.function) ? delta.function : {}
      if (isText(delta.id)) call.id = delta.id
      if (isText(wanted.name)) call.name ??= wanted.name
      const { arguments: piece } = wanted
      if (isString(piece)) call.arguments = (call.arguments ?? '') + piece
      else if (isObject(piece)) call.arguments = JSON.stringify(piece)
    }
  }

  all(): Turn['calls'] {
    return this.#calls
      .filter(({ name }) => name !== undefined)
      .map(({ id, name = '', arguments: args }, place) => ({
        id: id ?? `call_${place + 1}`,
        name,
        arguments: args === undefined || args.trim() === '' ? '{}' : args,
      }))
  }
}

function worded(message: Message): object {
  const { role, content } = message
  switch (role) {
    case 'user':
      if (message.images.length === 0) return { role, content }
      return { role, content: [{ type: 'text', text: content }, ...message.images.map(imagePart)] }
    case 'assistant': {
      if (message.calls.length === 0) return { role, content }
      const calls = message.calls.map(({ id, name, arguments: args }) => ({
        id,
        type: 'function',
        function: { name, arguments: args },
      }))
      return { role, content: content === '' ? null : content, tool_calls: calls }
    }
    case 'tool':
      return { role, tool_call_id: message.call.id, content }
    default:
      return { role, content }
  }
}

function imagePart(image: Image): object {
  const url = 'url' in image ? image.url : `data:${image.mimeType};base64,${image.data}`
  return { type: 'image_url', image_url: { url } }
}

function endingOf(reason: unknown, { refusal }: Record<string, unknown>): Turn['ending'] {
  if (isText(refusal)) return 'refusal'
  if (reason === 'length') return 'length'
  return reason === 'content_filter' ? 'filter' : undefined
}

function totalIn(usage: unknown): number | undefined {
  return isObject(usage) ? counted(usage.total_tokens) : undefined
}

function first(choices: unknown): Record<string, unknown> | undefined {
  const [choice] = Array.isArray(choices) ? (choices as unknown[]) : []
  return isObject(choice) ? choice : undefined
}

function isText(value: unknown): value is string {
  return isString(value) && value !== ''
}

function parsed(data: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(data)
    if (isObject(value)) return value
  } catch {
    // Worded below.
  }
  throw unreadable(data)
}
