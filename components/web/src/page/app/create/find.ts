/** The search in titles and in what the user wrote. */
import type { Head } from '../chat/archive/archive.ts'

/** @returns those that contain every word. */
export function foundIn(list: readonly Head[], wanted: string): Head[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  return list.filter(({ name = '', title, words: said }) => {
    const all = `${name}\n${title}\n${said}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
}

export function nameOf({ name, title }: Pick<Head, 'name' | 'title'>): string {
  return name ?? (title === '' ? 'Untitled' : title)
}
