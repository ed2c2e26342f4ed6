import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Where this repository has workflows, and where `ftl add comfyui` puts them. */
const FOLDERS = ['components/workflows', 'tools/workflows']

/** How options and examples name it. */
export const WORKFLOWS_FOLDER = 'components/workflows'

/** @returns the folder of the component `workflows`, relative to `base`, with `config` and `workflows`. */
export function workflowsFolder(base = '.'): string | undefined {
  return FOLDERS.find((folder) => existsSync(join(base, folder)))
}
