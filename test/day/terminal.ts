/** A terminal of the author's: runs command lines as they are printed, and writes them down with what they print. */
import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import type { Machine } from './machine.ts'
import type { Transcript } from './transcript.ts'

export interface Typed {
  /** Both streams. */
  output: string
  code: number | null
  seconds: number
}

export interface Answer {
  /** Printed when the command asks. */
  to: string
  text: string
}

export interface Background {
  /** What it has printed since this was last called. */
  news(): string
  /** Waits until it prints this, in what {@link news} has not returned yet. @throws {Error} after the time. */
  says(text: string | RegExp, withinMs?: number): Promise<void>
  stop(): Promise<void>
}

/** The longest that a command may take: installing on a busy machine. */
const LONGEST_MS = 300_000

export class Terminal {
  readonly #machine: Machine
  readonly #transcript: Transcript
  readonly #running = new Set<Background>()
  folder: string

  constructor(machine: Machine, transcript: Transcript) {
    this.#machine = machine
    this.#transcript = transcript
    this.folder = machine.folder
  }

  /** @param answer what is typed when the command asks for it. */
  async type(line: string, answer?: Answer): Promise<Typed> {
    const began = performance.now()
    // A command asks at a terminal only.
    const child = this.#spawn(answer ? `script -qec '${line}' /dev/null` : line)
    let output = ''
    let isAnswered = false
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (!answer || isAnswered || !output.includes(answer.to)) return
        isAnswered = true
        child.stdin.end(`${answer.text}\n`)
      })
    }
    if (!answer) child.stdin.end()
    const timer = setTimeout(() => endGroup(child.pid, 'SIGKILL'), LONGEST_MS)
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
    clearTimeout(timer)
    const seconds = (performance.now() - began) / 1000
    output = visible(output)
    const end = code === 0 ? '' : `\n[exit code ${code}]`
    this.#transcript.write(`$ ${line}   # ${seconds.toFixed(1)} s\n${indented(output)}${end}`)
    return { output, code, seconds }
  }

  /** Starts what does not end by itself. Its output is written down when it is asked for. */
  start(line: string): Background {
    this.#transcript.write(`$ ${line} &`)
    const child = this.#spawn(line)
    let printed = ''
    let read = 0
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    }
    let hasEnded = false
    const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
    void ended.then(() => (hasEnded = true))
    const unread = () => visible(printed.slice(read))
    const background: Background = {
      news: () => {
        const text = unread()
        read = printed.length
        if (text.trim() !== '') this.#transcript.write(indented(text, '  | '))
        return text
      },
      says: async (text, withinMs = 90_000) => {
        const deadline = performance.now() + withinMs
        const found = () =>
          typeof text === 'string' ? unread().includes(text) : text.test(unread())
        while (!found()) {
          if (hasEnded || performance.now() > deadline) {
            const why = hasEnded ? 'it ended' : `${withinMs / 1000} s passed`
            throw new Error(`"${line}" did not print ${String(text)}: ${why}\n${unread()}`)
          }
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      },
      stop: async () => {
        this.#running.delete(background)
        if (!hasEnded) endGroup(child.pid, 'SIGINT')
        await ended
      },
    }
    this.#running.add(background)
    return background
  }

  async close(): Promise<void> {
    for (const background of this.#running) await background.stop()
  }

  #spawn(line: string) {
    return spawn('sh', ['-c', line], {
      cwd: this.folder,
      env: this.#machine.env,
      stdio: ['pipe', 'pipe', 'pipe'] as const,
      // npm, a shell and Node: one signal for all of them.
      detached: true,
    })
  }
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

const visible = (text: string): string =>
  stripVTControlCharacters(text).replaceAll('\r\n', '\n').replaceAll(/^.*\r/gm, '')

const indented = (text: string, by = '  '): string => text.trimEnd().replaceAll(/^/gm, by)
