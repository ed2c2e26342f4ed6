/**
 * Ollama's native API: it streams one JSON document per line.
 *
 * @see https://docs.ollama.com/api/chat
 */
import { isObject, isString } from 'ftl-contract'
import { counted } from '../limits/tokens-of.ts'
import { saidError, unreadable } from './said-error.ts'
import type { Message, ModelCall, ModelEvent, Turn, Wire } from './messages.ts'

export const ollama: Wire = {
  path: '/chat',
  modelsPath: '/tags',
  body: (model, messages, tools) => ({
    model,
    messages: messages.map(worded),
    stream: true,
    ...(tools.length > 0 && { tools }),
  }),
  reader() {
    let content = ''
    let done = false
    let tokens: number | undefined
    let ending: Turn['ending']
    const calls: ModelCall[] = []
    return {
      get done() {
        return done
      },
      line(text) {
        if (text.trim() === '') return []
        const line = parsed(text)
        if (line.error !== undefined) throw saidError(line.error)
        if (line.done === true) done = true
        ending = endingOf(line) ?? ending
        tokens = counted(line.prompt_eval_count, line.eval_count) ?? tokens
        const message = isObject(line.message) ? line.message : {}
        calls.push(...callsOf(message.tool_calls, calls.length))
        const events: ModelEvent[] = []
        if (isString(message.thinking) && message.thinking !== '') events.push({ type: 'thinking' })
        if (isString(message.content) && message.content !== '') {
          content += message.content
          events.push({ type: 'content', content: message.content })
        }
        return events
      },
      turn: () => ({ content, calls, ending, tokens }),
    }
  },
  whole(document) {
    if (!isObject(document)) return undefined
    if (document.error !== undefined) throw saidError(document.error)
    const { message } = document
    if (!isObject(message)) return undefined
    const content = isString(message.content) ? message.content : ''
    const tokens = counted(document.prompt_eval_count, document.eval_count)
    return { content, calls: callsOf(message.tool_calls, 0), ending: endingOf(document), tokens }
  },
  models: (list) =>
    isObject(list) && Array.isArray(list.models)
      ? list.models.flatMap((entry: unknown) =>
          isObject(entry) && isString(entry.name) ? [entry.name] : [],
        )
      : [],
}

function endingOf({ done_reason: reason }: Record<string, unknown>): Turn['ending'] {
  return reason === 'length' ? 'length' : undefined
}

/** Older versions omit the ids of calls; calls run in parallel, so each needs one. */
function callsOf(list: unknown, before: number): ModelCall[] {
  if (!Array.isArray(list)) return []
  return (list as unknown[]).flatMap((entry, place) => {
    const wanted = isObject(entry) && isObject(entry.function) ? entry.function : undefined
    if (!wanted || !isString(wanted.name)) return []
    const { arguments: args = {} } = wanted
    const { id } = entry as { id?: unknown }
    return {
      id: isString(id) && id !== '' ? id : `call_${before + place + 1}`,
      name: wanted.name,
      arguments: isString(args) ? args : JSON.stringify(args),
    }
  })
}

function worded(message: Message): object {
  const { role, content } = message
  switch (role) {
    case 'user': {
      const images = message.images.flatMap((image) => ('data' in image ? [image.data] : []))
      // Ollama does not fetch images by URL.
      const links = message.images.flatMap((image) => ('url' in image ? [image.url] : []))
      const text = [content, ...links.map((url) => `[image at ${url}]`)].join('\n')
      return { role, content: text, ...(images.length > 0 && { images }) }
    }
    case 'assistant': {
      const calls = message.calls.map(({ name, arguments: args }) => ({
        function: { name, arguments: objectOf(args) },
      }))
      return { role, content, ...(calls.length > 0 && { tool_calls: calls }) }
    }
    case 'tool':
      return { role, content, tool_name: message.call.name }
    default:
      return { role, content }
  }
}

/** Ollama requires an object, so arguments that are not a JSON object become `{}`. */
function objectOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // Invalid JSON is replaced below.
  }
  return {}
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // Invalid JSON is reported below.
  }
  throw unreadable(text)
}
