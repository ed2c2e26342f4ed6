/**
 * The feature that publishes a server card: what a client can know of the server before it connects. Off until `server_card` names
 * the server, because a card is public, also where everything else needs a caller.
 *
 * `GET /mcp/server-card` is the card, and `GET /.well-known/ai-catalog.json` a catalog that leads to it. Drafts: SEP-2127.
 *
 * @see https://github.com/modelcontextprotocol/experimental-ext-server-card/blob/main/docs/discovery.md
 */
import { addressOf, sha256 } from 'ftl-http'
import type { Feature } from '../feature.ts'
import { type CardDocument, documentAt, isCardPath } from './documents.ts'
import { cardVariables } from './card-settings.ts'

/** The draft demands them: a page of any origin may read what is public. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'Content-Type, If-None-Match',
  'access-control-expose-headers': 'ETag',
}

const CACHE = 'public, max-age=3600'

export const card: Feature = {
  name: 'card',
  settings: cardVariables,
  isOpen: isCardPath,
  isPublic: isCardPath,
  handle(request, { settings }, next) {
    const { pathname } = addressOf(request)
    if (!isCardPath(pathname) || !settings.serverCard) return next()
    const { method } = request
    if (method === 'OPTIONS') return new Response(null, { status: 204, headers: CORS })
    if (method !== 'GET' && method !== 'HEAD') {
      return new Response(null, { status: 405, headers: { ...CORS, allow: 'GET, HEAD, OPTIONS' } })
    }
    return answer(request, documentAt(request, pathname, settings.serverCard))
  },
}

async function answer(request: Request, { type, value }: CardDocument): Promise<Response> {
  const body = JSON.stringify(value)
  const etag = `"${(await sha256(body)).slice(0, 32)}"`
  const headers = { ...CORS, etag, 'cache-control': CACHE }
  const known = request.headers.get('if-none-match') ?? ''
  if (
    known.trim() === '*' ||
    known.split(',').some((each) => each.trim().replace(/^W\//, '') === etag)
  ) {
    return new Response(null, { status: 304, headers })
  }
  return new Response(request.method === 'HEAD' ? null : body, {
    headers: { ...headers, 'content-type': type },
  })
}
