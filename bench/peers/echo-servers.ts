/** The servers behind the gateways, in one process of their own. */
import { fileURLToPath } from 'node:url'
import { type Child, start } from './children.ts'

const SCRIPT = fileURLToPath(new URL('echo-process.ts', import.meta.url))

export interface EchoServers extends Pick<Child, 'pid' | 'startedAt' | 'check' | 'stop'> {
  urls: readonly string[]
  /** From now on, the last of them reads requests and does not answer. */
  hangLast: () => void
}

/** @param count of servers; the first has the tool `echo_1`. */
export async function startEchoServers(count: number): Promise<EchoServers> {
  const child = start(process.execPath, [SCRIPT], { ipc: true })
  const { port } = await child.message<{ port: number }>()
  const urls = Array.from({ length: count }, (_, at) => `http://127.0.0.1:${port}/${at + 1}/mcp`)
  const { pid, startedAt, check, stop } = child
  return { urls, pid, startedAt, check, stop, hangLast: () => child.send({ hang: String(count) }) }
}
