/** What clients get about the use of the servers' tools. */
import type { RemoteServer } from './servers.ts'
import type { KeptList } from './store.ts'

/** Characters of all servers: models read them before they do anything. The gateway takes 16,384. */
const MOST = 16_000
const LINE_END = /\r\n?|[\n\v\f\x85\u2028\u2029]/

/**
 * In the order of the servers, each with its name. The lines of a text are quoted, so that a server cannot end its part
 * and speak for another one.
 */
export function instructionsOf(
  servers: readonly RemoteServer[],
  lists: ReadonlyMap<string, KeptList>,
): string | undefined {
  let all = ''
  for (const { name, instructions } of servers) {
    const text = (instructions === true ? lists.get(name)?.instructions : instructions)?.trim()
    if (!text) continue
    const lines = text.split(LINE_END).map((line) => `> ${line}`.trimEnd())
    const part = `${all && '\n\n'}Instructions of the server "${name}":\n\n${lines.join('\n')}`
    if (all.length + part.length <= MOST) all += part
  }
  return all || undefined
}
