/** What a server has answered, whether as JSON or as a stream of events. */
import { EventReader } from 'ftl-contract'

export interface RpcAnswer {
  id?: number | string | null
  error?: { message: string }
  result?: {
    tools?: { name: string }[]
    nextCursor?: string
    content?: { text?: string }[]
    isError?: boolean
  }
}

/**
 * @param id of the request; a stream may carry other messages before its answer.
 * @throws {Error} when there is no answer in it.
 */
export function answerOf(body: string, contentType: string, id: number): RpcAnswer {
  const texts = contentType.startsWith('text/event-stream')
    ? new EventReader().push(`${body}\n\n`).map(({ data }) => data)
    : [body]
  for (const text of texts) {
    if (text === '') continue
    const message = JSON.parse(text) as RpcAnswer
    if (message.id === id || message.id === null) return message
  }
  throw new Error(`there is no answer in "${body.slice(0, 100)}"`)
}
