import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildIndex } from './build-index.ts'
import { IndexText } from './index-text.ts'
import { search, type SearchOptions } from './search.ts'
import { processorMs } from '../../../test/support/processor-time.ts'

interface Described {
  name: string
  description?: string
  component?: string
  listedAs?: string
  properties?: object
  annotations?: object
}

function tool({ name, component = 'app', listedAs = name, properties = {}, ...rest }: Described) {
  const description = { name, inputSchema: { type: 'object', properties }, ...rest }
  return { name: listedAs, component, description }
}

function indexOf(...tools: Described[]): IndexText {
  return IndexText.of(buildIndex(tools.map(tool), 'digest')) as IndexText
}

function namesFound(index: IndexText, query: string, options: Partial<SearchOptions> = {}) {
  return search(index, query, { limit: 10, ...options }).found.map(({ name }) => name)
}

const SHOP = indexOf(
  { name: 'create_order', description: 'Creates an order.', component: 'shop' },
  { name: 'listOrders', component: 'shop', annotations: { readOnlyHint: true } },
  { name: 'ship', description: 'Ships a parcel of an order.', component: 'post' },
  {
    name: 'trace',
    description: 'Where is it?',
    component: 'post',
    properties: { parcelNumber: { type: 'string', description: 'Printed on the label' } },
  },
)

describe('search', () => {
  it('finds a tool by its name, however it is written', () => {
    expect(namesFound(SHOP, 'create order')[0]).toBe('create_order')
    expect(namesFound(SHOP, 'ORDERS list')[0]).toBe('listOrders')
    expect(namesFound(SHOP, 'create_order')[0]).toBe('create_order')
  })

  it('finds it by a word of its description, its component, a parameter and what is said of one', () => {
    expect(namesFound(SHOP, 'parcels')).toEqual(['ship', 'trace'])
    expect(namesFound(SHOP, 'post')).toEqual(expect.arrayContaining(['ship', 'trace']))
    expect(namesFound(SHOP, 'label')).toEqual(['trace'])
  })

  it('finds it by a related word, after the tools that have the word itself', () => {
    const index = indexOf({ name: 'generate_image' }, { name: 'photo_of_the_day' })
    expect(namesFound(index, 'photo')).toEqual(['photo_of_the_day', 'generate_image'])
  })

  it('returns nothing for words that no tool has', () => {
    expect(search(SHOP, 'zebra', { limit: 5 })).toEqual({ found: [], matches: 0 })
  })

  it('returns all tools in their order without a word to search for', () => {
    for (const query of [' ', 'what can you do for me?', '!']) {
      expect(namesFound(SHOP, query)).toEqual(['create_order', 'listOrders', 'ship', 'trace'])
    }
    expect(namesFound(SHOP, '', { component: 'post' })).toEqual(['ship', 'trace'])
    expect(namesFound(SHOP, '', { permitted: '0010' })).toEqual(['ship'])
  })

  it('filters by component and by annotations, with the defaults of the specification', () => {
    expect(namesFound(SHOP, 'order', { component: 'post' })).toEqual(['ship'])
    expect(namesFound(SHOP, 'order', { component: 'none' })).toEqual([])
    const readOnly = { annotations: { readOnlyHint: true } }
    expect(namesFound(SHOP, 'order', readOnly)).toEqual(['listOrders'])
    const destructive = { annotations: { destructiveHint: true } }
    expect(namesFound(SHOP, 'order', destructive).sort()).toEqual(['create_order', 'ship'])
  })

  it('returns no more than the limit, and says how many match', () => {
    const { found, matches } = search(SHOP, 'order', { limit: 1 })
    expect(found).toHaveLength(1)
    expect(matches).toBe(3)
  })

  it('has the name of the list and the own name of a tool that was renamed', () => {
    const index = indexOf({ name: 'echo', listedAs: 'other__echo', component: 'other' })
    expect(search(index, 'echo', { limit: 1 }).found[0]).toMatchObject({
      name: 'other__echo',
      ownName: 'echo',
      component: 'other',
    })
  })

  it('finds tools in a script without spaces', () => {
    const index = indexOf(
      { name: 'weather', description: '東京の天気予報を返します' },
      { name: 'news', description: '今日のニュース' },
    )
    expect(namesFound(index, '天気予報')).toEqual(['weather'])
  })

  it.each([
    ['a megabyte', 'x '.repeat(500_000)],
    ['one long word', 'x'.repeat(1_000_000)],
    ['a pattern that would take for ever', `${'(a+)+'.repeat(1000)}$`],
    ['names of prototypes', '__proto__ constructor toString hasOwnProperty'],
    ['lines of the index', '\norder 0ZZZZ\n\n["evil","order"]'],
    ['symbols and halves of them', '😀\ud800\udc00\ud800 \u202e\u0000\ufeff'],
  ])('answers a query of %s in a moment', (_, query) => {
    const start = processorMs()
    expect(search(SHOP, query, { limit: 5 }).found.length).toBeLessThanOrEqual(5)
    expect(processorMs() - start).toBeLessThan(500)
  })
})

const WORD = fc.constantFrom(
  ...'file files read image photo order orders get_user userId メール größe 42 a __proto__'.split(
    ' ',
  ),
)
const TEXT = fc.oneof(
  fc.array(WORD, { maxLength: 8 }).map((words) => words.join(' ')),
  fc.string(),
)
const TOOLS = fc.array(
  fc.record({
    name: fc.stringMatching(/^[A-Za-z0-9_.-]{1,20}$/),
    description: TEXT,
    component: fc.constantFrom('a', 'b', 'constructor'),
    properties: fc.dictionary(fc.string(), fc.record({ description: TEXT }), { maxKeys: 3 }),
    isHidden: fc.boolean(),
  }),
  { maxLength: 12 },
)

describe('the index of any tools', () => {
  it('has them all, in their order', () => {
    fc.assert(
      fc.property(TOOLS, (tools) => {
        const index = indexOf(...tools)
        expect(index.size).toBe(tools.length)
        tools.forEach(({ name, component }, place) => {
          expect(index.tool(place)).toMatchObject({ place, name, component })
        })
      }),
    )
  })

  it('answers a caller who may not see some as if they did not exist', () => {
    fc.assert(
      fc.property(TOOLS, TEXT, (tools, query) => {
        const all = tools
          .toSorted((one, other) => one.component.localeCompare(other.component))
          .map((each, number) => ({ ...each, name: `${number}-${each.name}` }))
        const hidden = new Set(all.flatMap(({ name, isHidden }) => (isHidden ? [name] : [])))
        const permitted = all.map(({ isHidden }) => (isHidden ? '0' : '1')).join('')
        const options = { limit: 20, permitted }
        const strip = ({ found, matches }: ReturnType<typeof search>) => ({
          found: found.map(({ place: _, ...rest }) => rest),
          matches,
        })
        const visible = all.filter(({ name }) => !hidden.has(name))
        expect(strip(search(indexOf(...all), query, options))).toEqual(
          strip(search(indexOf(...visible), query, { limit: 20 })),
        )
      }),
    )
  })

  it('keeps the annotations that a tool states', () => {
    const hint = fc.constantFrom(undefined, true, false)
    const annotations = fc.record(
      { readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(annotations, { minLength: 1 }), (all) => {
        const index = indexOf(
          ...all.map((each, number) => ({ name: `t${number}`, annotations: each })),
        )
        all.forEach((each, place) => {
          expect({ ...each, ...index.annotations(place) }).toEqual(each)
          const stated = Object.values(each).filter((value) => value !== undefined)
          expect(Object.keys(index.annotations(place))).toHaveLength(stated.length)
        })
      }),
    )
  })

  it('is not read if it is another text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(IndexText.of(text)).toBeUndefined()
      }),
    )
    expect(IndexText.of('{"version":0}\n\n')).toBeUndefined()
  })
})

describe('a component that stuffs its descriptions', () => {
  const honest = { name: 'send_email', description: 'Sends an email.', component: 'mail' }

  it('does not come before a tool whose name says it, by repeating a word', () => {
    const stuffed = { name: 'x', description: 'email send '.repeat(5_000), component: 'evil' }
    expect(namesFound(indexOf(stuffed, honest), 'send email')[0]).toBe('send_email')
  })

  it('does not come before it by listing all words', () => {
    const words = 'send email delete file pay invoice book flight weather image translate user'
    const stuffed = { name: 'best_tool', description: `${words} `.repeat(20), component: 'evil' }
    expect(namesFound(indexOf(stuffed, honest), 'send an email to Bob')[0]).toBe('send_email')
  })
})
