/** The workflows to measure: files of a folder, or what a server offers in its editor. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asObject } from 'ftl-contract'

export interface Source {
  /** With `.json`. */
  name: string
  read: () => Promise<unknown>
}

/** Milliseconds for one file. */
const TIMEOUT_MS = 60_000

export async function filesOf(folder: string): Promise<Source[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  return names.map((name) => ({
    name,
    read: async () => JSON.parse(await readFile(join(folder, name), 'utf8')) as unknown,
  }))
}

/** @throws {Error} if the server offers none, because its packages of templates are not complete. */
export async function offeredBy(comfyui: string): Promise<Source[]> {
  const read = async (file: string): Promise<unknown> => {
    const address = `${comfyui.replace(/\/+$/, '')}/templates/${file}`
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!response.ok) {
      throw new Error(`${address}: ${response.status}; name a folder with the templates instead`)
    }
    return response.json()
  }
  const index = await read('index.json')
  const names = (Array.isArray(index) ? (index as unknown[]) : []).flatMap((category) => {
    const { templates } = asObject(category)
    return Array.isArray(templates) ? (templates as unknown[]).map(nameOf) : []
  })
  return [...new Set(names)]
    .filter((name) => name !== '')
    .sort()
    .map((name) => ({ name: `${name}.json`, read: () => read(`${encodeURIComponent(name)}.json`) }))
}

function nameOf(template: unknown): string {
  const { name } = asObject(template)
  return typeof name === 'string' ? name : ''
}
