/** `ftl tools --search`: the tools of each server that do what the user wants. */
import { type Client, type RequestOptions, searchTools } from 'ftl-client'
import { note } from '../terminal/terminal.ts'
import { line, paint } from '../terminal/ui.ts'
import { visible, visibleJson } from '../terminal/visible-text.ts'

interface Found {
  server: string
  name: string
  description: string
}

const MOST = 20

/** @param outcomes of connecting to the servers. A server without a search has the words looked for in its list. */
export async function showFound(
  outcomes: readonly ({ client: Client } | { error: unknown })[],
  query: string,
  { json, ...options }: RequestOptions & { json: boolean },
): Promise<void> {
  const found: Found[] = []
  for (const outcome of outcomes) {
    if ('client' in outcome) found.push(...(await foundAt(outcome.client, query, options)))
  }
  if (json) return line(visibleJson(JSON.stringify(found)))
  if (found.length === 0) return note('no tool does that; use other words, or see ftl tools')
  const width = Math.max(...found.map(({ name }) => name.length))
  const isOne = new Set(found.map(({ server }) => server)).size === 1
  for (const { server, name, description } of found) {
    const [summary = ''] = description.split('\n')
    const at = isOne ? '' : `${visible(server)}  `
    line(`${at}${paint('cyan', visible(name).padEnd(width))}  ${visible(summary)}`.trimEnd())
  }
}

async function foundAt(client: Client, query: string, options: RequestOptions): Promise<Found[]> {
  const server = client.name
  const found = await searchTools(client, query, { limit: MOST, ...options })
  if (found) {
    return found.tools.map(({ name, description = '' }) => ({ server, name, description }))
  }
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const tools = await client.listTools(options)
  return tools
    .map(({ name, description = '' }) => ({ server, name, description }))
    .filter(({ name, description }) => {
      const text = `${name} ${description}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
}
