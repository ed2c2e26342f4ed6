/** The application with an authorization server, an API key, a model and a ComfyUI, all over real sockets. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startBridge } from 'ftl-bridge/local'
import { startSimulator } from 'ftl-comfyui/simulator'
import { startHost } from 'ftl-host'
import type { Script } from '../../cli/src/demo-model/script.ts'
import { type DemoModel, startDemoModel } from '../../cli/src/demo-model/server.ts'
import { freePort } from '../support/command.ts'
import { DRAIN_MS } from '../support/drain.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.ts'
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  startAuthorizationServer,
} from './authorization-server.ts'

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
  /** The state of the host, as `.ftl` has it. */
  stateDir: string
  /** Ends the host, so that everything is written. */
  closeHost(): Promise<void>
  close(): Promise<void>
}

export interface AuthenticatedOptions {
  /** What the model says. @default the demo model's own rules */
  script?: Script
  /** Of the application, besides those that it needs. */
  variables?: Record<string, string>
  /** Writes an audit log into the state, and sends it to the collector. @default false */
  audited?: boolean
  /** Of the authorization server. */
  server?: AuthorizationServerOptions
}

export async function startAuthenticated({
  script,
  variables = {},
  server = {},
  audited = false,
}: AuthenticatedOptions = {}): Promise<AuthenticatedApplication> {
  const apiKey = `ftl_${randomBytes(32).toString('base64url')}`
  const proxySecret = randomBytes(32).toString('base64url')
  const issuer = await startAuthorizationServer(server)
  const model = await startDemoModel({ ...(script && { script }) })
  const simulator = await startSimulator({ port: 0, renderSeconds: 1 })
  const collector = await startOtlpReceiver()
  const listen = `127.0.0.1:${await freePort()}`
  const bridge = await startBridge({ gatewayUrl: `http://${listen}`, port: 0 })
  const resource = `http://${listen}/mcp`
  const printed: string[] = []
  const stateDir = await mkdtemp(join(tmpdir(), 'ftl-authentication-'))
  const note = (entry: object) => void printed.push(JSON.stringify(entry))
  const sha256 = createHash('sha256').update(apiKey).digest('hex')
  const host = await startHost({
    drainMs: DRAIN_MS,
    manifest: MANIFESTS.application,
    listen,
    stateDir,
    cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
    ...(audited && { auditLog: join(stateDir, 'audit.jsonl'), auditOtlp: true }),
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
      policy: 'signed-in',
      api_keys: JSON.stringify([{ sha256, principal: 'ci', scopes: ['tools'] }]),
      trust_forwarded_user: 'true',
      forwarded_user_secret: proxySecret,
      ...variables,
    },
  })
  let isOpen = true
  const closeHost = async () => {
    if (isOpen) await host.close()
    isOpen = false
  }
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
    stateDir,
    closeHost,
    async close() {
      await bridge.close()
      await closeHost()
      await rm(stateDir, { recursive: true })
      await Promise.all([simulator.close(), model.close(), collector.close(), issuer.close()])
    },
  }
}
