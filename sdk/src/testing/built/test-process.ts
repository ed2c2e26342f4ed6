/**
 * The process that builds and runs components: the `ftl` of the application, which finds a Node that can. There is one for
 * each process of the test runner; it ends with it.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** As in `cli/src/test-host/messages.ts`, which this package must not import; both have the same version. */
type FromProcess =
  | { type: 'answer'; id: number; answer: unknown }
  | { type: 'failed'; id: number; message: string }
  | { type: 'progress'; text: string }
  | { type: 'line'; key: string; stream: 'stdout' | 'stderr'; line: string }

export type OnLine = (stream: 'stdout' | 'stderr', line: string) => void

interface Waiting {
  resolve: (answer: unknown) => void
  reject: (error: Error) => void
}

export class TestProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #waiting = new Map<number, Waiting>()
  readonly #listeners = new Map<string, OnLine>()
  #ids = 0
  #ended: Error | undefined

  /** @param command path of `ftl.mjs`. */
  constructor(command: string) {
    const child = spawn(process.execPath, [command, 'test-host'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#child = child
    createInterface({ input: child.stdout }).on('line', (line) => this.#receive(line))
    child.stdin.on('error', () => undefined)
    child.on('error', (error) => this.#end(error.message))
    child.on('exit', (code, signal) => this.#end(signal ?? `code ${code}`))
    this.#hold(false)
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined
  }

  /** @throws {Error} whose message is for the author of the test. */
  ask<T>(kind: string, ask: unknown): Promise<T> {
    if (this.#ended) return Promise.reject(this.#ended)
    const id = ++this.#ids
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject })
      this.#hold(true)
      this.#child.stdin.write(`${JSON.stringify({ id, kind, ask })}\n`)
    })
  }

  /** Passes on what the component of `key` prints. */
  listen(key: string, onLine: OnLine | undefined): void {
    if (onLine) this.#listeners.set(key, onLine)
    else this.#listeners.delete(key)
  }

  #receive(line: string): void {
    const message = JSON.parse(line) as FromProcess
    if (message.type === 'progress') return void process.stderr.write(`  ${message.text}\n`)
    if (message.type === 'line') {
      return this.#listeners.get(message.key)?.(message.stream, message.line)
    }
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (this.#waiting.size === 0) this.#hold(false)
    if (message.type === 'answer') waiting?.resolve(message.answer)
    else waiting?.reject(new Error(message.message))
  }

  #end(how: string): void {
    this.#ended ??= new Error(`the process that runs built components has ended (${how})`)
    for (const { reject } of this.#waiting.values()) reject(this.#ended)
    this.#waiting.clear()
  }

  /** Without a request under way, the process must not keep the test runner alive. */
  #hold(isNeeded: boolean): void {
    const change = isNeeded ? 'ref' : 'unref'
    this.#child[change]()
    for (const stream of [this.#child.stdin, this.#child.stdout]) {
      ;(stream as { ref?: () => void; unref?: () => void })[change]?.()
    }
  }
}

let running: TestProcess | undefined

/** @throws {Error} when the application has no `ftl`. */
export function testProcess(): TestProcess {
  if (!running || running.hasEnded) running = new TestProcess(findCommand(process.cwd()))
  return running
}

function findCommand(folder: string): string {
  const path = join(folder, 'node_modules', 'ftl', 'bin', 'ftl.mjs')
  if (existsSync(path)) return path
  const above = dirname(folder)
  if (above !== folder) return findCommand(above)
  throw new Error(
    'built() needs the package "ftl", which builds and runs components: npm install --save-dev ftl',
  )
}
