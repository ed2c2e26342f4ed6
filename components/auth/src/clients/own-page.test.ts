// The page of the same application signs in, although the component cannot request the address of its own server.
import { describe, expect, it } from 'vitest'
import { clientMetadata } from '../../../web/src/sign-in.ts'
import { World, userEntry } from '../testing/world.ts'

const asked = async (issuer: string, more: Record<string, string> = {}) => {
  const world = new World({
    ...{ auth_server_url: issuer, allowed_hosts: '*' },
    ...{ auth_users: JSON.stringify([userEntry('ada')]), ...more },
  })
  const requested: string[] = []
  world.network = (url) => {
    requested.push(url)
    return Promise.reject(new Error('not in allowed_outbound_hosts'))
  }
  // What the page sends is what the component `web` says of it.
  const document = clientMetadata(new URL(issuer)) as { client_id: string; redirect_uris: [string] }
  const query = { client_id: document.client_id, redirect_uri: document.redirect_uris[0] }
  const { response, page } = await world.ask({ ...query, resource: `${issuer}/mcp` })
  return { status: response.status, page, requested }
}

describe('the page of the same application', () => {
  it.each(['https://gateway.example', 'https://gateway.example:8443', 'https://tools.corp.lan'])(
    'at %s is known without a request',
    async (issuer) => {
      const { status, page, requested } = await asked(issuer)
      expect(status).toBe(200)
      expect(page).toContain(`ftl on ${new URL(issuer).host}`)
      expect(requested).toEqual([])
    },
  )

  it('on this machine registers, and is named as this server', async () => {
    const issuer = 'http://127.0.0.1:3000'
    const world = new World({
      auth_server_url: issuer,
      allowed_hosts: '*',
      auth_users: JSON.stringify([userEntry('ada')]),
    })
    const placeFor = async (redirect: string) => {
      const { id } = await world.register({ redirect_uris: [redirect] })
      const query = { client_id: id, redirect_uri: redirect, resource: `${issuer}/mcp` }
      const { page } = await world.ask(query)
      return /You return to<\/dt>\s*<dd><strong>([^<]*)/.exec(page)?.[1]
    }
    expect(await placeFor(`${issuer}/app/oauth/redirect`)).toBe('127.0.0.1:3000')
    expect(await placeFor('http://127.0.0.1:3001/callback')).toBe('a program on your computer')
  })

  it('is refused if users may not be sent back to this host', async () => {
    const { status, page } = await asked('https://gateway.example', {
      auth_client_hosts: 'claude.ai',
    })
    expect(status).toBe(400)
    expect(page).toContain('auth_client_hosts')
  })
})
