/** What a program has written to its console, as far as the budget goes. */
export interface ConsoleLine {
  level: string
  text: string
}

const LEVELS: ReadonlySet<unknown> = new Set(['debug', 'info', 'warning', 'error'])
/** An entry without text takes room, too. */
const ENTRY = 10

export class ConsoleLines {
  readonly lines: ConsoleLine[] = []
  /** Entries that are left out, or cut. */
  omitted = 0
  #room: number

  constructor(chars: number) {
    this.#room = chars
  }

  add(level: unknown, text: unknown): void {
    if (typeof text !== 'string') return
    const room = this.#room - ENTRY
    if (room < 0) {
      this.omitted++
      return
    }
    const kept = text.slice(0, room).toWellFormed()
    if (kept.length < text.length) this.omitted++
    this.#room = room - kept.length
    this.lines.push({ level: LEVELS.has(level) ? (level as string) : 'info', text: kept })
  }
}
