// Too much of everything, for a component of the default engine: it gets an error that it can catch, and its caller an
// answer. A trap would cost the caller its message.
import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Fixture, sleep, startHostile } from '../host/fixture.ts'

let host: Fixture
beforeAll(async () => {
  host = await startHostile({ workers: 2, maxBlockingMs: 20_000 })
})
afterAll(() => host?.close())

/** What the host and the component have said since the last look. */
const said = () => ({
  errors: host.errors.splice(0).map(({ message }) => message),
  logs: host.logs.splice(0).map(({ line }) => line),
})

const OUT_OF_MEMORY = 'InternalError: out of memory'
const MILLION = 1_000_000

const ANSWERS: readonly [does: string, path: string, answer: string | RegExp][] = [
  ['reads a body without end as bytes', 'endless-whole', OUT_OF_MEMORY],
  ['reads a body without end as text', 'endless-text', OUT_OF_MEMORY],
  ['reads a body without end as JSON', 'endless-json', OUT_OF_MEMORY],
  ['reads a body without end as a blob', 'endless-blob', OUT_OF_MEMORY],
  ['reads a stream without end', 'endless-stream', OUT_OF_MEMORY],
  ['reads a stream without end of its own', 'endless-own', OUT_OF_MEMORY],
  ['reads one part of a body without end', 'endless-left', 'true'],
  ['takes a reader and never reads', 'reader-never-reads', 'true'],
  ['makes 100,000 chunks of a byte', 'tiny-own', '100000'],
  ['gets 100,000 chunks of a byte', 'tiny-fetched', '100000'],
  ['reads one side of a tee', 'tee-one-unread', OUT_OF_MEMORY],
  ['reads one of two clones', 'clone-one-unread', OUT_OF_MEMORY],
  ['counts what a bomb of 40 MB holds', 'bomb-counted', '41943040'],
  ['unpacks bombs of 440 MB as bytes', 'bombs-whole', OUT_OF_MEMORY],
  ['unpacks bombs of 440 MB as text', 'bombs-text', OUT_OF_MEMORY],
  ['makes a header of 10 MB', `header-read?number=${10 * MILLION}`, '1'],
  ['sends a header of 10 MB', `header-sent?number=${10 * MILLION}`, /^TypeError: the headers take/],
  ['makes 100,000 headers', 'headers-read?number=100000', '100000'],
  ['makes a million headers', `headers-read?number=${MILLION}`, OUT_OF_MEMORY],
  [
    'sends 10,000 headers',
    'headers-sent?number=10000',
    /^TypeError: the headers take 708890 bytes/,
  ],
  ['keeps 200 MB of headers', 'headers-kept?number=200000', OUT_OF_MEMORY],
  ['keeps 200 MB of parameters', 'params-kept?number=200000', OUT_OF_MEMORY],
  ['keeps 200 MB of bodies', 'bodies-kept?number=200', OUT_OF_MEMORY],
  ['keeps 200 MB of addresses', 'urls-kept?number=200', OUT_OF_MEMORY],
  ['decodes 60 MB that grow', `decoded-large?number=${60 * MILLION}`, OUT_OF_MEMORY],
  ['encodes 40 MB', `encoded-large?number=${40 * MILLION}`, OUT_OF_MEMORY],
  ['derives a key for an hour', 'digest-rounds?number=4000000000', /^OperationError: PBKDF2 may/],
  [
    'sends an address of 34 MB',
    `address-long?number=${34 * MILLION}`,
    /out of memory|TypeError: the URL/,
  ],
  [
    'sends an address of 1 MB',
    `address-long?number=${MILLION}`,
    /^TypeError: the URL has more than 131072/,
  ],
  ['sets 100,000 timers', 'timers-many?number=100000', 'true'],
]

test.each(ANSWERS)('%s', { timeout: 60_000 }, async (_, path, answer) => {
  said()
  const response = await fetch(`${host.url}/attacked/${path}`)
  const text = await response.text()
  const context = JSON.stringify(said())
  expect(response.status, context).toBe(200)
  if (typeof answer === 'string') expect(text, context).toBe(answer)
  else expect(text, context).toMatch(answer)
})

test('a response with too many headers is an error in the log, not a trap', async () => {
  said()
  const response = await fetch(`${host.url}/attacked/headers-answered?number=10000`)
  expect(response.status).toBe(500)
  const { errors, logs } = said()
  expect(errors).toEqual([])
  expect(logs.join()).toContain('TypeError: the headers take')
})

test('a request body without end is out of memory, and its client gets an answer', async () => {
  const sent = request(`${host.url}/attacked/body-whole`, { method: 'POST' })
  let text = ''
  const answered = new Promise<void>((resolve) => {
    sent.on('error', () => resolve())
    sent.on('response', (response) => {
      response.on('data', (part: Buffer) => (text += part.toString()))
      response.on('end', resolve).on('error', resolve)
    })
  })
  const part = Buffer.alloc(256 * 1024)
  let isOver = false
  void answered.then(() => (isOver = true))
  for (let i = 0; i < 1000 && !isOver; i++) {
    if (!sent.write(part))
      await Promise.race([new Promise((done) => sent.once('drain', done)), answered])
  }
  await answered
  sent.destroy()
  expect(text).toContain('out of memory')
})

describe('3 MB in both directions at once', () => {
  test.each(['duplex', 'duplex-read'])('%s', async (path) => {
    const bytes = randomBytes(3 * 1024 * 1024)
    const received = createHash('sha256')
    let [size, early] = [0, 0]
    const sent = request(`${host.url}/attacked/${path}`, { method: 'POST' })
    const ended = new Promise<void>((resolve, reject) => {
      sent.on('error', reject)
      sent.on('response', (response) => {
        response.on('data', (part: Buffer) => {
          received.update(part)
          size += part.length
        })
        response.on('end', resolve).on('error', reject)
      })
    })
    for (let at = 0; at < bytes.length; at += 64 * 1024) {
      sent.write(bytes.subarray(at, at + 64 * 1024))
      await sleep(2)
      early = size
    }
    sent.end()
    await ended
    expect(size).toBe(bytes.length)
    expect(received.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
    // Before the request was over.
    expect(early).toBeGreaterThan(1024 * 1024)
  })
})

describe('the limit of computing', () => {
  const LIMIT =
    'JavaScript ran for more than 300 ms without waiting for anything, and was ended. Wait now and then, for example for a ' +
    'timer, or set compute_limit_ms in spin.toml, under [component.ID.tool.ftl]'

  test('is what spin.toml says, and its message says what to do', async () => {
    said()
    const response = await fetch(`${host.url}/hasty/compute?number=2000`)
    expect(response.status).toBe(500)
    const { errors, logs } = said()
    expect(logs).toEqual([LIMIT])
    expect(errors).toEqual([])
    const longer = await fetch(`${host.url}/attacked/compute?number=2000`)
    expect(await longer.text()).toBe('computed')
  })

  test.each(['jobs-without-end', 'timers-without-end'])('ends %s as a whole', async (path) => {
    said()
    const response = await fetch(`${host.url}/hasty/${path}`)
    expect(response.status).toBe(500)
    expect(said().logs).toEqual([LIMIT])
  })

  test('reaches loops of the engine', async () => {
    said()
    expect((await fetch(`${host.url}/hasty/compute-natively`)).status).toBe(500)
    expect(said().logs).toEqual([LIMIT])
  })

  test('does not reach cryptography; the host does', { timeout: 60_000 }, async () => {
    const strict = await startHostile({ workers: 1, maxBlockingMs: 1000 })
    try {
      const response = await fetch(`${strict.url}/hasty/digest-rounds?number=4000000`)
      expect(response.status).toBe(500)
      const messages = () => strict.errors.map(({ message }) => message).join()
      await vi.waitFor(() => expect(messages()).toContain('kept its thread'), 20_000)
      expect(await (await fetch(`${strict.url}/attacked/ok`)).text()).toBe('ok')
    } finally {
      await strict.close()
    }
  })
})
