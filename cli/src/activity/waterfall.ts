/** The trace of a request as text: each span below the one that it belongs to, with a bar on one scale. */
import { paint } from '../terminal/ui.ts'
import { visible } from '../terminal/visible-text.ts'
import { requestLine } from './request-line.ts'
import type { ShownRequest, ShownSpan } from './activity-types.ts'

const WORDS: Readonly<Record<string, string>> = {
  component: 'runs',
  call: 'calls',
  kv: 'store',
  variable: 'variable',
  network: 'network',
}

const BAR_WIDTH = 30
const NAME_WIDTH = 48

/** Deeper spans are not moved further in. */
const MAX_DEPTH = 8

/** @returns lines: the request, its spans, and what was printed for it. */
export function waterfall(request: ShownRequest): string[] {
  const { spans = [], lines = [], watched, ms } = request
  const whole = Math.max(ms, ...spans.map((span) => span.start + span.ms), 0.001)
  const head = [requestLine(request), '']
  if (spans.length === 0) return [...head, emptyWords(watched), ...printed(lines)]
  const scale = ' '.repeat(NAME_WIDTH + 12) + `0${`${whole.toFixed(1)} ms`.padStart(BAR_WIDTH - 1)}`
  const rows = inOrder(spans).map(({ span, depth }) => row(span, depth, whole))
  return [...head, paint('dim', scale), ...rows, ...printed(lines)]
}

function row(
  { kind, name, start, ms, status, error }: ShownSpan,
  depth: number,
  whole: number,
): string {
  const answer = status === undefined ? '' : ` ${status}`
  const text = `${'  '.repeat(depth)}${WORDS[kind] ?? kind} ${visible(name)}${answer}`
  const short =
    text.length > NAME_WIDTH ? `${text.slice(0, NAME_WIDTH - 1)}…` : text.padEnd(NAME_WIDTH)
  const from = Math.min(Math.floor((start / whole) * BAR_WIDTH), BAR_WIDTH - 1)
  const width = Math.max(1, Math.min(Math.round((ms / whole) * BAR_WIDTH), BAR_WIDTH - from))
  const isBad = error !== undefined || (status ?? 0) >= 500
  const bar = paint(isBad ? 'red' : kind === 'component' ? 'cyan' : 'blue', '█'.repeat(width))
  const problem = error === undefined || error === '' ? '' : ` ${paint('red', visible(error))}`
  return `${short} ${`${ms.toFixed(2)} ms`.padStart(10)} ${' '.repeat(from)}${bar}${problem}`
}

/** Parents first, children in the order in which they began. A parent that is not there is the request. */
function inOrder(spans: readonly ShownSpan[]): { span: ShownSpan; depth: number }[] {
  const ids = new Set(spans.map(({ id }) => id))
  const below = new Map<string | undefined, ShownSpan[]>()
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const { id, parent } = span
    const place = parent !== undefined && parent !== id && ids.has(parent) ? parent : undefined
    const list = below.get(place)
    if (list) list.push(span)
    else below.set(place, [span])
  }
  const rows: { span: ShownSpan; depth: number }[] = []
  const add = (parent: string | undefined, depth: number) => {
    const children = below.get(parent) ?? []
    // Each list is taken once, so spans that are each other's parents end.
    below.delete(parent)
    for (const span of children) {
      rows.push({ span, depth: Math.min(depth, MAX_DEPTH) })
      add(span.id, depth + 1)
    }
  }
  add(undefined, 0)
  return rows
}

function printed(lines: NonNullable<ShownRequest['lines']>): string[] {
  if (lines.length === 0) return []
  const shown = lines.map(
    ({ at, component, line }) =>
      `${paint('dim', `${at.toFixed(1)} ms`.padStart(10))} [${visible(component)}] ${visible(line)}`,
  )
  return ['', 'Printed:', ...shown]
}

function emptyWords(watched: boolean): string {
  return watched
    ? 'It has no trace: no component ran for it, or it is running.'
    : 'It has no trace: it began before the activity was read. Run "ftl activity -f", and send it again.'
}
