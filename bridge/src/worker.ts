/**
 * The bridge as a Cloudflare Worker: WebSocket streams of jobs, and their files.
 *
 * @module
 */
import { isJobId } from 'ftl-sdk/contract'
import { Hono } from 'hono'
import { endMessage, errorMessage, NO_SUCH_STREAM } from './messages.ts'
import { allowOutputs, jsonError, passOutput } from './outputs.ts'
import { publicOrigin } from './public-origin.ts'
import { ORIGIN_HEADER, STREAM_HEADER, WISHES_HEADER } from './stream-room.ts'
import { encodeWishes } from './wishes.ts'
import { type Bindings, upgraded, webSocketPair } from './workerd.ts'

export { ComfyFeed } from './live/comfy-feed.ts'
export { StreamRoom } from './stream-room.ts'

const app = new Hono<{ Bindings: Bindings }>()

app.get('/ws/stream/:id', (c) => {
  const { req, env } = c
  if (req.header('upgrade')?.toLowerCase() !== 'websocket') {
    return c.json(
      { error: { code: 'upgrade_required', message: 'Connect here with a WebSocket client.' } },
      426,
    )
  }
  const id = req.param('id')
  if (!isJobId(id)) return refuse(id)
  const headers = new Headers({
    upgrade: 'websocket',
    [STREAM_HEADER]: id,
    [ORIGIN_HEADER]: publicOrigin(req.raw, env),
    [WISHES_HEADER]: encodeWishes(new URL(req.url).searchParams),
  })
  const room = env.STREAMS.get(env.STREAMS.idFromName(id))
  return room.fetch('http://room/', { headers }) as unknown as Promise<Response>
})

app.on(['GET', 'HEAD'], '/outputs/:file', (c) => passOutput(c.req.raw, c.env, c.req.param('file')))

app.options('/outputs/:file', () => allowOutputs())

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
  server.send(errorMessage(id, NO_SUCH_STREAM))
  server.send(endMessage(id))
  server.close(1000)
  return upgraded(client)
}

export default app
