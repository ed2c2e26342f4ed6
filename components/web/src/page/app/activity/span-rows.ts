/** The spans of a request as rows: each below the one that it belongs to, in the order in which they began. */
import type { Span } from './request-activity.ts'

export interface SpanRow {
  span: Span
  /** How deep it is in the tree. */
  depth: number
}

/** Deeper rows are not moved further in. */
const MOST_DEPTH = 12

/** @param isShown rows that are left out do not take their children with them. */
export function spanRows(spans: readonly Span[], isShown: (span: Span) => boolean): SpanRow[] {
  const ids = new Set(spans.map(({ id }) => id))
  const below = new Map<string | undefined, Span[]>()
  for (const span of spans) {
    // The parent may have been dropped, and a span must not be its own.
    const { parent, id } = span
    const place = parent !== undefined && parent !== id && ids.has(parent) ? parent : undefined
    below.set(place, [...(below.get(place) ?? []), span])
  }
  const rows: SpanRow[] = []
  const seen = new Set<Span>()
  const add = (parent: string | undefined, depth: number) => {
    const children = (below.get(parent) ?? []).toSorted((a, b) => a.start - b.start)
    for (const span of children) {
      if (seen.has(span)) continue
      seen.add(span)
      const isIn = isShown(span)
      if (isIn) rows.push({ span, depth: Math.min(depth, MOST_DEPTH) })
      add(span.id, isIn ? depth + 1 : depth)
    }
  }
  add(undefined, 0)
  return rows
}
