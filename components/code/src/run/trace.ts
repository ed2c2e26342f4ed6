/** What a run did, call by call, for a person who looks at it: never part of what a model reads. */

/** One call of the program; times are milliseconds. */
export interface TracedCall {
  /** `component.tool`, `search` or `describe`. */
  tool: string
  /** Since the start of the run. The call may have waited for its turn. */
  start: number
  /** @default it had not ended when the program did */
  ms?: number
  /** `ok`, or the code of the error. */
  outcome: string
  /** As JSON. */
  args?: string
  /** As JSON, or the error's message. */
  result?: string
  /** `args` or `result` is cut. */
  isCut?: boolean
}

export interface TraceReport {
  /** Milliseconds that the run took. */
  ms: number
  /** The program was started again: calls it had made before were answered from the journal. */
  replayed?: boolean
  calls: TracedCall[]
  /** Calls that are left out. */
  omitted?: number
}

/** Characters of the arguments, or the result, of one call. */
const LONGEST = 2_000
/** Characters of all of them. */
const ROOM = 100_000
const MOST_CALLS = 500

export class Trace {
  readonly #now: () => number
  readonly #began: number
  readonly #calls: TracedCall[] = []
  #room = ROOM
  #omitted = 0

  constructor(now: () => number) {
    this.#now = now
    this.#began = now()
  }

  /** Notes a call, and how it ends. @param args as JSON. */
  async follow<T>(tool: string, args: string, call: Promise<T>): Promise<T> {
    if (this.#calls.length >= MOST_CALLS) {
      this.#omitted++
      return call
    }
    const start = this.#now() - this.#began
    const noted: TracedCall = { tool: tool.slice(0, 200), start, outcome: 'unfinished' }
    this.#calls.push(noted)
    this.#put(noted, 'args', args)
    const end = (outcome: string, result: string) => {
      noted.ms = this.#now() - this.#began - start
      noted.outcome = outcome
      this.#put(noted, 'result', result)
    }
    try {
      const result = await call
      end('ok', JSON.stringify(result) ?? '')
      return result
    } catch (error) {
      const { code = 'failed', message = '' } = error as { code?: string; message?: string }
      end(code, message)
      throw error
    }
  }

  report(replayed: boolean): TraceReport {
    return {
      ms: this.#now() - this.#began,
      ...(replayed && { replayed }),
      calls: this.#calls,
      ...(this.#omitted > 0 && { omitted: this.#omitted }),
    }
  }

  #put(noted: TracedCall, name: 'args' | 'result', text: string): void {
    const kept = text.slice(0, Math.min(LONGEST, this.#room)).toWellFormed()
    this.#room -= kept.length
    noted[name] = kept
    if (kept.length < text.length) noted.isCut = true
  }
}
