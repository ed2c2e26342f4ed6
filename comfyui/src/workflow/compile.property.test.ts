import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { injectValues } from './compile.ts'
import { fill } from './fill.ts'
import { parseJsonText, valueAt } from './json-text.ts'
import { readFolder } from './testing.ts'

/**
 * A key of one escaped character: JSON.parse of V8 14.6 (Node 26) may take it for a backslash, so what it reads says
 * nothing there.
 */
const ESCAPED_KEY = /"\\(?:[^u]|u[0-9a-fA-F]{4})"\s*:/

/** Names that break careless code, and others. */
const anyKey = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'inputs',
    '57:27',
    '"',
    '\\',
    '\u2028',
    'é',
    '',
  ),
  fc.string({ minLength: 1, maxLength: 6 }),
)
const key = anyKey.filter((text) => !ESCAPED_KEY.test(`${JSON.stringify(text)}:`))

/** Written as ComfyUI or a person might, digits beyond 2^53 included. */
const literal = fc.oneof(
  fc.constantFrom(
    '18446744073709551615',
    '9007199254740993',
    '1.0',
    '-0',
    '1e5',
    '0.10',
    'null',
    'true',
  ),
  fc.json({ maxDepth: 2 }).filter((text) => !isLinkText(text)),
)
const space = fc.constantFrom('', ' ', '\n\t', '\r\n  ')

interface Written {
  text: string
  /** By node and input: where its value is. */
  places: Map<string, Map<string, { start: number; end: number }>>
}

/** A workflow as text, with the places known by how it was written and not by the code under test. */
const written = fc
  .tuple(
    fc.uniqueArray(
      fc.tuple(
        key,
        fc.uniqueArray(fc.tuple(key, literal), {
          selector: ([k]) => k,
          minLength: 1,
          maxLength: 4,
        }),
      ),
      {
        selector: ([k]) => k,
        minLength: 1,
        maxLength: 4,
      },
    ),
    space,
    fc.boolean(),
  )
  .map(([nodes, gap, wrapped]): Written => {
    let text = wrapped ? `{"client_id":"x",${gap}"prompt":${gap}{` : '{'
    const places: Written['places'] = new Map()
    nodes.forEach(([id, inputs], index) => {
      text += `${index > 0 ? ',' : ''}${gap}${JSON.stringify(id)}${gap}:{"inputs":${gap}{`
      const own = new Map<string, { start: number; end: number }>()
      inputs.forEach(([name, value], at) => {
        text += `${at > 0 ? ',' : ''}${JSON.stringify(name)}:${gap}`
        own.set(name, { start: text.length, end: text.length + value.length })
        text += `${value}${gap}`
      })
      places.set(id, own)
      text += `},"class_type":"SaveImage"}`
    })
    text += `${gap}}${wrapped ? '}' : ''}`
    return { text, places }
  })

const value = fc.oneof(
  fc.string(),
  fc.constantFrom('$&', '"', '\\', '\ud800', '</script>', '\u0000', '\u2028', '__proto__'),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
)

describe('injection', () => {
  it('changes nothing but the mapped value, byte for byte', async () => {
    const anyPlace = written.chain((workflow) => {
      const all = [...workflow.places].flatMap(([id, inputs]) =>
        [...inputs].map(([name, place]) => ({ id, name, place })),
      )
      return fc.tuple(fc.constant(workflow), fc.constantFrom(...all), value)
    })
    let run = 0
    await fc.assert(
      fc.asyncProperty(anyPlace, async ([{ text, places }, { id, name, place }, given]) => {
        // A path would be ambiguous here, and an empty name is refused.
        fc.pre(id !== '' && name !== '' && (places.get(id)?.size ?? 0) > 0)
        fc.pre(![...(places.get(id)?.keys() ?? [])].some((other) => name === `inputs.${other}`))
        const type =
          typeof given === 'string' ? 'string' : typeof given === 'number' ? 'number' : 'boolean'
        const fields = [{ name: 'f', type, mapping: { node: id, attribute: `inputs.${name}` } }]
        const { tools, findings } = await readFolder({
          'config/t.json': [{ name: 't', fields }],
          'workflows/t.json': text,
        })
        const [entry] = tools
        expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
        if (!entry) throw new Error('no tool')
        const { values } = fill(entry.tool.fields, { f: given }, Math.random)
        const result = injectValues(entry.tool, text, values)
        const { start, end } = entry.tool.body
        const [before, after] = [text.slice(start, place.start), text.slice(place.end, end)]
        expect(result).toBe(`${before}${JSON.stringify(given)}${after}`)
        // And it is what a parser reads there.
        const nodes = JSON.parse(result) as Record<string, { inputs: Record<string, unknown> }>
        const got = nodes[id]?.inputs[name]
        expect(got === given).toBe(true)
        run++
      }),
      { numRuns: 500 },
    )
    expect(run).toBeGreaterThan(300)
  })

  it('leaves a workflow without values as it is', async () => {
    await fc.assert(
      fc.asyncProperty(written, async ({ text }) => {
        const { tools } = await readFolder({ 'workflows/t.json': text })
        const [entry] = tools
        fc.pre(entry !== undefined)
        if (!entry) return
        const { start, end } = entry.tool.body
        expect(injectValues(entry.tool, text, new Map())).toBe(text.slice(start, end))
      }),
    )
  })
})

describe('parseJsonText', () => {
  it('takes what JSON.parse takes, with the same values, and refuses the rest', () => {
    const damaged = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '}', '{', '\\', ' ', '0', '\n', 'x'),
      )
      .map(
        ([text, at, put]) =>
          `${text.slice(0, at % (text.length + 1))}${put}${text.slice(at % (text.length + 1))}`,
      )
    fc.assert(
      fc.property(fc.oneof(fc.json(), damaged), (text) => {
        fc.pre(!ESCAPED_KEY.test(text))
        let wanted: unknown
        let valid = true
        try {
          wanted = JSON.parse(text)
        } catch {
          valid = false
        }
        if (!valid) expect(() => parseJsonText(text)).toThrow()
        else expect(valueAt(text, parseJsonText(text))).toEqual(wanted)
      }),
      { numRuns: 2000 },
    )
  })
})

function isLinkText(text: string): boolean {
  const link = JSON.parse(text) as unknown
  return Array.isArray(link) && link.length === 2 && typeof link[0] === 'string'
}
