/** The official client for Python, as a program: the test is the browser. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPythonPackage, type PythonPackage } from '../support/python-package.ts'

const VERSION = '2.3.0'
const SCRIPT = fileURLToPath(new URL('official-client.py', import.meta.url))
/** Nothing listens there: the test reads the address itself. */
const REDIRECT = 'http://127.0.0.1:9/callback'
/** A busy machine takes its time. */
const LIMIT_MS = 5 * 60_000

export const installPythonClient = (): Promise<PythonPackage> =>
  installPythonPackage('mcp', VERSION, { limitMs: 600_000 })

/**
 * Signs in and computes a sum.
 *
 * @param browse what the user does in the browser. @returns the address that the client gets.
 * @throws {Error} with what it has printed, if it fails.
 */
export async function runPythonClient(
  { bin, url, clientId }: { bin: string; url: string; clientId: string | undefined },
  browse: (address: URL) => Promise<URL>,
): Promise<string> {
  const args = [SCRIPT, url, REDIRECT, ...(clientId === undefined ? [] : [clientId])]
  const child = spawn(join(bin, 'python'), args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
  })
  let output = ''
  let text: string | undefined
  let failure: Error | undefined
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  createInterface(child.stdout).on('line', (line) => {
    output += `${line}\n`
    if (line.startsWith('{')) ({ text } = JSON.parse(line) as { text: string })
    if (!/^https?:/.test(line)) return
    browse(new URL(line)).then(
      ({ href }) => child.stdin.end(`${href}\n`),
      (error: unknown) => {
        failure = error instanceof Error ? error : new Error(String(error))
        child.kill()
      },
    )
  })
  await new Promise((resolve) => child.on('close', resolve))
  if (failure !== undefined) throw failure
  if (text === undefined) throw new Error(output)
  return text
}
