import { describe, expect, it } from 'vitest'
import { buildIndex } from './build-index.ts'
import { IndexText } from './index-text.ts'
import { search } from './search.ts'
import { HELD_OUT, HELD_OUT_LATER } from './testing/labelled/queries.ts'
import { labelledQueries, labelledTools } from './testing/labelled/labelled.ts'

const tools = labelledTools()
const queries = labelledQueries()
const index = IndexText.of(buildIndex(tools, '')) as IndexText

const heldOut = labelledQueries(HELD_OUT)
const later = labelledQueries(HELD_OUT_LATER)

/** How many of the labelled tools are among the first results, as a share. */
function recallAt(limit: number, { query, tools }: (typeof queries)[number]): number {
  const names = search(index, query, { limit }).found.map(({ name }) => name)
  return tools.filter((name) => names.includes(name)).length / tools.length
}

function meanRecall(all: typeof queries): number {
  return all.reduce((sum, query) => sum + recallAt(5, query), 0) / all.length
}

describe('the labelled set', () => {
  it('has at least 500 tools and 200 queries, and labels only tools that it has', () => {
    const names = new Set(tools.map(({ name }) => name))
    expect(names.size).toBe(tools.length)
    expect(tools.length).toBeGreaterThanOrEqual(500)
    expect(queries.length).toBeGreaterThanOrEqual(200)
    expect(
      [...queries, ...heldOut, ...later].flatMap(({ tools: labels }) =>
        labels.filter((name) => !names.has(name)),
      ),
    ).toEqual([])
  })

  it('is searched with a recall at 5 of at least 0.9', () => {
    expect(meanRecall(queries)).toBeGreaterThanOrEqual(0.9)
  })

  it('is searched nearly as well for queries that it was not tuned for', () => {
    expect(heldOut.length).toBeGreaterThanOrEqual(60)
    expect(meanRecall(heldOut)).toBeGreaterThanOrEqual(0.85)
    expect(later.length).toBe(60)
    expect(meanRecall(later)).toBeGreaterThanOrEqual(0.88)
    expect(meanRecall([...heldOut, ...later])).toBeGreaterThanOrEqual(0.88)
  })
})
