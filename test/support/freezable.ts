import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP relay to a server whose process can be stopped: the connections stay open, and nothing arrives. */
export interface Freezable {
  url: string
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

export async function freezable(target: string): Promise<Freezable> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname)
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => to.write(bytes))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      // `on('data')` starts the stream.
      if (isFrozen) from.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
