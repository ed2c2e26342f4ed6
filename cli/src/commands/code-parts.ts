/** What the commands of `ftl code` share. */
import { readFileSync } from 'node:fs'
import type { Manager } from 'ftl-client'
import { excerpt } from '../build/source-excerpt.ts'
import type { Finding } from '../code/check-program.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { visible, visibleLines } from '../terminal/visible-text.ts'
import type { ServerFlags } from './server-options.ts'

export function shownFinding(file: string, code: string, { message, ...place }: Finding): string {
  const lineText = code.split(/\r?\n/)[place.line - 1] ?? ''
  return visibleLines(excerpt({ file: nameOf(file), ...place, lineText }, message))
}

export const nameOf = (file: string) => (file === '-' ? 'standard input' : file)

interface Connected {
  manager: Manager
  server: string
  options: { signal: AbortSignal; timeoutMs: number }
  EXIT: { toolFailed: number }
}

export async function withServer(
  flags: ServerFlags,
  work: (connected: Connected) => Promise<number>,
): Promise<void> {
  const { chosenServers, EXIT, withManager } = await import('./servers.ts')
  await withManager(flags, async (manager, signal) => {
    const servers = await chosenServers(flags)
    const [server, ...more] = Object.keys(servers)
    if (server === undefined || more.length > 0) {
      throw new CommandFailure('a program runs in one server: choose it with --server or --url')
    }
    const options = { signal, timeoutMs: flags.timeout * 1000 }
    const [outcome] = Object.values(await manager.connectAll(servers, options))
    if (outcome && 'error' in outcome) throw outcome.error
    return work({ manager, server, options, EXIT })
  })
}

/** @throws {CommandFailure} */
export function readDeclarations(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new CommandFailure(`--declarations: ${visible(file)} cannot be read`)
  }
}
