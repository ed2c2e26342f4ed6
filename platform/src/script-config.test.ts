import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllowed } from './allowed-hosts.ts'
import { createScriptPlatform, guardedFetch, type ScriptHost } from './script-config.ts'

describe('an entry of allowed_outbound_hosts', () => {
  it.each([
    ['https://api.example', 'https://api.example/x', true],
    ['https://api.example', 'http://api.example/', false],
    ['https://api.example', 'https://api.example:8443/', false],
    ['https://api.example:8443', 'https://api.example:8443/', true],
    ['https://api.example:8000..9000', 'https://api.example:8443/', true],
    ['https://api.example:8000..9000', 'https://api.example:9000/', false],
    ['https://*.example', 'https://a.b.example/', true],
    ['https://*.example', 'https://example/', false],
    ['https://*.example', 'https://notexample/', false],
    ['*://*:*', 'http://anything:1/', true],
    ['*://*:*', 'http://echo.spin.internal/', false],
    ['https://api.example', 'https://api.example.evil.example/', false],
    ['https://api.example', 'https://api.example@evil.example/', false],
    ['HTTPS://API.example/', 'https://api.example./', true],
    ['https://', 'https://x/', false],
    ['', 'https://x/', false],
  ])('%s and %s: %s', (entry, url, allowed) => {
    expect(parseAllowed([entry])(new URL(url))).toBe(allowed)
  })
})

describe('a request', () => {
  let server: Server
  let origin = ''
  const seen: string[] = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers['authorization'] ?? '-'}`)
      const [, status = '', to = ''] = /^\/to\/(\d+)\/(.*)$/.exec(request.url ?? '') ?? []
      if (status === '')
        return void request.on('data', () => undefined).on('end', () => response.end('ok'))
      response.writeHead(Number(status), { location: decodeURIComponent(to) }).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())
  const guarded = () => guardedFetch(fetch, parseAllowed([origin]))

  it('is refused with the address that is not allowed', async () => {
    await expect(guarded()('http://127.0.0.1:1/secret')).rejects.toThrow(
      'http://127.0.0.1:1 is not in allowed_outbound_hosts',
    )
  })

  it('follows a redirect to an allowed address', async () => {
    const response = await guarded()(`${origin}/to/302/%2Fend`, { method: 'POST', body: 'x' })
    expect(await response.text()).toBe('ok')
    expect(seen.at(-1)).toBe('GET /end -')
  })

  it('sends its body again where the method stays', async () => {
    await guarded()(`${origin}/to/307/%2Fend`, { method: 'PUT', body: 'x' })
    expect(seen.at(-1)).toBe('PUT /end -')
  })

  it('does not follow a redirect to another address', async () => {
    const to = encodeURIComponent('http://169.254.169.254/latest')
    await expect(guarded()(`${origin}/to/302/${to}`)).rejects.toThrow('169.254.169.254')
  })

  it('takes its credentials to no other origin', async () => {
    const other = origin.replace('127.0.0.1', 'localhost')
    const both = guardedFetch(fetch, parseAllowed([origin, '*://localhost:*']))
    const headers = { authorization: 'Bearer t' }
    await both(`${origin}/to/302/${encodeURIComponent(`${other}/end`)}`, { headers }).catch(() => 0)
    expect(seen.filter((line) => line.includes('/end')).at(-1)).not.toContain('Bearer')
  })
})

describe('variables', () => {
  const host = (values: Record<string, string>): ScriptHost => ({
    variable: (name) => values[name],
    facts: { fact: 'true' },
    openStore: () => undefined,
    files: { read: async () => undefined, list: async () => [], stamp: async () => undefined },
    fetch,
  })
  const config = {
    variables: { city: { default: 'Oslo', required: false }, key: { required: true } },
    values: { greeting: 'Hello {{ city }}', secret: '{{key}}' },
    hosts: [],
  }

  it('are the texts of the manifest, with the values of the machine', () => {
    const { variables } = createScriptPlatform(config, host({ key: 'k' }))(() => undefined)
    expect(
      ['greeting', 'secret', 'fact', 'city', 'toString'].map((name) => variables.get(name)),
    ).toEqual(['Hello Oslo', 'k', 'true', undefined, undefined])
  })

  it('must have a value if they are required', () => {
    expect(() => createScriptPlatform(config, host({}))).toThrow('The variable key has no value.')
  })
})
