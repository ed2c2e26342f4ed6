/** The application with its page, a ComfyUI to draw and a bridge that shows how it draws, and a real browser. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type DemoModel, startDemoModel } from '../../cli/src/demo-model/server.ts'
import type { Script } from '../../cli/src/demo-model/script.ts'
import { startBridge } from 'ftl-bridge/local'
import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import { startHost } from 'ftl-host'
import { freePort } from '../support/command.ts'
import { DRAIN_MS } from '../support/drain.ts'
import { MANIFESTS } from '../support/manifests.ts'

export interface World {
  url: string
  bridgeUrl: string
  simulator: Simulator
  /** What the model says, where there is one. */
  model: DemoModel | undefined
  close(): Promise<void>
}

export interface WorldOptions {
  /** Seconds to render one picture. @default 1 */
  renderSeconds?: number
  /** What the model says. @default there is no model */
  script?: Script
  /** Milliseconds between two words of the model. @default 60 */
  wordDelayMs?: number
  /** @default MANIFESTS.web */
  manifest?: string
  /** More variables of the application. */
  variables?: Record<string, string>
}

export async function startWorld({
  renderSeconds = 1,
  script,
  wordDelayMs = 60,
  manifest = MANIFESTS.web,
  variables = {},
}: WorldOptions = {}): Promise<World> {
  const stateDir = await mkdtemp(join(tmpdir(), 'ftl-web-'))
  const simulator = await startSimulator({ port: 0, renderSeconds })
  const model = script && (await startDemoModel({ script, wordDelayMs }))
  const comfyuiClientId = 'page-tests'
  // The bridge needs the gateway's address and the gateway the bridge's, so one of them gets a known port.
  const listen = `127.0.0.1:${await freePort()}`
  const bridge = await startBridge({
    gatewayUrl: `http://${listen}`,
    port: 0,
    comfyuiClientId,
    comfyuiUrls: { comfyui: simulator.url },
  })
  const host = await startHost({
    drainMs: DRAIN_MS,
    manifest,
    listen,
    stateDir,
    cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
    env: {},
    variables: {
      comfyui_url: simulator.url,
      comfyui_client_id: comfyuiClientId,
      bridge_url: bridge.url,
      ...(model && { llm_url: model.url, llm_model: 'demo' }),
      ...variables,
    },
  })
  // Warms up the host, because the page must not be blamed for the first requests.
  for (const path of ['/', '/tools', '/api/chat']) await (await fetch(host.url + path)).text()
  return {
    url: host.url,
    bridgeUrl: bridge.url,
    simulator,
    model,
    async close() {
      await bridge.close()
      await host.close()
      await simulator.close()
      await model?.close()
      await rm(stateDir, { recursive: true, force: true })
    },
  }
}
