import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arrivals } from '../support/arrivals.ts'
import { type FidelityApplication, send, sleep, startFidelity } from './application.ts'

let app: FidelityApplication
beforeAll(async () => {
  app = await startFidelity()
})
afterAll(() => app.close())

/** Everything a server sends back for bytes as they are, until it is silent. */
function raw(parts: readonly string[], silentMs = 500): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    let received = ''
    let timer = setTimeout(() => undefined, 0)
    const rest = [...parts]
    const next = () => {
      const part = rest.shift()
      if (part !== undefined) socket.write(part)
      clearTimeout(timer)
      timer = setTimeout(() => (rest.length > 0 ? next() : done()), silentMs)
    }
    const done = () => {
      socket.destroy()
      resolve(received)
    }
    socket.on('connect', next)
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
    socket.on('error', reject)
  })
}

describe('[spin:status] statuses from 200 to 599 pass with their headers', () => {
  test.each([200, 201, 204, 205, 206, 301, 304, 400, 404, 418, 429, 500, 503, 599])(
    '%d',
    async (code) => {
      const { status, headers, body } = await send(app.url, { path: `/guest/status?code=${code}` })
      expect(status).toBe(code)
      expect(headers['location']).toBe('/elsewhere')
      expect(body).toBe([204, 205, 304].includes(code) ? '' : `status ${code}`)
    },
  )
})

test('[spin:methods] the guest sees the method of the client', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    expect(await app.json('/exact', { method })).toMatchObject({ method })
  }
})

test('[spin:head] HEAD is answered without a body, and the connection goes on', async () => {
  const head = 'HEAD /guest/status?code=200 HTTP/1.1\r\nhost: a\r\n\r\n'
  const answers = await raw([head, head])
  expect(answers.match(/^HTTP\/1\.1 200/gm)).toHaveLength(2)
  expect(answers).not.toContain('status 200')
})

test('[spin:continue] 100 Continue comes before the body, and the answer after it', async () => {
  const answers = await raw([
    'POST /guest/count HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\nexpect: 100-continue\r\n\r\n',
    'hello',
  ])
  expect(answers.indexOf('HTTP/1.1 100')).toBe(0)
  expect(answers.indexOf('HTTP/1.1 200')).toBeGreaterThan(0)
  expect(answers).toMatch(/\r\n\r\n(?:1\r\n)?5/)
})

test('[spin:body-large] a body of any size arrives', async () => {
  const body = 'x'.repeat(20_000_000)
  expect(await app.text('/guest/count', { method: 'POST', body })).toBe('20000000')
})

test('[spin:body-chunked] a chunked body arrives, and its trailers do no harm', async () => {
  const answer = await raw([
    'POST /guest/count HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\ntrailer: x-sum\r\n\r\n' +
      '5\r\nhello\r\n3\r\nyou\r\n0\r\nx-sum: 8\r\n\r\n',
  ])
  expect(answer).toContain('HTTP/1.1 200')
  expect(answer).toMatch(/\r\n\r\n(?:1\r\n)?8/)
})

test('[spin:body-streams-out] a chunk leaves when it is written', async () => {
  const response = await fetch(`${app.url}/guest/chunks`)
  const { text, isBeforeNext } = await arrivals(response)
  expect(text).toMatch(/^chunk 0 \d+\nchunk 1 \d+\nchunk 2 \d+\n$/)
  expect(isBeforeNext).toContain(true)
})

test('[spin:body-streams-through] a piece of a request comes back before the next one is sent', async () => {
  const answers: string[] = []
  const head = 'POST /guest/echo HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n'
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
  const until = async (text: string) => {
    for (let i = 0; i < 100 && !received.includes(text); i++) await sleep(20)
    answers.push(received.includes(text) ? text : received)
  }
  socket.write(`${head}5\r\nfirst\r\n`)
  await until('first')
  socket.write('6\r\nsecond\r\n0\r\n\r\n')
  await until('second')
  socket.destroy()
  expect(answers).toEqual(['first', 'second'])
})

test('[spin:throws] a guest that throws is a 500 that tells nothing', async () => {
  const response = await fetch(`${app.url}/guest/throw`)
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('the guest threw')
})

test('[spin:breaks-off] a body that breaks off is not taken for a whole one', async () => {
  await expect(app.text('/guest/break')).rejects.toThrow()
})

test('[spin:wait-until] a guest goes on after its answer', async () => {
  const key = `after-${Date.now()}`
  expect(await app.text(`/guest/after?key=${key}`)).toBe('answered')
  expect(await app.json(`/guest/kv?key=${key}`)).toMatchObject({ value: null })
  await sleep(800)
  expect(await app.json(`/guest/kv?key=${key}`)).toMatchObject({ value: 'written' })
})

test('[spin:client-leaves] a guest that writes for nobody is held up, and then stopped', async () => {
  const key = `flood-${Date.now()}`
  const controller = new AbortController()
  const response = await fetch(`${app.url}/guest/flood?key=${key}`, { signal: controller.signal })
  const reader = response.body?.getReader()
  await reader?.read()
  // The client has stopped reading, so the guest's writes wait.
  await sleep(500)
  const waiting = Number((await app.json(`/guest/kv?key=${key}`))['value'])
  await sleep(500)
  expect(Number((await app.json(`/guest/kv?key=${key}`))['value'])).toBe(waiting)
  controller.abort()
  await sleep(500)
  const left = Number((await app.json(`/guest/kv?key=${key}`))['value'])
  await sleep(500)
  expect(Number((await app.json(`/guest/kv?key=${key}`))['value'])).toBe(left)
})
