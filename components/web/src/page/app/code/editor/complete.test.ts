import { CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { typescriptLanguage } from '@codemirror/lang-javascript'
import { EditorState } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { type Declared, readDeclared } from '../declared/program-tools.ts'
import { processorMs } from '../../../../../../../test/support/processor-time.ts'
import { completeTools } from './complete.ts'

const forecast = {
  name: 'forecast',
  description: 'The weather of a city',
  inputSchema: {
    type: 'object',
    required: ['city'],
    properties: {
      city: { type: 'string' },
      unit: { type: 'string', enum: ['C', "F'"] },
      hourly: { type: 'boolean' },
      place: { $ref: '#/$defs/place' },
    },
    $defs: {
      place: { type: 'object', properties: { lat: { type: 'number' }, in: { type: 'string' } } },
    },
  },
  outputSchema: {
    type: 'object',
    properties: {
      rain: { type: 'number' },
      days: { type: 'array', items: { type: 'object', properties: { day: { type: 'string' } } } },
      'wind-speed': { type: 'number' },
    },
  },
}
const tools = [
  forecast,
  { name: 'my-comp__echo', inputSchema: { type: 'object' } },
  { name: '__proto__', description: '<img src=x onerror=alert(1)>', inputSchema: {} },
  { name: 'run_code', inputSchema: { properties: { trace: {} } } },
  { name: 'call_tool', inputSchema: {} },
]
const owners = JSON.parse(
  `{"a":{"name":"forecast","component":"weather"},"b":{"name":"my-comp__echo","component":"my-comp"},
    "__proto__":{"name":"__proto__","component":"weather"},"c":{"name":"run_code","component":"code"}}`,
) as object
const known = readDeclared({ tools }, { owners })

/** @param code with `|` at the cursor. */
function complete(code: string, of: Declared = known): CompletionResult | null {
  const pos = code.indexOf('|')
  const doc = code.replace('|', '')
  const state = EditorState.create({ doc, extensions: [typescriptLanguage] })
  return completeTools(() => of)(new CompletionContext(state, pos, true))
}
const labels = (code: string) => complete(code)?.options.map(({ label }) => label)

it('reads the tools by component and their own names, without those of the gateway', () => {
  expect([...known.components].map(([name, own]) => [name, [...own.keys()]])).toEqual([
    ['weather', ['forecast', '__proto__']],
    ['my-comp', ['echo']],
  ])
  expect(known).toMatchObject({ runner: 'run_code', hasTrace: true })
})

describe('offers', () => {
  it.each([
    ['components', 'return tools.|', ['weather', 'my-comp']],
    ['components of which a part is written', 'await tools.wea|', ['weather', 'my-comp']],
    ['tools', 'await tools.weather.|', ['forecast', '__proto__']],
    ['tools of a quoted component', "await tools['my-comp'].e|", ['echo']],
    ['arguments', 'tools.weather.forecast({ | })', ['city', 'unit', 'hourly', 'place']],
    [
      'arguments not given yet',
      "tools.weather.forecast({ city: 'x', u| })",
      ['unit', 'hourly', 'place'],
    ],
    ['arguments inside of one', 'tools.weather.forecast({ place: { | } })', ['lat', 'in']],
    ['values of an argument', 'tools.weather.forecast({ unit: | })', ["'C'", "'F\\''"]],
    ['values in quotes', "tools.weather.forecast({ unit: 'C|' })", ["'C'", "'F\\''"]],
    ['yes or no', 'tools.weather.forecast({ hourly: t| })', ['true', 'false']],
    [
      'fields of a result',
      'const x = await tools.weather.forecast({})\nx.|',
      ['rain', 'days', 'wind-speed'],
    ],
    ['fields of a list', 'const x = await tools.weather.forecast({})\nx.days[0].|', ['day']],
    [
      'fields of what is awaited',
      '(await tools.weather.forecast({})).|',
      ['rain', 'days', 'wind-speed'],
    ],
    [
      'fields to take apart',
      'const { r| } = await tools.weather.forecast({})',
      ['rain', 'days', 'wind-speed'],
    ],
    [
      'fields of what was taken apart',
      'const { days: d } = await tools.weather.forecast({})\nd[0].|',
      ['day'],
    ],
    [
      'fields in a loop',
      'const x = await tools.weather.forecast({})\nfor (const d of x.days) d.|',
      ['day'],
    ],
    [
      'fields in a callback',
      'const x = await tools.weather.forecast({})\nx.days.map((d) => d.|)',
      ['day'],
    ],
  ])('%s', (_, code, expected) => {
    expect(labels(code)).toEqual(expected)
  })

  it('what a program has, and its own variables', () => {
    expect(labels('const mine = 1\nm|')).toEqual(
      expect.arrayContaining(['tools', 'search', 'mine']),
    )
  })
})

it.each([
  ['in a comment', '// tools.|'],
  ['in a text', "const a = 'tools.|'"],
  ['for another object', 'const x = 1\nx.|'],
  ['for a component that is not there', 'tools.constructor.|'],
  ['for a tool that is not there', 'tools.weather.constructor.|'],
  ['for a variable that is its own value', 'const x = x\nx.|'],
])('offers nothing %s', (_, code) => {
  expect(complete(code)).toBeNull()
})

it('follows no reference without end', () => {
  const inputSchema = {
    properties: {
      a: { $ref: '#/properties/a' },
      b: { $ref: '#/__proto__/x' },
      c: { allOf: [{ $ref: '#' }] },
    },
  }
  const of = readDeclared(
    { tools: [{ name: 't', inputSchema }] },
    { owners: { t: { name: 't', component: 'c' } } },
  )
  expect(complete('tools.c.t({ | })', of)?.options).toHaveLength(3)
  expect(complete('tools.c.t({ a: { | } })', of)?.options ?? []).toEqual([])
})

it('takes ten times as long for 2,000 tools as for 200, and not a hundred times', () => {
  /** How often it is done in a third of a second of the processor: other programs of the machine do not count. */
  const timesFor = (count: number) => {
    const many = Array.from({ length: count }, (_, at) => ({ ...forecast, name: `tool_${at}` }))
    const owned = Object.fromEntries(many.map(({ name }) => [name, { name, component: 'big' }]))
    const of = readDeclared({ tools: many }, { owners: owned })
    const code = `${'await tools.big.tool_7({ city: "x" })\n'.repeat(20)}tools.big.|`
    // The first one parses with code that is not warm yet.
    complete(code, of)
    let times = 0
    for (const start = processorMs(); processorMs() - start < 300; times++) {
      expect(complete(code, of)?.options).toHaveLength(count)
    }
    return times
  }
  expect(timesFor(200)).toBeLessThan(40 * timesFor(2_000))
})
