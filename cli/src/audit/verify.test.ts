import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { hashOf, type Head, START } from 'ftl-host'
import { describe, expect, test } from 'vitest'
import type { Line } from './read-lines.ts'
import { verifyChain, type VerifyOptions } from './verify.ts'

/** Written here again, and not by the code that is checked. */
function chain(entries: readonly string[], from: Head = START): string[] {
  let { seq, hash } = from
  return entries.map((entry) => {
    const line = `{"seq":${++seq},"prev":"${hash}","audit":1,"text":${JSON.stringify(entry)}}`
    hash = hashOf(line)
    return line
  })
}

async function* linesOf(lines: readonly string[], isLastWhole = true): AsyncGenerator<Line> {
  for (const [index, line] of lines.entries()) {
    const isWhole = isLastWhole || index < lines.length - 1
    yield { file: 'log', number: index + 1, bytes: Buffer.from(line), isWhole }
  }
}

const verify = (lines: readonly string[], options?: VerifyOptions) =>
  verifyChain(linesOf(lines), options)

const LOG = chain(['a', 'b', 'c', 'd', 'e'])
const HEAD = hashOf(LOG.at(-1) ?? '')
const at = (index: number) => LOG[index] ?? ''

describe('a chain', () => {
  test('is whole as it was written, and its head is the hash of its last line', async () => {
    const verified = await verify(LOG, { head: HEAD })
    expect(verified).toMatchObject({ lines: 5, broken: [], head: { seq: 5, hash: HEAD } })
  })

  test.each([
    ['a removed line', LOG.toSpliced(2, 1), 3, '1 line is missing'],
    ['several removed lines', LOG.toSpliced(1, 3), 2, '3 lines are missing'],
    ['a removed first line', LOG.slice(1), 1, 'does not begin here'],
    ['a changed line', LOG.with(1, at(1).replace('"b"', '"x"')), 3, 'was changed'],
    ['an inserted line', LOG.toSpliced(2, 0, '{"audit":1}'), 3, 'is not a line'],
    ['a copied line', LOG.toSpliced(2, 0, at(1)), 3, 'moved or inserted'],
    ['two swapped lines', [at(0), at(2), at(1), at(3), at(4)], 2, '1 line is missing'],
    ['a line cut short', LOG.with(2, at(2).slice(0, -3)), 3, 'is not a line'],
    ['an empty line', LOG.toSpliced(1, 0, ''), 2, 'is not a line'],
  ])('with %s is broken, and the line is named', async (_, lines, number, message) => {
    const { broken } = await verify(lines)
    expect(broken[0]).toMatchObject({ number, message: expect.stringContaining(message) as string })
  })

  test('that was cut at its end is broken only against a head that is known', async () => {
    expect((await verify(LOG.slice(0, 3))).broken).toEqual([])
    const { broken } = await verify(LOG.slice(0, 3), { head: HEAD })
    expect(broken[0]?.message).toContain('lines are missing at the end')
  })

  test('may begin later if it is said to be a part', async () => {
    expect((await verify(LOG.slice(2), { isPart: true })).broken).toEqual([])
    expect((await verify(LOG.slice(2).toSpliced(1, 1), { isPart: true })).broken).toHaveLength(1)
  })

  test('whose every later line was made again is broken against the head', async () => {
    const forged = [...LOG.slice(0, 2), ...chain(['x', 'y', 'z'], { seq: 2, hash: hashOf(at(1)) })]
    expect((await verify(forged)).broken).toEqual([])
    expect((await verify(forged, { head: HEAD })).broken).toHaveLength(1)
  })
})

describe('calls', () => {
  /** The text of an entry of {@link chain} is a member of it. */
  const log = (...entries: (readonly [event: string, call?: string])[]) => {
    let head = START
    return entries.map(([event, call]) => {
      const about = { event, ...(call !== undefined && { call, tool: `tool-${call}` }) }
      const line = `{"seq":${head.seq + 1},"prev":"${head.hash}","audit":1,${JSON.stringify(about).slice(1)}`
      head = { seq: head.seq + 1, hash: hashOf(line) }
      return line
    })
  }

  test('that have begun and have no outcome are named, and break nothing', async () => {
    const lines = log(
      ...([['started'], ['begin', 'a'], ['begin', 'b'], ['call', 'a'], ['call']] as const),
      ...([['started'], ['begin', 'c'], ['begin', 'd'], ['call', 'd'], ['stopped']] as const),
    )
    const { broken, notes, unfinished } = await verify(lines)
    expect([broken, unfinished]).toEqual([[], 2])
    expect(notes.map(({ number, message }) => [number, /tool-./.exec(message)?.[0]])).toEqual([
      [3, 'tool-b'],
      [7, 'tool-c'],
    ])
  })
})

describe('a torn line', () => {
  const torn = at(2).slice(0, 40)
  const marker = (bytes: string, size = bytes.length) => {
    const head = { seq: 2, hash: hashOf(at(1)) }
    const [line = ''] = chain(['x'], head)
    return line.replace('"text":"x"', `"event":"torn","bytes":${size},"sha256":"${hashOf(bytes)}"`)
  }

  test('is noted, not broken, at the end of the log', async () => {
    const { broken, notes } = await verifyChain(linesOf([...LOG.slice(0, 2), torn], false))
    expect(broken).toEqual([])
    expect(notes[0]).toMatchObject({ number: 3 })
  })

  test('is noted where the host has marked it', async () => {
    const { broken, notes } = await verify([at(0), at(1), torn, marker(torn)])
    expect(broken).toEqual([])
    expect(notes[0]?.message).toContain('part of a line')
  })

  test('is broken where the mark is about something else', async () => {
    const { broken } = await verify([at(0), at(1), torn, marker('something else', torn.length)])
    expect(broken[0]).toMatchObject({ number: 3 })
  })
})

test('any single change of a byte in a log with a known head is found', async () => {
  const text = LOG.join('\n')
  const change = fc.record({
    place: fc.nat(text.length - 1),
    byte: fc.integer({ min: 32, max: 126 }),
  })
  await fc.assert(
    fc.asyncProperty(change, async ({ place, byte }) => {
      const changed = text.slice(0, place) + String.fromCharCode(byte) + text.slice(place + 1)
      const { broken } = await verify(changed.split('\n'), { head: HEAD })
      return broken.length > 0 || changed === text
    }),
  )
})
