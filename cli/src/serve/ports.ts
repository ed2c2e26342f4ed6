/** Ports of this machine: finding a free one, and the message for one that is in use. */
import { createServer } from 'node:net'
import { CommandFailure } from '../terminal/failure.ts'

/** As many as Spin tries. */
const ATTEMPTS = 10

/**
 * The first free port, starting at the requested one, for `--find-free-port`.
 *
 * @param address `host:port`
 * @param attempts how many ports are tried.
 * @param others ports that something else is going to take.
 * @returns the same with a port that was free when checked.
 * @throws {CommandFailure} when no port was free.
 */
export async function findFreePort(
  address: string,
  attempts = ATTEMPTS,
  others: ReadonlySet<number> = new Set(),
): Promise<string> {
  const [, host = '', first = ''] = /^(.*):(\d+)$/.exec(address) ?? []
  for (let port = Number(first); port < Number(first) + attempts && port <= 65_535; port++) {
    if (others.has(port)) continue
    if (await isFree(host.replace(/^\[(.*)\]$/, '$1'), port)) return `${host}:${port}`
  }
  throw new CommandFailure(
    `none of the ${attempts} ports from ${first} on is free; choose another with --listen`,
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

/** Whether `error` says that an address is in use; Node and the host report this differently. */
export function isAddressInUse(error: unknown): boolean {
  return (
    error instanceof Error &&
    ('code' in error ? error.code === 'EADDRINUSE' : false || error.name === 'PortInUseError')
  )
}

/** @param flag the option that chooses another address. */
export function portTaken(what: string, address: string, flag: string): CommandFailure {
  const port = address.replace(/^.*:/, '')
  return new CommandFailure(
    `${address} is already in use, so the ${what} cannot listen there.\n` +
      `Stop the program that uses port ${port} (lsof -i :${port} names it), or choose another port with ${flag}.`,
  )
}
