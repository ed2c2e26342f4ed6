import { digestOf } from './digest.ts'
import type { Files } from './platform.ts'

/** Files that are part of the program. @param contents base64 by absolute path. */
export function embeddedFiles(contents: Readonly<Record<string, string>>): Files {
  const read = (path: string) => {
    const text = Object.hasOwn(contents, path) ? contents[path] : undefined
    return text === undefined
      ? undefined
      : Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  }
  return {
    read: async (path) => read(path),
    list: async (path) => {
      const prefix = path.endsWith('/') ? path : `${path}/`
      const names = Object.keys(contents).flatMap((file) =>
        file.startsWith(prefix) ? [file.slice(prefix.length).split('/')[0] ?? ''] : [],
      )
      return [...new Set(names)].sort()
    },
    stamp: async (path) => {
      const bytes = read(path)
      return bytes && digestOf(bytes)
    },
  }
}
