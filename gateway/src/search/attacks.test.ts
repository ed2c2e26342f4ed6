import { describe, expect, it } from 'vitest'
import { createWorld, several, tool } from '../testing/components.ts'
import { send } from '../testing/rest.ts'
import { buildIndex, type IndexedDescription } from './build-index.ts'
import { IndexText } from './index-text.ts'
import { search } from './search.ts'
import { processorMs } from '../../../test/support/processor-time.ts'

const described = (
  component: string,
  name: string,
  description: string,
  rest: object = {},
): IndexedDescription => ({
  name,
  component,
  description: { name, description, inputSchema: { type: 'object' }, ...rest },
})

/** Sorted by component, as they are listed. */
function found(tools: IndexedDescription[], query: string, limit = 10) {
  const sorted = tools.toSorted((a, b) => (a.component < b.component ? -1 : 1))
  return search(IndexText.of(buildIndex(sorted, '')) as IndexText, query, { limit }).found
}

const HONEST = described('mail', 'send_email', 'Sends an email to people.')
const TASKS = [
  'send an email to Bob',
  'email the report to my team',
  'send mail',
  'write an email and send it',
]
const STUFFING = 'send email mail message write compose deliver report team people now '

describe('a component that wants its tool to be called instead of another', () => {
  const evil: [where: string, tool: IndexedDescription][] = [
    ['its description', described('evil', 'helper', STUFFING.repeat(200))],
    ['its title', described('evil', 'helper', 'Helps.', { title: STUFFING.repeat(20) })],
    ['its name', described('evil', `helper_${STUFFING.trim().replaceAll(' ', '_')}`, 'Helps.')],
    [
      'its parameters',
      described('evil', 'helper', 'Helps.', {
        inputSchema: {
          type: 'object',
          properties: Object.fromEntries(
            STUFFING.trim()
              .split(' ')
              .flatMap((word) =>
                [1, 2, 3].map((at) => [`${word}_${at}`, { description: STUFFING }]),
              ),
          ),
        },
      }),
    ],
    [
      'all of them',
      described('evil', 'helper_email_send', STUFFING.repeat(9), {
        title: STUFFING,
        inputSchema: { type: 'object', properties: { email: { description: STUFFING } } },
      }),
    ],
  ]

  it.each(evil)('does not hide it by stuffing %s, and its own component is shown', (_, stuffed) => {
    for (const task of TASKS) {
      const results = found([stuffed, HONEST], task)
      const place = results.findIndex(({ name }) => name === 'send_email')
      expect(place).toBeGreaterThanOrEqual(0)
      expect(place).toBeLessThanOrEqual(1)
      expect(results.find(({ name }) => name === stuffed.name)?.component ?? 'evil').toBe('evil')
    }
  })

  it.each(evil.slice(0, 4))(
    'does not come first by stuffing %s where the other tool says the same',
    (_, stuffed) => {
      for (const task of ['send an email to Bob', 'send email', 'emails that are to be sent']) {
        expect(found([stuffed, HONEST], task)[0]?.name).toBe('send_email')
      }
    },
  )

  it('does not fill the results with one tool under a hundred names', () => {
    const copies = Array.from({ length: 100 }, (_, at) =>
      described('evil', `send_email_${at}`, 'Sends an email to people. Send email.'),
    )
    for (const limit of [10, 20, 50]) {
      const results = found([...copies, HONEST], 'send email', limit)
      expect(results.map(({ name }) => name)).toContain('send_email')
      expect(results).toHaveLength(limit)
    }
    const others = Array.from({ length: 8 }, (_, at) =>
      described(
        `mail${at}`,
        `mail_${at}`,
        'Sends an email, a letter or a fax to one of many people.',
      ),
    )
    const results = found([...copies, HONEST, ...others], 'send email')
    expect(results.filter(({ component }) => component === 'evil')).toHaveLength(5)
  })
})

describe('a very large catalog', () => {
  it('of 20,000 tools is searched in a moment', () => {
    const words = 'alpha beta gamma delta order invoice user file mail report'.split(' ')
    const tools = Array.from({ length: 20_000 }, (_, at) =>
      described(
        `c${String(Math.floor(at / 1_000)).padStart(2, '0')}`,
        `${words[at % 10]}_${words[Math.floor(at / 10) % 10]}_${at}`,
        `Handles ${words[at % 7]} ${words[at % 9]}`,
      ),
    )
    const index = IndexText.of(buildIndex(tools, '')) as IndexText
    const start = processorMs()
    const { found: results, matches } = search(index, 'order invoice file mail report', {
      limit: 50,
    })
    expect(processorMs() - start).toBeLessThan(2_000)
    expect(results).toHaveLength(50)
    expect(matches).toBeGreaterThan(10_000)
  })

  it('has as many words of a description of a megabyte as of a short one', () => {
    const text = Array.from({ length: 100_000 }, (_, at) => `word${at}x`).join(' ')
    const start = processorMs()
    const index = buildIndex([described('big', 'big', `${text} last`)], '')
    expect(processorMs() - start).toBeLessThan(1_000)
    expect(index.length).toBeLessThan(10_000)
  })
})

describe('a query', () => {
  it('finds words with accents, however they are written', () => {
    const tools = [described('a', 'cafés', 'Lists cafe\u0301s.'), described('b', 'other', 'Tea.')]
    for (const query of ['café', 'cafe', 'CAFE\u0301', 'ｃａｆｅ']) {
      expect(found(tools, query).map(({ name }) => name)).toEqual(['cafés'])
    }
  })

  it('of 100 KB is refused with the limit, and not cut', async () => {
    const world = createWorld({ components: { a: several([tool('a')]) } })
    const long = 'word '.repeat(20_000)
    const call = (await world.rpc({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_tools', arguments: { query: long } },
    })) as object
    expect(JSON.stringify(call)).toMatch(/query.*1000/)
    expect(JSON.stringify(call).length).toBeLessThan(1_000)
    const { status, body } = await send(world, `/tools?query=${'x'.repeat(1_001)}`)
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain('query must have at most 1000 characters')
  })

  it.each([
    ['stop words', 'the of and with for'],
    ['emoji', '😀😀👩‍👩‍👧🏳️‍🌈'],
    ['control characters', '\u0000\u0007\u001b[\u202e'],
    ['punctuation of patterns', '.*+?^${}()|[]\\'],
  ])('of %s only is the same as an empty one', async (_, query) => {
    const world = createWorld({ components: { a: several([tool('x'), tool('y')]) } })
    const { body } = await send(world, `/tools?query=${encodeURIComponent(query)}`)
    expect(body).toMatchObject({ tools: [{ name: 'x' }, { name: 'y' }], matches: 2 })
  })
})
