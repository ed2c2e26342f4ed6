/**
 * The bridge as a Cloudflare Worker: WebSocket streams of jobs, and their files.
 *
 * @module
 */
import { isJobId } from 'ftl-sdk/contract'
import { Hono } from 'hono'
import { endMessage, errorMessage, SERVICE_ERROR } from './messages.ts'
import { jsonError, passOutput } from './outputs.ts'
import { ORIGIN_HEADER, PROGRESS_HEADER, STREAM_HEADER } from './stream-room.ts'
import { type Bindings, upgraded, webSocketPair } from './workerd.ts'

export { StreamRoom } from './stream-room.ts'

const app = new Hono<{ Bindings: Bindings }>()

app.get('/ws/stream/:id', (c) => {
  const { req, env } = c
  if (req.header('upgrade')?.toLowerCase() !== 'websocket') {
    return c.json(
      { error: { code: 'upgrade_required', message: 'Connect here with a WebSocket client.' } },
      426,
      { upgrade: 'websocket' },
    )
  }
  const id = req.param('id')
  if (!isJobId(id)) return refuse(id)
  const url = new URL(req.url)
  const headers = new Headers({
    upgrade: 'websocket',
    [STREAM_HEADER]: id,
    [ORIGIN_HEADER]: env.PUBLIC_URL ? env.PUBLIC_URL.replace(/\/+$/, '') : url.origin,
    [PROGRESS_HEADER]: url.searchParams.get('progress') ?? '0',
  })
  const room = env.STREAMS.get(env.STREAMS.idFromName(id))
  return room.fetch('http://room/', { headers }) as unknown as Promise<Response>
})

app.on(['GET', 'HEAD'], '/outputs/:file', (c) =>
  passOutput(c.req.raw, c.env.GATEWAY_URL.replace(/\/+$/, ''), c.req.param('file')),
)

app.get('/health', (c) => c.json({ status: 'ok' }))

app.notFound(() =>
  jsonError(404, 'not_found', 'There is nothing here but /ws/stream/{id} and /outputs/{file}.'),
)

app.onError((error) => {
  console.error(error.stack)
  return jsonError(500, 'internal', 'The bridge failed; its log says why.')
})

/** An id that cannot be a stream's ends as an unknown stream does, so that a client has one case to handle. */
function refuse(id: string): Response {
  const { client, server } = webSocketPair()
  server.accept()
  server.send(
    errorMessage(id, {
      code: SERVICE_ERROR,
      message: 'This stream does not exist or has expired.',
    }),
  )
  server.send(endMessage(id))
  server.close(1000)
  return upgraded(client)
}

export default app
