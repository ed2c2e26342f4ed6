/**
 * Reading server-sent events.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */

/** Accepts text in pieces of any size and returns the `data` of each complete event that has data. */
export class EventReader {
  #parts: string[] = []
  #data: string[] = []

  push(text: string): string[] {
    const found: string[] = []
    this.#parts.push(text)
    // A line of megabytes arrives in many pieces: join them only once.
    if (!/[\r\n]/.test(text) && !this.#parts[0]?.endsWith('\r')) return found
    const whole = this.#parts.join('')
    let from = 0
    // A CR at the end of the text may be the first half of CR LF.
    for (const { 0: end, index } of whole.matchAll(/\r\n|\n|\r(?!$)/g)) {
      this.#line(whole.slice(from, index), found)
      from = index + end.length
    }
    this.#parts = [whole.slice(from)]
    return found
  }

  #line(line: string, found: string[]): void {
    if (line === '') {
      if (this.#data.length > 0) found.push(this.#data.join('\n'))
      this.#data = []
      return
    }
    const colon = line.indexOf(':')
    if ((colon < 0 ? line : line.slice(0, colon)) !== 'data') return
    const value = colon < 0 ? '' : line.slice(colon + 1)
    this.#data.push(value.startsWith(' ') ? value.slice(1) : value)
  }
}
