import { describe, expect, it } from 'vitest'
import { processorMs } from '../../../../../../test/support/processor-time.ts'
import { search } from './fuzzy.ts'

function entry(text: string, more = '') {
  return { text, searchable: { text: text.toLowerCase(), more: more.toLowerCase() } }
}

function found(query: string, ...entries: ReturnType<typeof entry>[]): string[] {
  return search(entries, query).map(({ text }) => text)
}

describe('searching the palette', () => {
  const tools = ['generate_image', 'calculator', 'echo', 'Settings', 'search_tools'].map((name) =>
    entry(name),
  )

  it.each([
    ['gim', 'generate_image'],
    ['geni', 'generate_image'],
    ['image gen', 'generate_image'],
    ['CALC', 'calculator'],
    ['st', 'Settings'],
    ['sto', 'search_tools'],
  ])('%s finds %s', (query, name) => {
    expect(found(query, ...tools)).toContain(name)
  })

  it('shows everything, in its order, for nothing', () => {
    expect(found('  ', ...tools)).toEqual(tools.map(({ text }) => text))
  })

  it('prefers a name that begins with it to one that contains it, and that to a description', () => {
    expect(
      found('echo', entry('other', 'like echo'), entry('my_echo'), entry('reecho'), entry('echo')),
    ).toEqual(['echo', 'my_echo', 'reecho', 'other'])
  })

  it.each(['zzz', 'gxq', '[', '\\', '(?:', '*'])('finds nothing for %s', (query) => {
    expect(found(query, ...tools)).toEqual([])
  })

  it('does not find letters that are scattered through a long text', () => {
    expect(found('qa', entry('quite another long sentence'), entry('a quiet village'))).toEqual([
      'quite another long sentence',
    ])
  })
})

it('searches 2,000 tools in a moment, even for hostile queries', () => {
  const entries = Array.from({ length: 2_000 }, (_, index) =>
    entry(`server_${index % 40}/do_the_thing_${index}`, 'what it does, at length. '.repeat(20)),
  )
  for (const query of ['thing 1999', 'dtt', 's'.repeat(2_000), 'a b '.repeat(200)]) {
    const times = Array.from({ length: 3 }, () => {
      const start = processorMs()
      search(entries, query)
      return processorMs() - start
    })
    expect(Math.min(...times), query.slice(0, 20)).toBeLessThan(200)
  }
  expect(search(entries, 'thing 1999')[0]?.text).toBe('server_39/do_the_thing_1999')
})
