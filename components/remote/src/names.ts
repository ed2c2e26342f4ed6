/** From the lists of several servers to one, in which every name leads to one tool. */
import type { ToolDescription } from 'ftl-sdk'
import type { RemoteServer } from './servers.ts'
import type { Target } from './store.ts'
import type { UsableTool } from './usable-tools.ts'
import { headerParams } from './wire/standard-headers.ts'

export interface Published {
  tools: ToolDescription[]
  targets: Record<string, Target>
  /** What could not be published, by the server whose it is. */
  problems: ReadonlyMap<string, string[]>
}

/** What every component may publish. */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/
/** Characters of a name in a problem. All problems are part of a description of limited size, and servers share it. */
const SHOWN = 64
/** Where the component takes what is for no tool: a call of a tool of this name would go there. */
const OTHER_ADDRESSES = ['complete', 'resources']
/** Between a server's name and its tool's, where the latter is taken. */
const RENAMING = '__'

/**
 * The first server to publish a name keeps it; a later one's tool is `server__name`. Denied tools are in neither result.
 *
 * @param listOf `undefined`: nothing is known of that server.
 * @param others names of its prompts and addresses of its resources.
 * @param own names of tools that the component has itself.
 */
export function publish(
  servers: readonly RemoteServer[],
  listOf: (server: RemoteServer) => readonly UsableTool[] | undefined,
  others: (server: RemoteServer) => readonly string[] = () => [],
  own: readonly string[] = [],
): Published {
  const published = new Map<string, { tool: ToolDescription; target: Target }>()
  const problems = new Map<string, string[]>()
  for (const server of servers) {
    const list = listOf(server)
    if (!list) continue
    const found: string[] = []
    problems.set(server.name, found)
    const named = [...list.map((tool) => tool.name), ...others(server)]
    for (const name of server.denied.filter((each) => !named.includes(each))) {
      found.push(`it has no tool "${name}" that could be denied`)
    }
    for (const { onlyAsTask, ownNames, ...tool } of list) {
      if (server.denied.includes(tool.name)) continue
      // Servers use slashes, spaces and parentheses; many clients refuse the whole list for one. The index leads from here to the
      // server's own name.
      const plain = `${server.prefix}${tool.name.replace(/[^A-Za-z0-9_.-]/g, '_')}`
      const name =
        published.has(plain) || OTHER_ADDRESSES.includes(plain) || own.includes(plain)
          ? `${server.name}${RENAMING}${plain}`
          : plain
      const problem = !NAME.test(name)
        ? `"${shown(name)}" is not a valid name: use 1 to 128 letters, digits, "_", "." and "-"`
        : published.has(name)
          ? `the names "${plain}" and "${name}" are taken`
          : undefined
      if (problem !== undefined) {
        found.push(`its tool "${shown(tool.name)}" is left out: ${problem}`)
        continue
      }
      const params = headerParams(tool.inputSchema)
      const target = {
        server: server.name,
        tool: tool.name,
        ...(ownNames && { ownNames }),
        ...(params.length > 0 && { params }),
        ...(onlyAsTask && { onlyAsTask }),
      }
      published.set(name, { tool: { ...tool, name }, target })
    }
  }
  const entries = [...published]
  return {
    tools: entries.map(([, { tool }]) => tool),
    targets: Object.fromEntries(entries.map(([name, { target }]) => [name, target])),
    problems,
  }
}

/** A name in a problem. */
export function shown(name: string): string {
  return name.length > SHOWN ? `${name.slice(0, SHOWN).toWellFormed()}…` : name
}
