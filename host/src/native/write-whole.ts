import type { HeaderEntry } from '../http/header-rules.ts'
import { isForbiddenHeader } from '../http/header-rules.ts'
import type { Pipe } from '../http/pipe.ts'
import { bytesOf } from './body.ts'
import { NativeHeaders } from './headers.ts'

/** The headers that the native gateway may set: those of the connection are the host's. */
export function ownHeaders(headers: NativeHeaders): HeaderEntry[] {
  return NativeHeaders.entriesOf(headers).filter(([name]) => !isForbiddenHeader(name))
}

/** Writes the whole body and ends it; adds its length to the headers, as our engine does. */
export function writeWhole(
  content: string | Uint8Array | null,
  { headers, body }: { headers: HeaderEntry[]; body: Pipe },
): void {
  if (content !== null) {
    const bytes = bytesOf(content)
    if (!headers.some(([name]) => name === 'content-length')) {
      headers.push(['content-length', String(bytes.length)])
    }
    body.write(bytes)
  }
  body.end()
}
