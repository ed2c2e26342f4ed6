/** Callers with API keys, for tests of the gateway. */
import { createHash } from 'node:crypto'

const apiKey = (principal: string) =>
  `ftl_${createHash('sha256').update(principal).digest('base64url')}`

/** The headers of a request of this caller. */
export const as = (principal: string) => ({ authorization: `Bearer ${apiKey(principal)}` })

/** The variable `api_keys` with a key for each caller. */
export const keys = (...principals: string[]) =>
  JSON.stringify(
    principals.map((principal) => ({
      sha256: createHash('sha256').update(apiKey(principal)).digest('hex'),
      principal,
      scopes: [],
    })),
  )
