/** `--find-free-port`: finds the first free port, starting at the requested one. */
import { createServer } from 'node:net'
import { CommandFailure } from './failure.ts'

/** As many as Spin tries. */
const ATTEMPTS = 10

/**
 * @param address `host:port`
 * @returns the same with a port that was free when checked.
 * @throws {CommandFailure} when no port was free.
 */
export async function findFreePort(address: string): Promise<string> {
  const [, host = '', first = ''] = /^(.*):(\d+)$/.exec(address) ?? []
  for (let port = Number(first); port < Number(first) + ATTEMPTS && port <= 65_535; port++) {
    if (await isFree(host.replace(/^\[(.*)\]$/, '$1'), port)) return `${host}:${port}`
  }
  throw new CommandFailure(
    `none of the ${ATTEMPTS} ports from ${first} on is free; choose another with --listen`,
  )
}

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer()
  const free = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    server.listen(port, host, () => resolve(true))
  })
  if (free) await new Promise((resolve) => server.close(resolve))
  return free
}
