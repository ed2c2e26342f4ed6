/** Captures what components print. There is one console, so every listener receives all output. */
const METHODS = ['debug', 'log', 'info', 'warn', 'error'] as const

export type Heard = { level: (typeof METHODS)[number]; text: string }

const listeners = new Set<(heard: Heard) => void>()
let restore: (() => void) | undefined

/** Passes what is printed while `work` runs to `listener` instead of the terminal. */
export async function withConsole<T>(
  listener: (heard: Heard) => void,
  work: () => Promise<T>,
): Promise<T> {
  listeners.add(listener)
  restore ??= replaceConsole()
  try {
    return await work()
  } finally {
    listeners.delete(listener)
    if (listeners.size === 0) {
      restore?.()
      restore = undefined
    }
  }
}

function replaceConsole(): () => void {
  const own = METHODS.map((level) => Object.getOwnPropertyDescriptor(console, level))
  for (const level of METHODS) {
    console[level] = (...values: unknown[]) => {
      const text = values.map(toText).join(' ')
      for (const listener of listeners) listener({ level, text })
    }
  }
  return () => {
    for (const [index, level] of METHODS.entries()) {
      Object.defineProperty(console, level, own[index] ?? {})
    }
  }
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Error) return value.stack ?? String(value)
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}
