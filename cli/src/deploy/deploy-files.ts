/** The files that a platform needs beside the application. Each says what to replace. */
import type { Manifest } from 'ftl-host'
import { CONTAINER_FILES } from './container-files.ts'
import type { DeployPlan } from './deploy-plan.ts'

/** @returns text by file name; empty if the platform needs no files. */
export function filesFor(
  target: string,
  manifest: Manifest,
  { toSet }: Pick<DeployPlan, 'toSet'>,
): ReadonlyMap<string, string> {
  if (target === 'container') return CONTAINER_FILES
  if (target === 'spinkube') {
    return new Map([
      ['spinapp.yaml', spinApp(manifest, toSet)],
      ['secrets.example.yaml', secrets(manifest)],
    ])
  }
  return target === 'cloudflare-bridge' ? new Map([['wrangler.toml', WRANGLER]]) : new Map()
}

/** A name that Kubernetes accepts. */
function resourceName({ application }: Manifest): string {
  const name = application.name.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-')
  return name.replaceAll(/^-+|-+$/g, '').slice(0, 50) || 'gateway'
}

/** Quoted as JSON, which every reader of YAML takes as a text. */
const quoted = (text: string) => JSON.stringify(text)

function spinApp(manifest: Manifest, toSet: readonly string[]): string {
  const name = resourceName(manifest)
  const secret = [...manifest.variables].flatMap(([variable, { secret }]) =>
    secret ? [variable] : [],
  )
  const others = [...new Set(toSet)].filter((variable) => !secret.includes(variable))
  const lines = [
    ...secret.flatMap((variable) => [
      `    - name: ${variable}`,
      '      valueFrom:',
      '        secretKeyRef:',
      `          name: ${name}`,
      `          key: ${variable}`,
    ]),
    ...others.flatMap((variable) => [
      `    - name: ${variable}`,
      `      value: ${quoted('REPLACE')}`,
    ]),
  ]
  return `# ${name} on SpinKube. Replace REGISTRY/NAME:1 and each REPLACE, and apply secrets.example.yaml with your values first.
apiVersion: core.spinkube.dev/v1alpha1
kind: SpinApp
metadata:
  name: ${name}
spec:
  image: REGISTRY/NAME:1
  executor: containerd-shim-spin
  replicas: 2
  # Spin compiles all components before it serves.
  checks:
    readiness:
      httpGet:
        path: /.well-known/spin/health
      periodSeconds: 5
      failureThreshold: 60
  resources:
    requests:
      cpu: 500m
      memory: 512Mi
    limits:
      memory: 2Gi
  # The store that all replicas share.
  runtimeConfig:
    loadFromSecret: ${name}-runtime
${lines.length === 0 ? '' : `  variables:\n${lines.join('\n')}\n`}`
}

function secrets(manifest: Manifest): string {
  const name = resourceName(manifest)
  const keys = [...manifest.variables].flatMap(([variable, { secret }]) =>
    secret ? [`  ${variable}: ${quoted('REPLACE')}`] : [],
  )
  return `# The secrets of ${name}: copy this file, replace each value, apply the copy, and keep it out of the repository.
apiVersion: v1
kind: Secret
metadata:
  name: ${name}
stringData:${keys.length === 0 ? ' {}' : `\n${keys.join('\n')}`}
---
apiVersion: v1
kind: Secret
metadata:
  name: ${name}-runtime
stringData:
  runtime-config.toml: |
    [key_value_store.default]
    type = "redis"
    url = "redis://:REPLACE@valkey:6379"
`
}

const WRANGLER = `# The WebSocket bridge on Cloudflare Workers. Replace the two addresses.
name = "ftl-bridge"
main = "node_modules/ftl-bridge/src/worker.ts"
compatibility_date = "2026-04-01"

[vars]
# Origin of the gateway, reachable from Cloudflare.
GATEWAY_URL = "https://gateway.example.com"
# Names the bridge is called by: bridge.example.com.
ALLOWED_HOSTS = "bridge.example.com"

[[durable_objects.bindings]]
name = "STREAMS"
class_name = "StreamRoom"

[[durable_objects.bindings]]
name = "FEEDS"
class_name = "ComfyFeed"

[[migrations]]
tag = "v1"
new_sqlite_classes = ["StreamRoom"]

[[migrations]]
tag = "v2"
new_sqlite_classes = ["ComfyFeed"]
`
