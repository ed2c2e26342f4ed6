import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startHost } from 'ftl-host'
import { MANIFESTS } from '../support/manifests.ts'

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
  close(): Promise<void>
}

interface CodeResult {
  content?: { text?: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
  _meta?: Record<string, unknown>
}

/** The application of test/code. @param limits of its programs. */
export async function startCode(limits = ''): Promise<CodeHost> {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-code-'))
  const problems: string[] = []
  const host = await startHost({
    manifest: MANIFESTS.code,
    listen: '127.0.0.1:0',
    stateDir: folder,
    cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
    env: {},
    variables: { limits },
    onError: ({ component, message }) => problems.push(`${component}: ${message}`),
  })
  const call = async (args: object): Promise<CodeResult> => {
    const params = { name: 'run_code', arguments: args }
    const response = await fetch(`${host.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    const answer = (await response.json()) as { result?: CodeResult }
    return answer.result ?? { content: [{ text: JSON.stringify(answer) }], isError: true }
  }
  const result = (code: string, args: object = {}) => call({ code, ...args })
  return {
    url: host.url,
    problems,
    result,
    call,
    run: async (code, args) => (await result(code, args)).content?.[0]?.text ?? '',
    async close() {
      await host.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
