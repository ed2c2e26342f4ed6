/**
 * Reading server-sent events.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */

/** One event of a stream. */
export interface ServerSentEvent {
  /** @default 'message' */
  event: string
  /** The last id that the stream has had, for `last-event-id`. */
  id: string | undefined
  data: string
}

/**
 * Accepts text in pieces of any size and returns each complete event that has data. It has no limit: bound the stream, or
 * what you give it.
 */
export class EventReader {
  #parts: string[] = []
  #data: string[] = []
  #event = ''
  #id: string | undefined

  push(text: string): ServerSentEvent[] {
    this.#parts.push(text)
    // A line of megabytes arrives in many pieces: join them only once.
    if (!text.includes('\n') && !text.includes('\r') && !this.#parts[0]?.endsWith('\r')) return []
    const lines = linesOf(this.#parts.join(''))
    this.#parts = [lines.pop() ?? '']
    return lines.flatMap((line) => this.#line(line) ?? [])
  }

  #line(line: string): ServerSentEvent | undefined {
    if (line !== '') {
      this.#field(line)
      return undefined
    }
    const [event, data] = [this.#event || 'message', this.#data]
    this.#event = ''
    this.#data = []
    return data.length > 0 ? { event, id: this.#id, data: data.join('\n') } : undefined
  }

  // Without a pattern: our engine takes a tenth of a second for a line of a megabyte.
  #field(line: string): void {
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const from = colon < 0 ? line.length : line[colon + 1] === ' ' ? colon + 2 : colon + 1
    if (field === 'data') this.#data.push(line.slice(from))
    else if (field === 'event') this.#event = line.slice(from)
    else if (field === 'id') this.#id = line.slice(from)
  }
}

/** What is behind the last end of a line comes last. Without a pattern, as in `#field`. */
function linesOf(text: string): string[] {
  if (!text.includes('\r')) return text.split('\n')
  // A CR at the end of the text may be the first half of CR LF.
  const open = text.endsWith('\r') ? '\r' : ''
  const whole = open === '' ? text : text.slice(0, -1)
  return (whole.replaceAll('\r\n', '\n').replaceAll('\r', '\n') + open).split('\n')
}
