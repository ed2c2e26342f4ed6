import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { followLines, type Line, LineError, readLines, StreamedError } from './ndjson.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function bodyOf(...chunks: (Uint8Array | Error)[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      const next = chunks.shift()
      if (next === undefined) controller.close()
      else if (next instanceof Error) controller.error(next)
      else controller.enqueue(next)
    },
  })
}

async function linesOf(body: ReadableStream<Uint8Array>): Promise<Line[]> {
  const lines: Line[] = []
  for await (const line of readLines(body)) lines.push(line)
  return lines
}

describe('lines', () => {
  const text = '{"type":"status","message":"Mixing ä€😀"}\n\r\n{"type":"result"}'
  const lines = [{ type: 'status', message: 'Mixing ä€😀' }, { type: 'result' }]

  it('are the same wherever the chunks are cut, and the last needs no newline', async () => {
    const all = bytes(text)
    for (let cut = 0; cut <= all.length; cut++) {
      expect(await linesOf(bodyOf(all.slice(0, cut), all.slice(cut)))).toEqual(lines)
    }
    expect(await linesOf(bodyOf(...[...all].map((byte) => Uint8Array.of(byte))))).toEqual(lines)
  })

  it('come as soon as they are whole', async () => {
    const never = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes('{"n":1}\n{"n":')),
    })
    expect(await readLines(never).next()).toEqual({ done: false, value: { n: 1 } })
  })

  it('half a line at the end is left out', async () => {
    expect(await linesOf(bodyOf(bytes('{"n":1}\n{"n":')))).toEqual([{ n: 1 }])
  })

  it('a complete line that is not a JSON object throws', async () => {
    for (const line of ['oops', '[1]', '7', '{"n":']) {
      await expect(linesOf(bodyOf(bytes(`${line}\n`)))).rejects.toThrow(LineError)
    }
  })

  it('who stops reading ends the body', async () => {
    let cancelled = false
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytes('{"n":1}\n')),
      cancel: () => void (cancelled = true),
    })
    for await (const line of readLines(body)) if (line['n'] === 1) break
    expect(cancelled).toBe(true)
  })
})

describe('a stream that is followed', () => {
  const STATUS = '{"type":"status","message":"Mixing"}\n'
  const RESULT = '{"type":"result","result":{"n":1}}\n'
  const quick = { reconnectMs: 1 }

  /** Answers with each of these in turn. */
  function opener(...answers: (() => Response)[]) {
    let opened = 0
    const open = async () => {
      const answer = answers[opened++]
      if (!answer) throw new Error('opened once too often')
      return answer()
    }
    return { open, count: () => opened }
  }
  const saying = (text: string, then?: Error) => () =>
    new Response(then ? bodyOf(bytes(text), then) : bodyOf(bytes(text)))

  it('ends with its result, and tells every line before', async () => {
    const told: Line[] = []
    const { open } = opener(saying(STATUS + STATUS + RESULT))
    const end = await followLines(open, { onLine: (line) => told.push(line) })
    expect(end).toEqual({ type: 'result', result: { n: 1 } })
    expect(told).toHaveLength(2)
  })

  it('really throws its error, and is not opened again', async () => {
    const { open, count } = opener(saying('{"type":"error","message":"out of paper","code":7}\n'))
    const error: unknown = await followLines(open, quick).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(StreamedError)
    expect(error).toMatchObject({ message: 'out of paper', code: 7 })
    expect(count()).toBe(1)
  })

  it('is opened again when it breaks off, ends too soon, or is refused temporarily', async () => {
    const { open, count } = opener(
      saying(STATUS, new TypeError('terminated')),
      saying(STATUS),
      saying('{"type":"resu'),
      () => new Response('busy', { status: 503 }),
      () => {
        throw new TypeError('fetch failed')
      },
      saying(RESULT),
    )
    expect(await followLines(open, quick)).toMatchObject({ result: { n: 1 } })
    expect(count()).toBe(6)
  })

  it('is given up when it breaks again and again without a line', async () => {
    const broken = () => new Response('busy', { status: 500 })
    const { open, count } = opener(broken, broken, broken)
    await expect(followLines(open, { ...quick, reconnects: 2 })).rejects.toThrow('HTTP 500')
    expect(count()).toBe(3)
  })

  it('is not opened again when there is no such thing', async () => {
    const { open, count } = opener(() => new Response('no', { status: 404 }))
    await expect(followLines(open, quick)).rejects.toMatchObject({ code: 404 })
    expect(count()).toBe(1)
  })

  it('ends with the caller’s signal', async () => {
    const stop = new AbortController()
    const { open } = opener(saying(STATUS), saying(STATUS))
    const options = { signal: stop.signal, reconnectMs: 60_000, onLine: () => stop.abort('enough') }
    await expect(followLines(open, options)).rejects.toBe('enough')
  })

  it('is not opened again when it is the listener that fails', async () => {
    const { open, count } = opener(saying(STATUS), saying(RESULT))
    const onLine = () => {
      throw new Error('a defect')
    }
    await expect(followLines(open, { ...quick, onLine })).rejects.toThrow('a defect')
    expect(count()).toBe(1)
  })
})

it('the reader runs in a browser: it imports nothing', async () => {
  const source = await readFile(new URL('ndjson.ts', import.meta.url), 'utf8')
  expect(source).not.toMatch(/^import|\bimport\(|\bprocess\b|\bBuffer\b|\brequire\b/m)
})
