import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { waitForFirstCatalog } from './first-catalog.ts'

let server: Server | undefined
afterEach(() => server?.close())

interface Component {
  component: string
  status: string
  reason?: string
  problems?: string[]
}

/** A gateway whose health is the next of `states` at each request, and then the last. */
async function gateway(...states: Component[][]) {
  let requests = 0
  server = createServer((_, response) => {
    const components = states[Math.min(requests++, states.length - 1)]
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ components }))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server?.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requests: () => requests }
}

const nothing = { unavailable: [], problems: [] }
const ready = { component: 'echo', status: 'ok' }
const slow = {
  component: 'image',
  status: 'unavailable',
  reason: 'it gave no answer within 10000 ms',
}
const broken = { component: 'broken', status: 'unavailable', reason: 'it answered with status 500' }

it('a component that was too slow is waited for', async () => {
  const { url, requests } = await gateway([ready, slow], [ready, { ...slow, status: 'ok' }])
  expect(await waitForFirstCatalog(url)).toEqual(nothing)
  expect(requests()).toBe(2)
})

it('a component that fails is reported at once', async () => {
  const { url, requests } = await gateway([ready, broken])
  const { unavailable } = await waitForFirstCatalog(url)
  expect(unavailable).toEqual([{ component: 'broken', reason: 'it answered with status 500' }])
  expect(requests()).toBe(1)
})

it('waiting ends at the limit and was announced', async () => {
  const { url } = await gateway([slow])
  let announced = 0
  const { unavailable: waited } = await waitForFirstCatalog(url, {
    limitMs: 2500,
    slowMs: 100,
    onSlow: () => announced++,
  })
  expect(waited).toEqual([{ component: 'image', reason: slow.reason }])
  expect(announced).toBe(1)
})

it('an application without this gateway is not waited for', async () => {
  server = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1')
  await new Promise((resolve) => server?.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  expect(await waitForFirstCatalog(`http://127.0.0.1:${port}`)).toEqual(nothing)
})

it('what a component reports is returned, and not waited for', async () => {
  const { url, requests } = await gateway([{ ...ready, problems: ['no model'] }])
  expect(await waitForFirstCatalog(url)).toEqual({
    unavailable: [],
    problems: [{ component: 'echo', problem: 'no model' }],
  })
  expect(requests()).toBe(1)
})
