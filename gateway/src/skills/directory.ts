/** `resources/directory/read`: what is directly in a folder of skills. */
import type { Skill } from './read-skill.ts'

const DIRECTORY = 'inode/directory'

interface Child {
  uri: string
  name: string
  mimeType?: string
}

/** @returns `undefined` if there is no such folder, as for the address of a file. */
export function childrenOf(skills: readonly Skill[], folder: string): Child[] | undefined {
  const within = `${folder}/`
  // Clients send the address, so the names are keys of a Map.
  const children = new Map<string, Child>()
  for (const { uri: skill, files } of skills) {
    for (const { uri, mimeType } of files === 'dynamic' ? [{ uri: skill } as const] : files) {
      if (!uri.startsWith(within)) continue
      const [part = '', ...deeper] = uri.slice(within.length).split('/')
      const child = within + part
      if (part === '') continue
      children.set(child, {
        uri: child,
        name: decoded(part),
        ...(deeper.length > 0 ? { mimeType: DIRECTORY } : mimeType !== undefined && { mimeType }),
      })
    }
  }
  return children.size > 0 ? [...children.values()] : undefined
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
