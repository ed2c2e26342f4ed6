/** A port that a listener of this test holds, with a free port after it. */
import { createServer, type Server } from 'node:net'

export interface OccupiedPort {
  port: number
  free: () => Promise<void>
}

/**
 * The port is below those that the system gives to any program that asks for one, or else another test could get it, or the next
 * one, between two lines of this one.
 */
export async function occupyPort(): Promise<OccupiedPort> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 10_000)
    const server = await listenAt(port)
    if (!server) continue
    const next = await listenAt(port + 1)
    if (next) {
      await close(next)
      return { port, free: () => close(server) }
    }
    await close(server)
  }
}

/** @returns undefined if another program listens there. */
async function listenAt(port: number): Promise<Server | undefined> {
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  return isFree ? server : undefined
}

const close = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
