/** Server-sent events of `GET /activity`. Not `EventSource`: that cannot send the user's token. */
import { EventReader } from 'ftl-contract'

export interface ActivityEvent {
  event: string
  id: string | undefined
  data: unknown
}

/** Characters of one event; the server's are below 1 MB. */
const MOST = 4 * 1024 ** 2

/** Takes text in pieces of any size. */
export class EventParser {
  readonly #reader = new EventReader()
  /** Characters since the last end of an event. */
  #open = 0

  /** @throws {Error} for an event that does not end. */
  push(text: string): ActivityEvent[] {
    const end = text.lastIndexOf('\n\n')
    const found = this.#reader.push(text)
    this.#open = end < 0 && found.length === 0 ? this.#open + text.length : text.length - end
    if (this.#open > MOST) throw new Error('an event does not end')
    return found.flatMap(({ event, id, data }) => {
      try {
        return [{ event, id, data: JSON.parse(data) as unknown }]
      } catch {
        return []
      }
    })
  }
}
