/** The bridge as a Cloudflare Worker: WebSocket streams of jobs, and their files. */
import { isJobId, jobLinkIn } from 'ftl-contract'
import { Hono } from 'hono'
import { allowOrigin, refusal } from './access.ts'
import { findStream, streamName } from './find-stream.ts'
import { jsonError } from './json-error.ts'
import { allowOutputs, passOutput } from './outputs.ts'
import { publicOrigin } from './public-origin.ts'
import { refuseStream } from './refuse-stream.ts'
import { readLimits } from './settings.ts'
import { socketsAreLeft } from './socket-count.ts'
import { LINK_HEADER, ORIGIN_HEADER, STREAM_HEADER, WISHES_HEADER } from './stream-room.ts'
import { encodeWishes } from './wishes.ts'
import type { Bindings } from './workerd.ts'

export { ComfyFeed } from './live/comfy-feed.ts'
export { StreamRoom } from './stream-room.ts'

const app = new Hono<{ Bindings: Bindings }>()

app.use('*', async ({ req, env }, next) => refusal(req.raw, env) ?? next())

app.get('/ws/stream/:id', async (c) => {
  const { req, env } = c
  if (req.header('upgrade')?.toLowerCase() !== 'websocket') {
    return c.json(
      { error: { code: 'upgrade_required', message: 'Connect here with a WebSocket client.' } },
      426,
    )
  }
  if (!socketsAreLeft(readLimits(env).maxTotalSockets)) return busy()
  const id = req.param('id')
  if (!isJobId(id)) return refuseStream(id)
  // A Durable Object is made by the first request to it and costs much more than a socket: not for a made-up id.
  const { search, searchParams } = new URL(req.url)
  const link = jobLinkIn(search)
  const found = await findStream(id, link, env)
  if (found === 'busy') return busy()
  if (found === 'missing') return refuseStream(id)
  const room = env.STREAMS.get(env.STREAMS.idFromName(streamName(id, link)))
  if (found !== 'known') {
    await room.fetch('http://room/', { method: 'POST', body: JSON.stringify(found) })
  }
  const headers = new Headers({
    upgrade: 'websocket',
    [STREAM_HEADER]: id,
    [ORIGIN_HEADER]: publicOrigin(req.raw, env),
    [WISHES_HEADER]: encodeWishes(searchParams),
  })
  if (link !== undefined) headers.set(LINK_HEADER, link)
  return room.fetch('http://room/', { headers }) as unknown as Promise<Response>
})

app.on(['GET', 'HEAD'], '/outputs/:file', async ({ req, env }) => {
  const response = await passOutput(req.raw, env, req.param('file'))
  allowOrigin(req.raw, response.headers)
  return response
})

app.options('/outputs/:file', ({ req }) => {
  const response = allowOutputs()
  allowOrigin(req.raw, response.headers)
  return response
})

app.get('/health', (c) => c.json({ status: 'ok' }))

app.notFound(() =>
  jsonError(404, 'not_found', 'There is nothing here but /ws/stream/{id} and /outputs/{file}.'),
)

app.onError((error) => {
  console.error(error.stack)
  return jsonError(500, 'internal', 'The bridge failed; its log says why.')
})

function busy(): Response {
  const response = jsonError(503, 'too_many_sockets', 'The bridge is busy. Connect again later.')
  response.headers.set('retry-after', '1')
  return response
}

export default app
