import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startBridge } from 'ftl-bridge/local'
import { startSimulator } from 'ftl-comfyui/simulator'
import { startHost, type Host } from 'ftl-host'
import { freePort } from './command.ts'
import { DRAIN_MS } from './drain.ts'
import { MANIFESTS } from './manifests.ts'

/**
 * A running application to test instead of our own: the fixtures' manifest on `spin up`, for example. Its bridge
 * is at `FTL_TEST_BRIDGE_URL`. Tests that only the embedded host can run are skipped then.
 */
export const EXTERNAL_URL = process.env['FTL_TEST_URL']?.replace(/\/+$/, '')
const EXTERNAL_BRIDGE_URL = process.env['FTL_TEST_BRIDGE_URL']?.replace(/\/+$/, '')

/** Whether the tests run on a real Spin: one that runs already, or one that they start (`FTL_TEST_SPIN`). */
export const IS_ON_SPIN = EXTERNAL_URL !== undefined || process.env['FTL_TEST_SPIN'] !== undefined

/** Whether an external host refused a request by closing the connection, which the embedded host never does. */
export const isRefusal = (error: NodeJS.ErrnoException): boolean =>
  EXTERNAL_URL !== undefined && error.code === 'ECONNRESET'

export interface TestApplication {
  /** Origin of the gateway. */
  url: string
  bridgeUrl: string
  /** Ends the host and starts it again on the same port and key-value database. */
  restartHost(): Promise<void>
  close(): Promise<void>
}

export interface TestApplicationOptions {
  /** @default MANIFESTS.fixtures */
  manifest?: string
  variables?: Record<string, string>
  /** Leaves ComfyUI out: its address then refuses every connection. @default false */
  withoutComfyui?: boolean
}

/** Simulator, host and bridge on free ports, with an empty key-value store of their own. */
export async function startApplication({
  manifest = MANIFESTS.fixtures,
  variables = {},
  withoutComfyui = false,
}: TestApplicationOptions = {}): Promise<TestApplication> {
  if (EXTERNAL_URL !== undefined) return external(EXTERNAL_URL)
  const stateDir = await mkdtemp(join(tmpdir(), 'ftl-test-'))
  const simulator = await startSimulator({ port: 0, renderSeconds: 1 })
  if (withoutComfyui) await simulator.close()
  // The bridge needs the gateway's address and the gateway the bridge's, so one of them gets a known port.
  const listen = `127.0.0.1:${await freePort()}`
  const bridge = await startBridge({ gatewayUrl: `http://${listen}`, port: 0 })
  const start = (): Promise<Host> =>
    startHost({
      drainMs: DRAIN_MS,
      manifest,
      listen,
      stateDir,
      cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
      env: {},
      variables: { comfyui_url: simulator.url, bridge_url: bridge.url, ...variables },
    })
  let host = await start()
  const restartHost = async () => {
    await host.close()
    host = await start()
  }
  // On a busy machine the first answer of every component can take longer than a test's time limit for discovery.
  await listTools(host.url)
  return {
    url: host.url,
    bridgeUrl: bridge.url,
    restartHost,
    async close() {
      await bridge.close()
      await host.close()
      if (!withoutComfyui) await simulator.close()
      await rm(stateDir, { recursive: true, force: true })
    },
  }
}

async function listTools(url: string): Promise<void> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })
  await response.text()
}

function external(url: string): TestApplication {
  return {
    url,
    bridgeUrl: EXTERNAL_BRIDGE_URL ?? 'http://127.0.0.1:8001',
    restartHost: () => Promise.reject(new Error('an application from outside cannot be restarted')),
    close: () => Promise.resolve(),
  }
}
