/** Lists of several servers as one, with the servers that have an item. */
import * as z from 'zod'

export interface Merged<Item> {
  key: string
  /** The item of the first server that has it. */
  item: Item
  /** Places of the servers that have it. */
  servers: number[]
}

/** In the output schema of a merged list. */
export const sharedBy = {
  not_on_all: z
    .array(z.object({ name: z.string(), servers: z.array(z.int()) }))
    .optional()
    .describe('What only some servers have, with the places of these servers'),
  silent: z.array(z.int()).optional().describe('Places of the servers that did not answer'),
}

/** In the order of the first server, then what only later servers have. */
export function merge<Item>(
  lists: readonly { server: number; items: readonly Item[] }[],
  keyOf: (item: Item) => string,
): Merged<Item>[] {
  // A Map: the servers choose the keys.
  const found = new Map<string, Merged<Item>>()
  for (const { server, items } of lists) {
    for (const item of items) {
      const key = keyOf(item)
      const known = found.get(key)
      if (!known) found.set(key, { key, item, servers: [server] })
      else if (!known.servers.includes(server)) known.servers.push(server)
    }
  }
  return [...found.values()]
}

/** @param count of the servers that answered. @returns nothing if all have it. */
export function placesText(servers: readonly number[], count: number): string {
  if (servers.length === count) return ''
  return ` (only on server ${servers.join(', ')})`
}

/** Of a merged list, what the result says about the servers. */
export function toShared<Item>(
  listed: readonly Merged<Item>[],
  answers: readonly { server: number }[],
): { not_on_all?: { name: string; servers: number[] }[]; silent?: number[] } {
  const silent = answers.flatMap((answer) => ('error' in answer ? [answer.server] : []))
  const count = answers.length - silent.length
  const partly = listed.filter(({ servers }) => servers.length < count)
  return {
    ...(partly.length > 0 && {
      not_on_all: partly.map(({ key, servers }) => ({ name: key, servers })),
    }),
    ...(silent.length > 0 && { silent }),
  }
}
