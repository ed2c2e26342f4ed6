/**
 * Requests to another server: with the header that the user gave for it and nothing else of the page, such as cookies or the
 * user's token. Answers are limited and checked; what goes wrong is noted in words.
 */
import { AnswerError, checkedAnswer, requestIdOf } from './answer-check.ts'
import { type Server, secretHeader } from './known-servers.ts'
import { corsRefusal, noteRefusal, redirected, refused, unreachable } from './refusals.ts'

export function foreignFetch(server: Server): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    const secret = secretHeader(server)
    if (secret) headers.set(...secret)
    const { signal } = init ?? {}
    // A stream of the server for its own messages is optional: if it fails, nothing else does.
    const isSide = init?.method === 'GET' || init?.method === 'DELETE'
    let response: Response
    try {
      response = await fetch(input, { ...init, headers, ...ALONE })
    } catch (error) {
      if (!signal?.aborted && !isSide) {
        noteRefusal(server, (await isUp(server)) ? corsRefusal() : unreachable())
      }
      throw error
    }
    if (response.type === 'opaqueredirect') {
      noteRefusal(server, redirected())
      throw new AnswerError(redirected().message)
    }
    const checked = checkedAnswer(response, requestIdOf(init?.body), ({ message }) =>
      noteRefusal(server, { kind: 'answer', message, help: '' }),
    )
    if (isSide) return checked
    const { status, statusText } = checked
    // The reason of an error is in its body, which can be read once.
    const said = status >= 400 ? (await checked.text()).slice(0, LONGEST_ERROR) : ''
    noteRefusal(server, refused(response, said, secret !== undefined))
    return status >= 400
      ? new Response(said, { status, statusText, headers: checked.headers })
      : checked
  }
}

const ALONE = {
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
  redirect: 'manual',
  cache: 'no-store',
} as const satisfies RequestInit

/** Characters. */
const LONGEST_ERROR = 100_000
const PROBE_MS = 3_000

/** A request whose answer the page cannot read arrives also where the server allows no pages. */
async function isUp({ url }: Server): Promise<boolean> {
  try {
    await fetch(new URL(url).origin, {
      ...ALONE,
      mode: 'no-cors',
      // The only one that this mode allows.
      redirect: 'follow',
      signal: AbortSignal.timeout(PROBE_MS),
    })
    return true
  } catch {
    return false
  }
}
