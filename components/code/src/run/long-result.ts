/** A result that is too long for one answer: its beginning, and the handle by which the gateway gives the rest. */
import type { Limits } from './limits.ts'
import type { Cut, LongResult } from './report.ts'
import type { RunGateway } from './run-gateway.ts'
import type { RunOutcome } from './session.ts'

/** Characters of a page that the gateway gives at most. */
const LONGEST_PAGE = 1_000_000

/** @returns `undefined` for one that is short enough. */
export async function longResult(
  { json, value, error, stopped }: RunOutcome,
  gateway: RunGateway,
  { result_chars: most }: Pick<Limits, 'result_chars'>,
): Promise<LongResult | undefined> {
  if (json === undefined || error || stopped) return undefined
  // Text is shown as text, so its pages are those of the text.
  const form = typeof value === 'string' ? 'text' : 'json'
  const whole = typeof value === 'string' ? value.toWellFormed() : json
  if (whole.length <= most) return undefined
  const shown = whole.slice(0, cutsPair(whole, most) ? most - 1 : most)
  const cut: Cut = { shown: shown.length, of: whole.length, form }
  try {
    return {
      shown,
      cut: {
        ...cut,
        ...(await gateway.keep(whole, Math.min(most, LONGEST_PAGE))),
        next: shown.length,
      },
    }
  } catch {
    // It is over 4 MB, the time is over, or the store is full: the program can return less.
    return { shown, cut }
  }
}

/** Whether the place is between the two halves of a character. */
function cutsPair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))
}
