import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markOf, mayHaveMark, withMark } from './source-mark.ts'

/** Magic and version of a component. */
const EMPTY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0)

test('a mark is read as it was written', () =>
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string(), { maxLength: 5 }), (source, without) => {
      const component = withMark(EMPTY, { source, without })
      expect([...component.subarray(0, EMPTY.length)]).toEqual([...EMPTY])
      expect(markOf(component)).toEqual({ source, without })
    }),
  ))

test('a mark has what the gateway says of itself, up to the limits of ftl build', () => {
  const server = {
    name: 'x',
    instructions: '\n'.repeat(16_384),
    icons: [{ src: 'x'.repeat(32_768) }],
  }
  const component = withMark(EMPTY, { source: 'a', without: [], server })
  expect(markOf(component)).toEqual({ source: 'a', without: [], server })
})

test('a component without one has none', () => expect(markOf(EMPTY)).toBeUndefined())

test('only the last section counts', () => {
  const component = withMark(withMark(EMPTY, { source: 'a', without: [] }), {
    source: 'b',
    without: [],
  })
  expect(markOf(component)?.source).toBe('b')
})

test.each(['null', '{}', '{"source":1,"without":[]}', '{"source":"a","without":"b"}', 'x'])(
  'a section with %s is none',
  (text) => {
    const name = 'ftl:source'
    const content = Buffer.from(text)
    const section = Buffer.concat([Buffer.from([name.length]), Buffer.from(name), content])
    expect(
      markOf(Buffer.concat([EMPTY, Buffer.from([0, section.length]), section])),
    ).toBeUndefined()
  },
)

test('a mark of more than 256 kilobytes is none', () =>
  expect(markOf(withMark(EMPTY, { source: 'x'.repeat(263_000), without: [] }))).toBeUndefined())

test('the end of a file shows whether it may have one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-mark-'))
  const file = join(folder, 'component.wasm')
  const mark = { source: 'x'.repeat(200_000), without: [] }
  try {
    for (const component of [EMPTY, Buffer.concat([EMPTY, Buffer.alloc(1_000_000)])]) {
      await writeFile(file, component)
      expect(await mayHaveMark(file)).toBe(false)
      await writeFile(file, withMark(component, mark))
      expect(await mayHaveMark(file)).toBe(true)
    }
    await expect(mayHaveMark(join(folder, 'missing.wasm'))).rejects.toThrow('ENOENT')
  } finally {
    await rm(folder, { recursive: true })
  }
})
