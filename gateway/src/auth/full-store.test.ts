import { KeyValueError } from 'ftl-platform'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { API_KEY, tokenWith } from '../testing/issuer.ts'
import { call, post } from '../testing/components.ts'

const FULL = new KeyValueError('other', 'quota exceeded: the component keeps 9 of 9 bytes')
const AWAY = new KeyValueError('other', 'connect ECONNREFUSED')

let printed: string[]
beforeEach(() => {
  printed = []
  vi.spyOn(console, 'error').mockImplementation((...parts) => void printed.push(parts.join(' ')))
})
afterEach(() => vi.restoreAllMocks())

/** A gateway in whose store nothing can be written. */
async function worldWithout(error: KeyValueError) {
  const world = authenticatedWorld(BOTH)
  const store = await world.platform.openKeyValue('default')
  const fails = () => Promise.reject(error)
  world.platform.openKeyValue = async () => ({ ...store, set: fails, setIf: fails })
  return world
}

describe.each([
  ['is full', FULL],
  ['takes no writes', AWAY],
])('while the store %s', (_, error) => {
  it('a new token is verified, and the log says what was not stored', async () => {
    const world = await worldWithout(error)
    expect((await world.get('/tools', tokenWith())).status).toBe(200)
    const lines = printed.filter((line) => line.includes('not written'))
    expect(lines.some((line) => line.includes('gateway:token not written'))).toBe(true)
    expect(lines.some((line) => line.includes('gateway:jwks not written'))).toBe(true)
    // Nothing of a token or its digest.
    expect(lines.join()).not.toMatch(/[0-9a-f]{32}/)
  })

  it('an API key is verified, and a call is made', async () => {
    const world = await worldWithout(error)
    expect((await world.get('/tools', API_KEY)).status).toBe(200)
    const request = post(call('a', {}), { authorization: `Bearer ${API_KEY}` })
    const response = await world.send(request)
    expect(await response.json()).toMatchObject({ result: { content: [{ text: 'a' }] } })
  })

  it('a wrong token is refused as ever', async () => {
    const world = await worldWithout(error)
    expect((await world.get('/tools', `${tokenWith()}x`)).status).toBe(401)
  })
})
