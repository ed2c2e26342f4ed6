/** From the lists of several servers to one, in which every name leads to one tool. */
import { toolName } from 'ftl-contract'
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

/** Characters that the protocol permits. Servers share the description that the names are part of. */
const LONGEST = 128
/** Characters of a name in a problem. All problems are part of a description of limited size, and servers share it. */
const SHOWN = 64
/** Where the component takes what is for no tool: a call of a tool of this name would go there. */
const OTHER_ADDRESSES = ['complete', 'resources']
/** Between a server's name and its tool's, where the latter is taken. */
const RENAMING = '__'

/**
 * The first server to publish a name keeps it; a later one's tool is `server__name`. Within a server, a tool whose own name can
 * be published keeps that. Denied tools are in neither result.
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
    const permitted = list.filter(({ name }) => !server.denied.includes(name))
    const kept = new Set(permitted.map(({ name }) => server.prefix + name).filter(isKept))
    for (const { onlyAsTask, ownNames, ...tool } of permitted) {
      // The index leads from here to the server's own name.
      const whole = `${server.prefix}${tool.name}`
      const plain = toolName(whole)
      const isTaken =
        published.has(plain) ||
        (plain !== whole && kept.has(plain)) ||
        OTHER_ADDRESSES.includes(plain) ||
        own.includes(plain)
      const name = isTaken ? toolName(`${server.name}${RENAMING}${plain}`) : plain
      const problem =
        whole === '' || whole.length > LONGEST
          ? `a name has 1 to ${LONGEST} characters`
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

function isKept(name: string): boolean {
  return toolName(name) === name
}

/** A name in a problem. */
export function shown(name: string): string {
  return name.length > SHOWN ? `${name.slice(0, SHOWN).toWellFormed()}…` : name
}
