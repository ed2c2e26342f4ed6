/** Where the official Inspector is. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const PACKAGE = '@modelcontextprotocol/inspector'

/** The version `ftl inspect` was tried with; a newer one could name its options otherwise. */
const INSPECTOR_VERSION = '2.12.0'

export interface InspectorProgram {
  command: string
  args: string[]
  /** npm has to fetch it first. */
  fetched: boolean
}

/** That of the project, else that beside this command, else the one npx fetches. */
export function findInspector(folder: string): InspectorProgram {
  for (const from of [join(folder, 'x.js'), import.meta.url]) {
    const path = installedAt(from)
    if (path !== undefined) return { command: process.execPath, args: [path], fetched: false }
  }
  const args = ['--yes', `${PACKAGE}@${INSPECTOR_VERSION}`]
  return { command: process.platform === 'win32' ? 'npx.cmd' : 'npx', args, fetched: true }
}

function installedAt(from: string): string | undefined {
  try {
    const manifest = createRequire(from).resolve(`${PACKAGE}/package.json`)
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> }
    const path = bin['mcp-inspector']
    return path === undefined ? undefined : join(dirname(manifest), path)
  } catch {
    return undefined
  }
}
