import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startHost } from 'ftl-host'
import { startSpin, warmUp } from '../on-spin/spin.ts'
import { freePort } from '../support/command.ts'
import { DRAIN_MS } from '../support/drain.ts'
import { MANIFESTS } from '../support/manifests.ts'

/** The application runs on this Spin instead of the embedded host. */
export const SPIN = process.env['FTL_TEST_SPIN']

/** On Spin the gateway has no key of its own to seal runs with. */
export const SPIN_VARIABLES = { request_state_key: 'k'.repeat(43) }

export interface CodeHost {
  url: string
  /** What components and the host reported as errors. */
  problems: string[]
  /** Calls `run_code`. @returns the text of its result */
  run(code: string, args?: object): Promise<string>
  /** The same. @returns its result */
  result(code: string, args?: object): Promise<CodeResult>
  /** The same with any arguments. */
  call(args: object): Promise<CodeResult>
  close: () => Promise<void>
}

interface CodeResult {
  content?: { text?: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
  _meta?: Record<string, unknown>
}

/** The application of test/code. @param limits of its programs. @param variables of the application. */
export async function startCode(
  limits = '',
  variables: Record<string, string> = {},
): Promise<CodeHost> {
  const start = SPIN === undefined ? startEmbedded : startOnSpin
  const { url, problems, close } = await start({ limits, ...variables })
  const call = async (args: object): Promise<CodeResult> => {
    const params = { name: 'run_code', arguments: args }
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    const answer = (await response.json()) as { result?: CodeResult }
    return answer.result ?? { content: [{ text: JSON.stringify(answer) }], isError: true }
  }
  const result = (code: string, args: object = {}) => call({ code, ...args })
  return {
    ...{ url, problems, call, result, close },
    run: async (code, args) => (await result(code, args)).content?.[0]?.text ?? '',
  }
}

type Started = Pick<CodeHost, 'url' | 'problems' | 'close'>

async function startEmbedded(variables: Record<string, string>): Promise<Started> {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-code-'))
  const problems: string[] = []
  const host = await startHost({
    drainMs: DRAIN_MS,
    manifest: MANIFESTS.code,
    listen: '127.0.0.1:0',
    stateDir: folder,
    cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
    env: {},
    variables,
    onError: ({ component, message }) => problems.push(`${component}: ${message}`),
  })
  return {
    url: host.url,
    problems,
    async close() {
      await host.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startOnSpin(variables: Record<string, string>): Promise<Started> {
  const given = Object.entries({ ...SPIN_VARIABLES, ...variables })
  const spin = await startSpin({
    spin: SPIN as string,
    manifest: MANIFESTS.code,
    port: await freePort(),
    args: given.flatMap(([name, value]) => ['--variable', `${name}=${value}`]),
  })
  await warmUp(spin.url)
  return { url: spin.url, problems: [], close: () => spin.close() }
}
