/**
 * How many sockets are open in this process of workerd, streams and refused ones together.
 *
 * Worker and streams share it where they run in one isolate, as on one machine; on Cloudflare each isolate counts its
 * own.
 */
import type { ServerSocket } from './workerd.ts'

let open = 0

export function socketsAreLeft(limit: number): boolean {
  return open < limit
}

/** Counts a socket until its client has gone. @param gone is called once, then. */
export function countSocket(socket: ServerSocket, gone: () => void = () => {}): void {
  open++
  let counted = true
  const leave = () => {
    if (!counted) return
    counted = false
    open--
    gone()
  }
  socket.addEventListener('close', leave)
  socket.addEventListener('error', leave)
}
