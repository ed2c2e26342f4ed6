/** Lines of a gateway about calls of tools: one when a call begins, one when it has ended. */

const BEGIN = '{"audit":1,"event":"begin",'

/** What the line of an end begins with. */
export const CALL_END = '{"audit":1,"event":"call",'

/** The time and the id of a call follow the event in both lines. */
const TIME = '"time":"'
const CALL = '","call":"'
const MAX_TIME = 40
const ID = /^[\w-]{1,64}$/

/** Each call has two such lines, so this looks at places and not with a pattern at the line, which takes three times as long. */
function idAfter(event: string, line: string): string | undefined {
  const time = event.length + TIME.length
  if (!line.startsWith(TIME, event.length)) return undefined
  const call = line.indexOf('"', time)
  if (call <= time || call - time > MAX_TIME || !line.startsWith(CALL, call)) return undefined
  const from = call + CALL.length
  const to = line.indexOf('"', from)
  const id = to < 0 ? '' : line.slice(from, to)
  if (line[to + 1] !== ',' || !ID.test(id)) return undefined
  return line.slice(time, call).includes('\\') ? undefined : id
}

export const isBegin = (line: string): boolean => line.startsWith(BEGIN)

/** The id of the call whose end a line tells; `undefined` for other lines, and for a call that went to no component. */
export function callOf(line: string): string | undefined {
  return line.startsWith(CALL_END) ? idAfter(CALL_END, line) : undefined
}

/** Calls of one request that are remembered; a gateway takes a list of 50. */
const MAX_CALLS = 1000

/** The calls of a request that have begun and have no line of their end. */
export class BegunCalls {
  readonly #begun = new Map<string, { line: string; at: number }>()

  /** @param line of a gateway */
  take(line: string): void {
    if (isBegin(line)) {
      const call = idAfter(BEGIN, line)
      if (call !== undefined && this.#begun.size < MAX_CALLS) {
        this.#begun.set(call, { line, at: performance.now() })
      }
    } else if (this.#begun.size > 0) {
      const call = callOf(line)
      if (call !== undefined) this.#begun.delete(call)
    }
  }

  /**
   * Nothing will end them any more.
   *
   * @returns the lines of their ends.
   */
  end(outcome: 'killed' | 'unknown', reason: string): string[] {
    const ended = [...this.#begun.values()].map(({ line, at }) => {
      const about = line.slice(BEGIN.length).replace(/^"time":"[^"]*",/, '')
      const time = new Date().toISOString()
      const end = { outcome, reason, ms: Math.round(performance.now() - at) }
      return `${CALL_END}"time":"${time}",${about.slice(0, -1)},${JSON.stringify(end).slice(1)}`
    })
    this.#begun.clear()
    return ended
  }
}
