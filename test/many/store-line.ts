/** A line to a real store, on which things go wrong. */
import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/**
 * What happens to the answers of the store:
 *
 * - `passes`
 * - `slow`: each comes 150 ms late
 * - `silent`: none comes
 * - `garbage`: random bytes are sent instead of an answer
 * - `endless`: the beginning of an answer of a gigabyte comes, and goes on
 * - `cut`: the connection breaks in the middle of an answer
 */
export type Line = 'passes' | 'slow' | 'silent' | 'garbage' | 'endless' | 'cut'

export interface StoreLine {
  url: string
  /** What happens from now on, also on connections that are open. */
  set(line: Line): void
  /** New connections lead to another store; open ones stay where they are, as those of a load balancer. */
  lead(port: number): void
  close(): Promise<void>
}

const SLOW_MS = 150

export async function startStoreLine(first: number): Promise<StoreLine> {
  let port = first
  let line: Line = 'passes'
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const store = connect(port, '127.0.0.1')
    for (const socket of [client, store]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    client.on('close', () => store.destroy())
    store.on('close', () => client.destroy())
    client.pipe(store)
    store.on('data', (bytes: Buffer) => answer(client, bytes))
  })
  const answer = (client: Socket, bytes: Buffer) => {
    if (line === 'passes') client.write(bytes)
    if (line === 'slow') setTimeout(() => client.writable && client.write(bytes), SLOW_MS)
    if (line === 'garbage') client.write('HTTP/1.1 200 OK\r\n\r\n\0\xff<html>$-9\r\n')
    if (line === 'endless') client.write(`$1000000000\r\n${'x'.repeat(65_536)}`)
    if (line === 'cut') client.end(bytes.subarray(0, 1))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (next) => void (line = next),
    lead: (next) => void (port = next),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
