// A gateway that requires authentication: the bridge has no token, and passes on the link that the client has.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { GatewayStandIn, listen } from './testing/gateway-stand-in.ts'
import { type Bridge, startBridge } from './local.ts'

const LINK = `link=mk${'0'.repeat(6)}.${'m'.repeat(43)}`
const OTHER = `link=mk${'0'.repeat(6)}.${'n'.repeat(43)}`

let gateway: GatewayStandIn
let bridge: Bridge

beforeAll(async () => {
  gateway = await GatewayStandIn.start()
  bridge = await startBridge({ gatewayUrl: gateway.url, port: 0, giveUpMs: 1500 })
})
afterAll(async () => {
  await bridge.close()
  await gateway.close()
})
beforeEach(() => {
  gateway.healthy()
  gateway.link = LINK
})

it('a stream with the link gets the result, and its file has the link', async () => {
  const job = gateway.working()
  gateway.complete(job)
  const { messages, closed } = listen(bridge.url, `${job.id}?${LINK}&progress=1`)
  await closed
  const source = messages[0]?.params.result?.content[0]?.source ?? ''
  expect(source).toMatch(new RegExp(`/outputs/${job.id}\\.png\\?${LINK}$`))
  expect((await fetch(source)).status).toBe(200)
  expect((await fetch(source.replace(`?${LINK}`, ''))).status).toBe(404)
})

it('a stream without it, or with another one, gets nothing, also while one with it is open', async () => {
  const job = gateway.working()
  const good = listen(bridge.url, `${job.id}?${LINK}`)
  await expect.poll(() => gateway.looks.length).toBeGreaterThan(2)
  gateway.complete(job)
  await good.closed
  expect(good.messages[0]?.params.result).toBeDefined()
  for (const query of ['', `?${OTHER}`, '?link=x']) {
    const { messages, closed } = listen(bridge.url, `${job.id}${query}`)
    await closed
    expect(messages.map(({ params }) => params.result)).toEqual([undefined, undefined])
    expect(messages[0]?.params.error?.message).toContain('does not exist')
  }
})

it('while the gateway cannot be reached, a client without the link does not get what others know', async () => {
  const job = gateway.working()
  gateway.complete(job)
  await listen(bridge.url, `${job.id}?${LINK}`).closed
  gateway.broken()
  const { messages, closed } = listen(bridge.url, job.id)
  await closed
  expect(JSON.stringify(messages)).not.toContain('seed 7')
})
