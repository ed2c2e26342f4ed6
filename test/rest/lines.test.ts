// Calls told line by line, over real sockets: whatever the network does to them, and when somebody leaves.
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { ask, LINES, linesOf, posting, useApplication } from './application.ts'

const application = useApplication()

const MANY = 600
/** See `slow_lines` of the component. */
const TICKS_OF_A_WHOLE_CALL = 15

const TALKS = { tool: 'talks', params: { lines: MANY } }

function expectWhole(lines: Record<string, unknown>[]): void {
  const progress = lines.flatMap((line) => line['progress'] ?? [])
  expect(progress).toEqual(Array.from({ length: MANY }, (_, n) => n))
  expect(lines.filter(({ type }) => type !== 'status')).toEqual([
    {
      type: 'result',
      response: { content: [{ type: 'text', text: 'done' }] },
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    },
  ])
  expect(lines.at(-1)).toMatchObject({ type: 'result' })
}

it('come whole when a client reads slowly', async () => {
  const { body } = await fetch(`${application.url}/invoke`, posting(TALKS, LINES))
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expectWhole(linesOf(text))
})

it('come whole however the network cuts and joins them, request and answer', async () => {
  const { hostname, port, host } = new URL(application.url)
  const json = JSON.stringify(TALKS)
  const request =
    `POST /invoke HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
    `Accept: application/x-ndjson\r\nContent-Length: ${json.length}\r\nConnection: close\r\n\r\n${json}`
  const socket = connect(Number(port), hostname)
  socket.setNoDelay(true)
  for (let at = 0; at < request.length; at += 7) {
    socket.write(request.slice(at, at + 7))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  // Seven bytes at a time, whatever has come.
  const bytes: Buffer[] = []
  socket.on('readable', () => {
    for (let part: Buffer | null; (part = (socket.read(7) ?? socket.read()) as Buffer | null);)
      bytes.push(part)
  })
  await new Promise((resolve) => socket.on('end', resolve))
  const answer = Buffer.concat(bytes)
  const head = answer.indexOf('\r\n\r\n')
  expect(answer.toString('latin1', 0, head)).toMatch(
    /^HTTP\/1\.1 200 .*transfer-encoding: chunked/is,
  )
  expectWhole(linesOf(unchunked(answer.subarray(head + 4)).toString('utf8')))
})

/** @see https://www.rfc-editor.org/rfc/rfc9112#section-7.1 */
function unchunked(body: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const end = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.toString('latin1', at, end), 16)
    if (size === 0) return Buffer.concat(parts)
    parts.push(body.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}

const ticks = async () => {
  const { body } = await ask(`${application.url}/tools/ticks`, {})
  return Number((body['content'] as [{ text: string }])[0].text)
}

it('come as they are said, not at the end', async () => {
  const before = await ticks()
  const response = await fetch(`${application.url}/invoke`, posting({ tool: 'slow_lines' }, LINES))
  expect(response.headers.get('x-accel-buffering')).toBe('no')
  const reader = response.body?.getReader()
  await reader?.read()
  expect((await ticks()) - before).toBeLessThan(TICKS_OF_A_WHOLE_CALL)
  while (!(await reader?.read())?.done);
  expect((await ticks()) - before).toBe(TICKS_OF_A_WHOLE_CALL)
})

it('two at once do not mix', async () => {
  const read = async () => {
    const response = await fetch(`${application.url}/invoke`, posting(TALKS, LINES))
    return linesOf(await response.text())
  }
  const both = await Promise.all([read(), read()])
  for (const lines of both) expectWhole(lines)
})

it('lines of calls in one list carry their ids, and the calls end together', async () => {
  const call = (id: string, name: string) => ({ id, type: 'function', function: { name } })
  const body = [call('a', 'slow_lines'), call('b', 'slow_lines'), call('c', 'crashes')]
  const response = await fetch(`${application.url}/invoke`, posting(body, LINES))
  const lines = linesOf(await response.text())
  const said = (id: string) => lines.filter((line) => line['id'] === id).length
  expect([said('a'), said('b')]).toEqual([TICKS_OF_A_WHOLE_CALL, TICKS_OF_A_WHOLE_CALL])
  expect(lines.at(-1)).toMatchObject({
    type: 'result',
    response: [
      { role: 'tool', tool_call_id: 'a', content: 'done' },
      { role: 'tool', tool_call_id: 'b', content: 'done' },
      {
        role: 'tool',
        tool_call_id: 'c',
        content: expect.stringContaining('tool_failed') as string,
      },
    ],
  })
})

it('a client that leaves ends the component’s work', async () => {
  const before = await ticks()
  const controller = new AbortController()
  const response = await fetch(`${application.url}/invoke`, {
    ...posting({ tool: 'slow_lines' }, LINES),
    signal: controller.signal,
  })
  const reader = response.body?.getReader()
  // "Calling", then the first of its own.
  for (let seen = 0; seen < 2; seen++) await reader?.read()
  controller.abort()
  // Longer than the tool would go on by itself.
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const said = (await ticks()) - before
  expect(said).toBeGreaterThan(0)
  expect(said).toBeLessThan(TICKS_OF_A_WHOLE_CALL)
})

it.each([
  ['crashes', 'tool_failed'],
  ['silent', 'timeout'],
  ['nothing', 'tool_not_found'],
])('%s ends with exactly one error', async (tool, code) => {
  const response = await fetch(`${application.url}/invoke`, posting({ tool }, LINES))
  const lines = linesOf(await response.text())
  expect(lines.map(({ type }) => type)).toEqual(['status', 'error'])
  expect(lines[1]).toMatchObject({ code, message: expect.stringMatching(/\S/) as string })
})
