import { describe, expect, it } from 'vitest'
import { parseServers } from '../servers.ts'
import { plainCode, shownCode, confirmationCode } from './code.ts'
import { escapeHtml } from './page.ts'
import { consentSettings } from './settings.ts'

const parse = (auth: unknown, url = 'https://mcp.example/mcp') =>
  parseServers(JSON.stringify({ tracker: { url, auth } }))

describe('the field auth', () => {
  it.each([
    ['consent', {}],
    [{ type: 'consent' }, {}],
    [
      { type: 'consent', clientId: 'ftl', clientSecret: 's', issuer: 'https://as.example' },
      { clientId: 'ftl', clientSecret: 's', issuer: 'https://as.example' },
    ],
  ])('accepts %j', (auth, read) => {
    expect(parse(auth).servers[0]?.auth).toEqual(read)
  })

  it.each([
    ['none', 'auth must be "consent"'],
    [{ type: 'consent', clientid: 'x' }, 'auth has a field'],
    [{ type: 'consent', clientId: '' }, 'auth.clientId'],
    [{ type: 'consent', scope: 5 }, 'auth.scope'],
    [{ type: 'consent', clientId: 'ftl', clientSecret: 's' }, 'auth.clientSecret needs'],
    [{ type: 'consent', issuer: 'http://as.example' }, 'auth.issuer'],
  ])('refuses %j', (auth, problem) => {
    const { servers, problems } = parse(auth)
    expect(servers).toEqual([])
    expect(problems.join()).toContain(problem)
  })

  it('refuses a server whose connection is not encrypted', () => {
    expect(parse('consent', 'http://mcp.example/mcp').problems.join()).toContain('https://')
  })
})

describe('the address for browsers', () => {
  const settings = (values: Record<string, string>) =>
    consentSettings({ get: (name) => ({ remote_key: 'k'.repeat(32), ...values })[name] })

  it.each([
    [{ remote_address: 'https://gateway.example' }, 'https://gateway.example/connect'],
    [{ remote_address: 'https://gateway.example/tools/' }, 'https://gateway.example/tools/connect'],
    [{ auth_audience: 'https://gateway.example/mcp' }, 'https://gateway.example/connect'],
    [{ auth_audience: 'https://a.example/mcp,https://b.example/mcp' }, 'https://a.example/connect'],
  ])('of %j', (values, address) => {
    expect(settings(values)).toMatchObject({ address })
  })

  it('must be encrypted, and there must be a long key', () => {
    expect(settings({ remote_address: 'http://gateway.example' })).toContain('remote_address')
    expect(settings({ auth_audience: 'api://gateway' })).toContain('remote_address')
    expect(settings({ remote_key: 'k'.repeat(31) })).toContain('remote_key')
  })
})

it('a code is read as people write it', () => {
  const code = confirmationCode()
  expect(code).toMatch(/^[2-9A-HJKMNP-Z]{8}$/)
  expect(plainCode(` ${shownCode(code).toLowerCase()} `)).toBe(code)
})

it('text on a page is no markup', () => {
  expect(escapeHtml(`<a href="x" title='y'>&\u202e`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;�',
  )
})
