/** A program that means harm, and the line that it gets back. */
export interface HostileProgram {
  name: string
  code: string
  /** The text of its result. */
  back: RegExp
  /** Milliseconds it may take. */
  timeoutMs?: number
}

/** Functions of the host or of the runner: no program may find one of them. */
export const OUTSIDE = `['fetch','post','deliver','open','limit','run','receive','respondWith','addEventListener','variable',
'keepShapes','__ftl','Request','Response','Headers','crypto','process','require','WebAssembly','Deno','Bun','importScripts']`

/** Walks everything that can be reached from some values, also through getters and prototypes. */
export const WALK = `function walk(...roots) {
  const seen = new Set(), open = roots
  while (open.length > 0 && seen.size < 5000) {
    const at = open.pop()
    if ((typeof at !== 'object' && typeof at !== 'function') || at === null || seen.has(at)) continue
    seen.add(at)
    open.push(Object.getPrototypeOf(at))
    for (const key of Reflect.ownKeys(at)) {
      const { value, get, set } = Object.getOwnPropertyDescriptor(at, key)
      open.push(value, get, set)
    }
  }
  return seen
}
`
