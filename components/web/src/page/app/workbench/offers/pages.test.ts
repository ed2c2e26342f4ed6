import { describe, expect, it } from 'vitest'
import { type Listed, MOST_ENTRIES, readPages } from './pages.ts'

const read = (value: unknown) => (typeof value === 'string' ? [value] : [])

function list(
  pages: (at: number) => { entries: unknown[]; cursor?: string },
  from?: Listed<string>,
) {
  const asked: (string | undefined)[] = []
  const found = readPages({
    read,
    keyOf: (entry) => entry,
    ask: async (cursor) => {
      asked.push(cursor)
      const { entries, cursor: next } = pages(asked.length - 1)
      return { entries, cursor: next }
    },
    ...(from && { from }),
  })
  return { found, asked }
}

describe('a list', () => {
  it('of several pages is read to its end', async () => {
    const { found, asked } = list((at) => ({
      entries: [`a${at}`, `b${at}`],
      ...(at < 2 && { cursor: `to ${at + 1}` }),
    }))
    expect(await found).toEqual({
      entries: ['a0', 'b0', 'a1', 'b1', 'a2', 'b2'],
      cursor: undefined,
      notes: [],
    })
    expect(asked).toEqual([undefined, 'to 1', 'to 2'])
  })

  it('of many pages goes on when the user asks for more', async () => {
    const endless = (at: number) => ({ entries: [`entry ${at}`], cursor: `to ${at + 1}` })
    const first = await list(endless).found
    expect(first.entries).toHaveLength(20)
    expect(first.cursor).toBe('to 20')
    const { found, asked } = list((at) => endless(at + 20), first)
    expect((await found).entries).toHaveLength(40)
    expect(asked[0]).toBe('to 20')
  })

  it.each([
    ['the same cursor again', (at: number) => ({ entries: [`e${at}`], cursor: 'again' }), 2],
    [
      'the same entries under new cursors',
      (at: number) => ({ entries: ['e'], cursor: `${at}` }),
      2,
    ],
    ['empty pages', (at: number) => ({ entries: [], cursor: `${at}` }), 2],
    ['a circle', (at: number) => ({ entries: [`e${at}`], cursor: `${at % 3}` }), 4],
  ])('that has %s ends, and says so', async (_, pages, requests) => {
    const { found, asked } = list(pages)
    const { cursor, notes } = await found
    expect(cursor).toBeUndefined()
    expect(notes).toContain('The pages of the list go in a circle. The list ends here.')
    expect(asked).toHaveLength(requests)
  })

  it('ends after the most entries that are shown', async () => {
    const { found } = list((at) => ({
      entries: Array.from({ length: 3_000 }, (_, index) => `${at} ${index}`),
      cursor: `${at}`,
    }))
    const { entries, notes } = await found
    expect(entries).toHaveLength(MOST_ENTRIES)
    expect(notes).toEqual(['The list goes on after 10,000 entries. The others are not shown.'])
  })

  it('leaves out what cannot be read, and shows what comes twice once', async () => {
    const { found } = list(() => ({ entries: ['a', 5, null, 'a', 'b'] }))
    const { entries, notes } = await found
    expect(entries).toEqual(['a', 'b'])
    expect(notes).toEqual(['The server lists some entries twice; each is shown once.'])
  })
})
