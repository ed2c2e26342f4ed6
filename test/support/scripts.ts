/** Starts what `ftl build --target` has made: on Node, and on workerd. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { ftl } from './command.ts'

export interface RunningScript {
  url: string
  /** Everything printed so far. */
  output(): string
  close(): Promise<void>
}

export interface RunningServer extends RunningScript {
  /** Sends SIGTERM. @returns with what it ends. */
  stop(): Promise<number | null>
}

/** Variables of an application, as Spin and the server on Node read them. */
export const asEnvironment = (variables: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      `SPIN_VARIABLE_${name.toUpperCase()}`,
      value,
    ]),
  )

/** Runs `ftl build` with these arguments. @returns the folder of the first script. */
export async function buildScript(args: readonly string[]): Promise<string> {
  const command = ftl(['build', '--json', ...args])
  const code = await command.exited
  if (code !== 0) throw new Error(`ftl build ended with ${code}: ${command.output()}`)
  const { scripts } = JSON.parse(command.output()) as { scripts: { folder: string }[] }
  return scripts[0]?.folder ?? ''
}

/**
 * @param folder with `server.mjs`.
 * @param variables of the application.
 */
export async function startOnNode(
  folder: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const state = await mkdtemp(join(tmpdir(), 'ftl-script-'))
  const child = spawn(process.execPath, [join(folder, 'server.mjs')], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      STATE_DIR: state,
      ...asEnvironment(variables),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const exited = once(child, 'exit') as Promise<[number | null]>
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const [, found] = /^Serving (\S+)$/m.exec(output) ?? []
      if (found !== undefined) resolve(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void exited.then(() => reject(new Error(`the server has ended: ${output}`)))
  })
  return {
    url,
    output: () => output,
    async stop() {
      child.kill('SIGTERM')
      return (await exited)[0]
    },
    async close() {
      child.kill('SIGKILL')
      await exited
      await rm(state, { recursive: true, force: true })
    },
  }
}

interface WranglerConfig {
  compatibility_date: string
  vars: Record<string, string>
  kv_namespaces: { binding: string }[]
}

/** Runs the Worker as its `wrangler.json` says. @param variables added to those of the file, as secrets are. */
export async function startOnWorkerd(
  folder: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<RunningScript> {
  const config = JSON.parse(await readFile(join(folder, 'wrangler.json'), 'utf8')) as WranglerConfig
  let output = ''
  const worker = new Miniflare({
    modules: true,
    script: await readFile(join(folder, 'worker.js'), 'utf8'),
    compatibilityDate: config.compatibility_date,
    host: '127.0.0.1',
    port: 0,
    bindings: { ...config.vars, ...variables },
    kvNamespaces: config.kv_namespaces.map(({ binding }) => binding),
    log: new Log(LogLevel.NONE),
    handleStructuredLogs: ({ message }: { message: string }) => void (output += `${message}\n`),
    cf: false,
    telemetry: { enabled: false },
  })
  const url = (await worker.ready).origin
  return { url, output: () => output, close: () => worker.dispose() }
}
