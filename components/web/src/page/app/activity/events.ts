/** Server-sent events of `GET /activity`. Not `EventSource`: that cannot send the user's token. */

export interface ActivityEvent {
  event: string
  id: string | undefined
  data: unknown
}

/** Characters of one event; the server's are below 1 MB. */
const MOST = 4 * 1024 ** 2

/** Takes text in pieces of any size. */
export class EventParser {
  #rest = ''

  /** @throws {Error} for an event that does not end. */
  push(text: string): ActivityEvent[] {
    this.#rest += text
    const blocks = this.#rest.split('\n\n')
    this.#rest = blocks.pop() ?? ''
    if (this.#rest.length > MOST) throw new Error('an event does not end')
    return blocks.flatMap((block) => {
      const fields = new Map(
        block.split('\n').map((line) => {
          const colon = line.indexOf(':')
          return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const
        }),
      )
      const data = fields.get('data')
      if (data === undefined) return []
      try {
        const event = fields.get('event') ?? 'message'
        return [{ event, id: fields.get('id'), data: JSON.parse(data) as unknown }]
      } catch {
        return []
      }
    })
  }
}
