/** The id of a request, which its client may choose. */
import type { HeaderEntry } from '../http/header-rules.ts'

/** As the gateway reads it. */
export const ID_HEADER = 'x-request-id'

/** The headers of a request with this id, so that the gateway's lines have the same. */
export function withRequestId(headers: readonly HeaderEntry[], id: string): HeaderEntry[] {
  const others = headers.filter(([name]) => name !== ID_HEADER)
  return [...others, [ID_HEADER, id]]
}
