/** What the gateway has to publish of the tools of its servers. */
import type { ListedTool } from './official-clients.ts'
import { type Outline, outlineOf } from './schema-outline.ts'

/**
 * The tools by the name that clients see: the first server keeps it, and a later one has its own name in front.
 *
 * @param own what each server lists, in the order of the configuration.
 */
export function publishedNames(
  own: ReadonlyMap<string, readonly ListedTool[]>,
): Map<string, ListedTool> {
  const published = new Map<string, ListedTool>()
  for (const [server, tools] of own) {
    for (const tool of tools) {
      const plain = tool.name.replace(/[^\w-]/g, '_')
      const usual = /^\d/.test(plain) ? `tool_${plain}` : plain
      published.set(published.has(usual) ? `${server}__${usual}` : usual, tool)
    }
  }
  return published
}

/** What differs between the tools that a client gets and those that the servers list: the words, and each place of the schemas. */
export function differencesOf(
  published: ReadonlyMap<string, ListedTool>,
  listed: readonly ListedTool[],
): string[] {
  const differences: string[] = []
  for (const tool of listed) {
    const own = published.get(tool.name)
    if (!own) continue
    if ((own.description ?? '') !== (tool.description ?? '')) {
      differences.push(`${tool.name}: description`)
    }
    for (const part of ['inputSchema', 'outputSchema'] as const) {
      const [theirs, ours] = [outlineOf(own[part]), outlineOf(tool[part])]
      for (const place of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
        const [before, after] = [theirs[place], ours[place]].map((each) => shown(each, part))
        if (before !== after)
          differences.push(`${tool.name}: ${part}${place}: ${before} → ${after}`)
      }
    }
  }
  return differences
}

/** The gateway leaves out formats of results, because clients that check them would lose whole answers (docs/remote.md). */
function shown(place: Outline[string] | undefined, part: string): string {
  const isShown = (text: string) => part === 'inputSchema' || !text.startsWith('format ')
  return JSON.stringify(place && { ...place, says: place.says.filter(isShown) })
}
