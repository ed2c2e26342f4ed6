/** A terminal of the author's: runs command lines as they are printed, and writes them down with what they print. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
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
const LONGEST_MS = 420_000

/** The longest from Ctrl-C to the end of what serves. */
const STOPPING_MS = 30_000

/** From the end of a command until its output is closed: a process that it left behind may keep that open for ever. */
const CLOSING_MS = 2000

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

  /**
   * A command that takes too long is ended, and has no exit code.
   *
   * @param answer what is typed when the command asks for it.
   */
  async type(line: string, answer?: Answer): Promise<Typed> {
    const began = performance.now()
    this.#transcript.begin(line)
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
    let why = ''
    const timer = setTimeout(() => {
      why = `\n[ended after ${LONGEST_MS / 1000} s]`
      endGroup(child.pid, 'SIGKILL')
    }, LONGEST_MS)
    const code = await endOf(child)
    clearTimeout(timer)
    const seconds = (performance.now() - began) / 1000
    output = visible(output)
    const end = code === 0 ? '' : `${why}\n[exit code ${code}]`
    this.#transcript.write(`$ ${line}   # ${seconds.toFixed(1)} s\n${indented(output)}${end}`)
    return { output, code, seconds }
  }

  /** Starts what does not end by itself. Its output is written down when it is asked for. */
  start(line: string): Background {
    this.#transcript.begin(`${line} &`)
    this.#transcript.write(`$ ${line} &`)
    const child = this.#spawn(line)
    child.stdin.end()
    let printed = ''
    let read = 0
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    }
    let hasEnded = false
    const ended = endOf(child)
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
        if (hasEnded) return
        endGroup(child.pid, 'SIGINT')
        const timer = setTimeout(() => {
          this.#transcript.check(`"${line}" ends ${STOPPING_MS / 1000} s after Ctrl-C`, false)
          endGroup(child.pid, 'SIGKILL')
        }, STOPPING_MS)
        await ended
        clearTimeout(timer)
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

/** @returns the exit code; `null` when a signal ended it. */
function endOf(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  return new Promise((resolve) => {
    child.on('close', resolve)
    child.on('exit', (code) => {
      setTimeout(() => {
        for (const stream of [child.stdout, child.stderr]) stream.destroy()
        resolve(code)
      }, CLOSING_MS).unref()
    })
  })
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
