/** A gateway with an API key, a tool, and a component that forges what only a gateway may say. */
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type CommandOptions, freePort, ftl, type RunningCommand } from '../support/command.ts'
import { type HostileApplication, writeApplication } from '../hostile/support/application.ts'
import { gatewayOver } from '../hostile/support/publisher.ts'
import { built } from '../hostile/support/wat.ts'

export const KEY = `ftl_${randomBytes(32).toString('base64url')}`

const sha256 = createHash('sha256').update(KEY).digest('hex')

/** Variables of a gateway that takes {@link KEY}. */
export const credentials = {
  api_keys: JSON.stringify([{ sha256, principal: 'ci', scopes: [] }]),
  policy: 'signed-in',
}

export async function auditedApplication(): Promise<HostileApplication> {
  return writeApplication({
    'mcp-gateway': await gatewayOver(['echo'], credentials),
    echo: { wasm: await built('echo'), route: false },
    forge: {
      wasm: await built('test/hostile/forge'),
      allowedHosts: ['http://*.spin.internal'],
    },
  })
}

export interface AuditedHost {
  url: string
  command: RunningCommand
  call: (message: string, headers?: Record<string, string>) => Promise<Response>
}

/** `ftl up` as an operator runs it: the host is a process with few permissions. */
export async function serveAudited(
  { manifest }: HostileApplication,
  options: readonly string[],
  limits: Pick<CommandOptions, 'maxFileKilobytes' | 'env'> = {},
): Promise<AuditedHost> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const listen = ['--listen', `127.0.0.1:${port}`, '--workers', '1', '--state-dir', '']
  const command = ftl(['up', '--from', manifest, ...listen, ...options], limits)
  await command.printed('Available Routes:')
  return {
    url,
    command,
    call: (message, headers = {}) =>
      fetch(`${url}/invoke`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${KEY}`,
          ...headers,
        },
        body: JSON.stringify({ tool: 'echo', params: { message } }),
      }),
  }
}

/** The lines of a log, without what the host says about the log itself. */
export function callsIn(path: string): Record<string, unknown>[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        const entry = JSON.parse(line) as Record<string, unknown>
        return entry['event'] === 'call' ? [entry] : []
      } catch {
        return []
      }
    })
}

/** Runs `ftl audit`; returns what it prints and its exit code. */
export async function audit(...args: string[]): Promise<{ output: string; code: number | null }> {
  const command = ftl(['audit', ...args])
  const code = await command.exited
  return { output: command.output(), code }
}
