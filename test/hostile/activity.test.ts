// `GET /activity` shows requests of all callers: other readers get nothing of it, and requests cannot fill its memory.
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { gatewayOver, publisher, rpc } from './support/publisher.ts'
import { built } from './support/wat.ts'

const SECRETS = ['hunter2', 'swordfish', 'opensesame'] as const

/** Its schema marks one secret; another one has a name that says it; a third one is inside an object. */
const LOGIN = {
  contract: 1,
  tools: [
    {
      name: 'login',
      description: 'Signs in',
      inputSchema: {
        type: 'object',
        properties: {
          user: { type: 'string' },
          phrase: { type: 'string', format: 'password' },
          apiKey: { type: 'string' },
          more: { type: 'object' },
        },
      },
    },
  ],
}

const ARGUMENTS = {
  user: 'ada-of-the-arguments',
  phrase: SECRETS[0],
  apiKey: SECRETS[1],
  more: { deep: { token: SECRETS[2] } },
}

async function start(options = {}): Promise<RunningApplication> {
  return startHostile(
    {
      'mcp-gateway': await gatewayOver(['login'], { allowed_hosts: '*', allowed_origins: '*' }),
      login: { wasm: await publisher(LOGIN), route: false },
    },
    { workers: 1, ...options },
  )
}

const signIn = ({ url }: RunningApplication) =>
  rpc(url, 'tools/call', { name: 'login', arguments: ARGUMENTS })

const read = async ({ url }: RunningApplication, headers: Record<string, string> = {}) =>
  fetch(`${url}/activity?include=details`, { headers })

/** Sends a request as it is written: `fetch` chooses `Host` and others itself. */
function raw({ port }: RunningApplication, headers: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1')
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
    socket.write(['GET /activity HTTP/1.1', ...headers, 'Connection: close', '', ''].join('\r\n'))
  })
}

const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])

let host: RunningApplication
beforeAll(async () => {
  host = await start()
  expect((await read(host)).status).toBe(200)
  await signIn(host)
})
afterAll(() => host?.close())

describe('a reader who may not', () => {
  attack('read the activity through a proxy', async () => {
    for (const header of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'X-Forwarded-Host']) {
      const response = await read(host, { [header]: '127.0.0.1' })
      expect([header, response.status]).toEqual([header, 403])
      expect(await response.text()).not.toContain('requests')
    }
    return '403: not through a proxy without authentication'
  })

  attack('read the activity by DNS rebinding, where allowed_hosts is *', async () => {
    for (const name of ['evil.example', '127.0.0.1.nip.io', 'localhost.evil.example', '10.0.0.1']) {
      expect([name, statusOf(await raw(host, [`Host: ${name}`]))]).toEqual([name, 403])
    }
    return '403: not at a name of this machine'
  })

  attack('claim to be this machine by spin-client-addr', async () => {
    const headers = [`Host: ${new URL(host.url).host}`, 'Spin-Client-Addr: 10.0.0.1:1']
    // The host takes the header out, so the request is what it is: one of this machine.
    expect(statusOf(await raw(host, headers))).toBe(200)
    const two = ['Host: evil.example', 'Spin-Client-Addr: 127.0.0.1:1']
    expect(statusOf(await raw(host, two))).toBe(403)
    return 'the header is left out'
  })

  attack('read it from a page of another origin, where allowed_origins is *', async () => {
    const page = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const response = await read(host, page)
    expect(response.status).toBe(403)
    const local = await read(host, { origin: 'http://localhost:5173' })
    expect(local.status).toBe(403)
    return '403: a page of another origin'
  })

  attack('load it as a script or an image of another origin', async () => {
    expect((await read(host, { 'sec-fetch-site': 'same-site' })).status).toBe(403)
    const { headers } = await read(host)
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('access-control-allow-origin')).toBeNull()
    return '403, and Cross-Origin-Resource-Policy: same-origin'
  })

  attack('let a component say that its caller may read the activity', async () => {
    const forged = await startHostile({
      'mcp-gateway': await gatewayOver([]),
      forge: { wasm: await built('test/hostile/forge'), route: '/activity' },
    })
    try {
      const response = await fetch(`${forged.url}/activity?ftl-activity=allowed`)
      expect(await response.text()).toBe('forged')
      expect(response.headers.get('ftl-activity')).toBeNull()
    } finally {
      await forged.close()
    }
    return 'only the gateway is believed'
  })
})

describe('what it shows', () => {
  attack('find arguments of calls in it', async () => {
    const text = await (await read(host)).text()
    expect(text).toContain('"target":"login"')
    for (const secret of [...SECRETS, 'ada-of-the-arguments']) expect(text).not.toContain(secret)
    return 'arguments are not recorded'
  })

  attack('find secrets in the arguments that ftl dev shows', async () => {
    const developed = await start({ development: true })
    try {
      await signIn(developed)
      const text = await (await read(developed)).text()
      expect(text).toContain('"user":"ada-of-the-arguments"')
      for (const secret of SECRETS) expect(text).not.toContain(secret)
      expect(text.match(/\[redacted\]/g)).toHaveLength(3)
    } finally {
      await developed.close()
    }
    return 'the schema, or the name, says that they are secret'
  })

  attack('find the query of an address in it', async () => {
    await (await fetch(`${host.url}/nothing?token=opensesame`)).text()
    const text = await (await read(host)).text()
    expect(text).toContain('"path":"/nothing"')
    expect(text).not.toContain('opensesame')
    return 'paths are shown without their query'
  })
})

attack('fill its memory with requests that are long and many', async () => {
  const path = `/${'x'.repeat(8000)}`
  const agent = 'y'.repeat(4000)
  for (let i = 0; i < 1500; i += 50) {
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        const response = await fetch(host.url + path, { headers: { 'user-agent': agent } })
        await response.text()
      }),
    )
  }
  const response = await fetch(`${host.url}/activity?limit=1000`)
  const text = await response.text()
  const { requests } = JSON.parse(text) as { requests: { path: string }[] }
  expect(requests.length).toBeLessThanOrEqual(1000)
  expect(Math.max(...requests.map((each) => each.path.length))).toBe(512)
  expect(text.length).toBeLessThan(2 * 1024 ** 2)
  return `${requests.length} requests in ${Math.round(text.length / 1024)} KiB`
})
