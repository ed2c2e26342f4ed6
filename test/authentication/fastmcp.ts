/** FastMCP's client, a Python program, as a user runs it: the test is the browser. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPythonPackage, type PythonPackage } from '../support/python-package.ts'

const VERSION = '4.1.2'
const SCRIPT = fileURLToPath(new URL('fastmcp-client.py', import.meta.url))
const RUN_LIMIT_MS = 60_000

export const installFastMcp = (): Promise<PythonPackage> => installPythonPackage('fastmcp', VERSION)

export interface FastMcpRun {
  code: number | null
  /** The result of the script. */
  printed: { tools: string[]; text: string } | undefined
  /** All that it printed on both streams. */
  output: string
  /** Addresses that it opened in the browser. */
  opened: URL[]
}

/**
 * Ends a sign-in as a browser does. FastMCP listens only after it has opened the browser, which a person never notices.
 *
 * @param back the address of the client.
 */
export async function goBack(back: URL): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await fetch(back)).status
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error
      await new Promise((wake) => setTimeout(wake, 100))
    }
  }
}

const MAX_ATTEMPTS = 100

/** @param browse what the user does in the browser. */
export async function runFastMcp(
  bin: string,
  url: string,
  browse: (address: URL) => Promise<void>,
): Promise<FastMcpRun> {
  const child = spawn(join(bin, 'python'), [SCRIPT, url], {
    // Python's module "webbrowser" runs this program with the address.
    env: { ...process.env, BROWSER: 'echo', PYTHONUNBUFFERED: '1', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: RUN_LIMIT_MS,
  })
  const opened: URL[] = []
  const visits: Promise<void>[] = []
  let [output, rest, printed]: [string, string, FastMcpRun['printed']] = ['', '', undefined]
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('{')) printed = JSON.parse(line) as FastMcpRun['printed']
      if (!/^https?:/.test(line)) continue
      opened.push(new URL(line))
      const visit = browse(new URL(line))
      // It is looked at when the program has ended; without its visit, the program would wait for ever.
      visit.catch(() => child.kill())
      visits.push(visit)
    }
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const failed = (await Promise.allSettled(visits)).find((visit) => visit.status === 'rejected')
  if (failed) throw failed.reason
  return { code, printed, output, opened }
}
