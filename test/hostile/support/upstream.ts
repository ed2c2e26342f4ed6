import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface Upstream {
  port: number
  /** What arrived on each connection so far, as Latin-1 text. */
  connections: string[]
  close: () => Promise<void>
}

/** What a well-behaved server answers. */
export const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

/**
 * A server that keeps every byte it receives and answers exactly what `answer` writes.
 *
 * @param answer is called when a head is complete, with the number of heads this connection brought.
 */
export async function startUpstream(
  answer: (socket: Socket, head: string, nth: number) => void = (socket) => socket.write(OK),
): Promise<Upstream> {
  const connections: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const index = connections.push('') - 1
    let heads = 0
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (bytes: Buffer) => {
      const before = connections[index] ?? ''
      const received = (connections[index] = before + bytes.toString('latin1'))
      const complete = received.split('\r\n\r\n').length - 1
      while (heads < complete) answer(socket, received, ++heads)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
