/**
 * Messages as they cross between the threads.
 *
 * A message with a head has a dozen names and a list of lists. Cloning it takes longer than waking the other thread; as
 * one text it takes a third of that.
 */
import type { FromWorker, ToWorker } from './messages.ts'

type Message = FromWorker | ToWorker
type Packed = readonly [head: string, body: Uint8Array | undefined]

export function pack(message: Message): Message | Packed {
  if (!('body' in message)) return message
  const { body, ...head } = message
  return [JSON.stringify(head), body]
}

/** The message that {@link pack} was given; what was `undefined` in it is missing. */
export function unpack<M extends Message>(received: M | Packed): M {
  if (!isPacked(received)) return received
  const [head, body] = received
  return { ...(JSON.parse(head) as object), body } as M
}

const isPacked = (received: Message | Packed): received is Packed => Array.isArray(received)
