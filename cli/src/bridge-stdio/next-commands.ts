/** What to type after the servers of a file are served, so that the application of this folder has their tools. */
import type { Manifest } from 'ftl-host'
import { NotEditable, readToolList } from '../new/tool-list.ts'

/** The component for other MCP servers, as `ftl add remote` names it. */
const REMOTE = 'remote'

/** @param manifest of the application, if this folder belongs to one. @param out the file with the servers. */
export function nextCommands(manifest: Manifest | undefined, out: string): string[] {
  const up = `npx ftl up --build --variable remote_servers=@${out}`
  if (!manifest) return [up, `# in an application with the component remote: npx ftl add remote`]
  if (!manifest.components.has(REMOTE)) return ['npx ftl add remote', up]
  const names = listIn(manifest)
  if (!names) return [up, '# tool_components must name the component remote']
  return names.includes(REMOTE)
    ? [up]
    : [`${up} --variable tool_components=${[...names, REMOTE].join(',')}`]
}

function listIn(manifest: Manifest): string[] | undefined {
  try {
    return readToolList(manifest)
  } catch (error) {
    if (error instanceof NotEditable) return undefined
    throw error
  }
}
