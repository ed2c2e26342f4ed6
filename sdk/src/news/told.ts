/** What a handler tells while it works: `progress` and `log` of its context. */
import type { ToolNews, ToolStatus } from '../tool/stream.ts'

/** Lines that wait for a slow reader; beyond them status lines are left out, and soon log lines too. */
const MAX_STATUS = 100
const MAX_LINES = 1000

/** The lines of one call, in their order. There is one only where somebody listens. */
export class Told {
  readonly #lines: ToolNews[] = []
  #wake: (() => void) | undefined
  #last = -Infinity

  add(news: ToolNews): void {
    if (this.#lines.length >= ('type' in news ? MAX_LINES : MAX_STATUS)) return
    if (!('type' in news) && news.progress !== undefined) {
      // What clients are promised; a line without a number still says what it says.
      if (news.progress > this.#last) this.#last = news.progress
      else if (news.message === undefined) return
      else news = { message: news.message }
    }
    this.#lines.push(news)
    this.#wake?.()
  }

  take(): ToolNews | undefined {
    return this.#lines.shift()
  }

  /** Settles when there is a line. */
  some(): Promise<void> {
    return this.#lines.length > 0
      ? Promise.resolve()
      : new Promise((resolve) => (this.#wake = resolve))
  }
}

export function toStatus(news: number | string | ToolStatus): ToolStatus {
  if (typeof news === 'number') return { progress: news }
  return typeof news === 'string' ? { message: news } : news
}
