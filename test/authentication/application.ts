/** The application with an authorization server, an API key, a model and a ComfyUI, all over real sockets. */
import { createHash, randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { startBridge } from 'ftl-bridge/local'
import { startSimulator } from 'ftl-comfyui/simulator'
import { startHost } from 'ftl-host'
import type { Script } from '../../cli/src/demo-model/script.ts'
import { type DemoModel, startDemoModel } from '../../cli/src/demo-model/server.ts'
import { freePort } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.ts'
import { type AuthorizationServer, startAuthorizationServer } from './authorization-server.ts'

export interface AuthenticatedApplication {
  url: string
  bridgeUrl: string
  /** Address that tokens are issued for. */
  resource: string
  issuer: AuthorizationServer
  model: DemoModel
  apiKey: string
  /** Of the proxy that may name users. */
  proxySecret: string
  collector: OtlpReceiver
  /** Everything that the components and the host printed or reported. */
  printed: string[]
  close(): Promise<void>
}

/**
 * @param variables of the application, besides those that it needs.
 * @param script what the model says; by default the demo model's own rules.
 */
export async function startAuthenticated(
  variables: Record<string, string> = {},
  script?: Script,
): Promise<AuthenticatedApplication> {
  const apiKey = `ftl_${randomBytes(32).toString('base64url')}`
  const proxySecret = randomBytes(32).toString('base64url')
  const issuer = await startAuthorizationServer()
  const model = await startDemoModel({ ...(script && { script }) })
  const simulator = await startSimulator({ port: 0, renderSeconds: 1 })
  const collector = await startOtlpReceiver()
  const listen = `127.0.0.1:${await freePort()}`
  const bridge = await startBridge({ gatewayUrl: `http://${listen}`, port: 0 })
  const resource = `http://${listen}/mcp`
  const printed: string[] = []
  const note = (entry: object) => void printed.push(JSON.stringify(entry))
  const sha256 = createHash('sha256').update(apiKey).digest('hex')
  const host = await startHost({
    manifest: MANIFESTS.application,
    listen,
    stateDir: '',
    cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
    onLog: note,
    onRequest: note,
    onError: note,
    variables: {
      comfyui_url: simulator.url,
      llm_url: model.url,
      bridge_url: bridge.url,
      auth_issuers: issuer.url,
      auth_host: issuer.url,
      auth_audience: resource,
      auth_scopes: 'tools',
      api_keys: JSON.stringify([{ sha256, principal: 'ci', scopes: ['tools'] }]),
      trust_forwarded_user: 'true',
      forwarded_user_secret: proxySecret,
      ...variables,
    },
  })
  return {
    url: host.url,
    bridgeUrl: bridge.url,
    resource,
    issuer,
    model,
    apiKey,
    proxySecret,
    collector,
    printed,
    async close() {
      await bridge.close()
      await host.close()
      await Promise.all([simulator.close(), model.close(), collector.close(), issuer.close()])
    },
  }
}
