/** What a built component prints: lines, from which entries of the console and errors are made. */
import type { Heard } from '../console.ts'

const FRAME = /^\s+at /

export class Printed {
  readonly #heard: Heard[]

  constructor(heard: Heard[]) {
    this.#heard = heard
  }

  /** Frames of a stack become part of the entry before them. */
  add(stream: 'stdout' | 'stderr', text: string): void {
    const level = stream === 'stderr' ? 'error' : 'log'
    const last = this.#heard.at(-1)
    if (last?.level === level && FRAME.test(text)) last.text += `\n${text}`
    else this.#heard.push({ level, text })
  }
}

/** The last error that was printed, with its places in the sources as the stack. */
export function errorIn(heard: readonly Heard[]): Error | undefined {
  const found = heard.findLast(({ level, text }) => level === 'error' && /\w*Error\b/.test(text))
  if (!found) return undefined
  const [first = ''] = found.text.split('\n', 1)
  const [, name = 'Error', message = first] = /\b(\w*Error): (.*)$/.exec(first) ?? []
  const error = new Error(message)
  error.name = name
  error.stack = found.text
  return error
}
