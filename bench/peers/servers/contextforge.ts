/** ContextForge (IBM), from PyPI, as its quick start describes; with SQLite, because PostgreSQL is not started here. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Child, freePort, start, temporaryFolder } from '../children.ts'
import type { Peer } from '../peer.ts'
import { installPython } from './python.ts'

const USER = 'admin@example.com'
const START_LIMIT_MS = 120_000
let bin = ''

export const contextforge: Peer = {
  name: 'contextforge',
  about:
    '`mcpgateway` in front of the HTTP echo server: one process, one worker of uvicorn, SQLite, no Redis, checks a JWT at each call; its rate limit is raised',
  more: 'has accounts, teams, roles and SSO, an admin UI, a database of servers, federation, REST, gRPC and A2A as tools, plug-ins; its documentation recommends PostgreSQL, Redis and several workers for production',
  async install() {
    const installed = await installPython('mcp-contextforge-gateway', '1.0.7.post20260921')
    bin = installed.bin
    return installed.version
  },
  async start({ urls }) {
    const { folder, remove } = await temporaryFolder()
    const env = environment(folder)
    const headers = { authorization: `Bearer ${await token(env, folder)}` }
    const base = `http://127.0.0.1:${await freePort()}`
    const args = ['--host', '127.0.0.1', '--port', new URL(base).port]
    const run = () => start(join(bin, 'mcpgateway'), args, { cwd: folder, env })
    let child = run()
    const stop = async () => {
      await child.stop()
      await remove()
    }
    try {
      await healthy(base, child)
      for (const [index, url] of urls.entries()) await register(base, headers, index, url)
      // The servers are in its database now, so that the start which is measured is an ordinary one.
      await child.stop()
    } catch (error) {
      await stop()
      throw error
    }
    const startedAt = performance.now()
    child = run()
    const { pid, check } = child
    return { url: `${base}/mcp/`, headers, pid, check, stop, startedAt }
  },
}

function environment(folder: string): NodeJS.ProcessEnv {
  const secret = () => `Aa1-${randomBytes(32).toString('hex')}`
  return {
    ...process.env,
    JWT_SECRET_KEY: secret(),
    AUTH_ENCRYPTION_SECRET: secret(),
    BASIC_AUTH_PASSWORD: secret(),
    PLATFORM_ADMIN_EMAIL: USER,
    PLATFORM_ADMIN_PASSWORD: secret(),
    DEFAULT_USER_PASSWORD: secret(),
    DATABASE_URL: `sqlite:///${join(folder, 'mcp.db')}`,
    // The echo servers are on this machine.
    SSRF_ALLOW_LOCALHOST: 'true',
    SSRF_ALLOW_PRIVATE_NETWORKS: 'true',
    ...UNLIMITED,
  }
}

/** The default permits 100 calls in a minute. */
const UNLIMITED = { TOOL_RATE_LIMIT: '100000000', RATE_LIMITING_ENABLED: 'false' }

async function token(env: NodeJS.ProcessEnv, cwd: string): Promise<string> {
  const module = ['-m', 'mcpgateway.utils.create_jwt_token', '--username', USER, '--exp', '10080']
  const args = [...module, '--secret', env.JWT_SECRET_KEY ?? '']
  const { stdout } = await promisify(execFile)(join(bin, 'python'), args, { env, cwd })
  return stdout.trim().split('\n').at(-1) ?? ''
}

async function healthy(base: string, child: Child): Promise<void> {
  const end = performance.now() + START_LIMIT_MS
  for (;;) {
    child.check()
    const response = await fetch(`${base}/health`).catch(() => undefined)
    if (response?.ok) return
    if (performance.now() > end) throw new Error('it does not become healthy')
    await new Promise((wake) => setTimeout(wake, 100))
  }
}

async function register(
  base: string,
  headers: Record<string, string>,
  index: number,
  url: string,
): Promise<void> {
  const response = await fetch(`${base}/gateways`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `b${index + 1}`, url, transport: 'STREAMABLEHTTP' }),
  })
  if (!response.ok) throw new Error(`it refuses a server: ${(await response.text()).slice(0, 300)}`)
}
