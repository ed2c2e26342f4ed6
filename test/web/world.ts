/**
 * The application with its page, a ComfyUI to draw and a bridge that shows how it draws, and a real browser.
 *
 * @module
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type DemoModel, startDemoModel } from '../../cli/src/demo-model/server.ts'
import type { Script } from '../../cli/src/demo-model/script.ts'
import { startBridge } from 'ftl-bridge/local'
import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import { startHost } from 'ftl-host'
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
  /** What one picture takes. @default 1 */
  renderSeconds?: number
  /** What the model says. @default there is no model */
  script?: Script
}

export async function startWorld({ renderSeconds = 1, script }: WorldOptions = {}): Promise<World> {
  const stateDir = await mkdtemp(join(tmpdir(), 'ftl-web-'))
  const simulator = await startSimulator({ port: 0, renderSeconds })
  const model = script && (await startDemoModel({ script, wordDelayMs: 60 }))
  const comfyuiClientId = 'page-tests'
  let bridgeUrl = ''
  const start = (listen: string) =>
    startHost({
      manifest: MANIFESTS.web,
      listen,
      stateDir,
      cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
      env: {},
      variables: {
        comfyui_url: simulator.url,
        comfyui_client_id: comfyuiClientId,
        bridge_url: bridgeUrl,
        ...(model && { llm_url: model.url, llm_model: 'demo' }),
      },
    })
  // Each needs the other's address: the first host only finds a free port.
  const first = await start('127.0.0.1:0')
  const listen = new URL(first.url).host
  const bridge = await startBridge({
    ...{ gatewayUrl: first.url, port: 0, comfyuiClientId },
    comfyuiUrls: { comfyui: simulator.url },
  })
  bridgeUrl = bridge.url
  await first.close()
  const host = await start(listen)
  // What the first request of all takes is no time of the page's.
  for (const path of ['/', '/tools', '/api/chat']) await (await fetch(host.url + path)).text()
  return {
    url: host.url,
    bridgeUrl,
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
