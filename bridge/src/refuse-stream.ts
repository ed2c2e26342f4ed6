/** Answers a client whose stream does not exist. */
import { jsonError } from './json-error.ts'
import { endMessage, errorMessage, NO_SUCH_STREAM } from './messages.ts'
import { countSocket } from './socket-count.ts'
import { upgraded, webSocketPair } from './workerd.ts'

/**
 * Sockets that received an error message and are still open, because their clients do not close them. workerd keeps up to
 * 32 MiB of a message that such a client goes on to send.
 */
const MAX_REFUSED = 16
let refused = 0

/**
 * Sends what a failed stream sends, so that a client has only one case to handle. If too many clients keep such a
 * socket open, the handshake is refused instead.
 */
export function refuseStream(id: string): Response {
  if (refused >= MAX_REFUSED) return jsonError(404, 'stream_not_found', NO_SUCH_STREAM.message)
  const { client, server } = webSocketPair()
  server.accept()
  refused++
  countSocket(server, () => refused--)
  server.send(errorMessage(id, NO_SUCH_STREAM))
  server.send(endMessage(id))
  server.close(1000)
  return upgraded(client)
}
