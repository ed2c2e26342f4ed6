/** The one queue of a server: what waits, what runs, what is done. */
import type { SavedFile } from './nodes/definition.ts'
import type { Store } from './store.ts'
import type { Prompt } from './prompt.ts'

export interface QueueItem {
  /** Priority: the lowest number runs first. */
  number: number
  id: string
  prompt: Prompt
  extraData: Record<string, unknown>
  /** Ids of the output nodes to run. */
  outputs: string[]
}

/** An item as `/queue` and history show it. */
export type QueueTuple = [number, string, Prompt, Record<string, unknown>, string[]]

export type Message = [type: string, data: Record<string, unknown>]

export interface HistoryEntry {
  prompt: QueueTuple
  outputs: Record<string, Record<string, unknown[]>>
  status: { status_str: 'success' | 'error'; completed: boolean; messages: Message[] }
  meta: Record<string, Record<string, unknown>>
}

export interface RunControl {
  /** Whether the running prompt is to stop at its next step. */
  interrupted: boolean
  /** The server closes: the prompt is left in the queue for the next start. */
  readonly closing: AbortSignal
}

/** Runs one prompt; the returned entry goes into history. */
export type Execute = (item: QueueItem, control: RunControl) => Promise<HistoryEntry>

/** Entries of history the server keeps. */
const MAX_HISTORY = 10_000

export class PromptQueue {
  readonly history = new Map<string, HistoryEntry>()
  readonly pending: QueueItem[] = []
  running: QueueItem | undefined
  #counter = 0
  #control: RunControl | undefined
  readonly #store: Store
  readonly #execute: Execute
  readonly #changed: (remaining: number) => void
  readonly #finished: (item: QueueItem) => void
  readonly #historyDelayMs: () => number
  #closing = new AbortController()
  #loop = Promise.resolve()
  #active = false

  constructor(options: {
    store: Store
    execute: Execute
    /** Milliseconds between the event of success and the entry in history. */
    historyDelayMs: () => number
    /** Called whenever something enters or leaves the queue. */
    changed: (remaining: number) => void
    /** Called when a prompt is in history. */
    finished: (item: QueueItem) => void
  }) {
    this.#store = options.store
    this.#execute = options.execute
    this.#historyDelayMs = options.historyDelayMs
    this.#changed = options.changed
    this.#finished = options.finished
  }

  /** Takes up what an earlier process left. */
  async restore(): Promise<void> {
    const { counter, queue, history } = await this.#store.load()
    this.#counter = counter
    for (const [id, entry] of history) this.history.set(id, entry)
    this.pending.push(...queue.filter((item) => !this.history.has(item.id)))
    this.#wake()
  }

  get remaining(): number {
    return this.pending.length + (this.running ? 1 : 0)
  }

  /** The next number; every prompt that could be read takes one, also a refused one. */
  nextNumber(): number {
    return this.#counter++
  }

  async add(item: QueueItem): Promise<void> {
    const at = this.pending.findIndex((other) => other.number > item.number)
    this.pending.splice(at === -1 ? this.pending.length : at, 0, item)
    await this.#save()
    this.#changed(this.remaining)
    this.#wake()
  }

  /** Removes the first waiting prompt with this id. */
  async remove(id: string): Promise<boolean> {
    const at = this.pending.findIndex((item) => item.id === id)
    if (at === -1) return false
    this.pending.splice(at, 1)
    await this.#save()
    this.#changed(this.remaining)
    return true
  }

  async clear(): Promise<void> {
    this.pending.length = 0
    await this.#save()
    this.#changed(this.remaining)
  }

  /** Stops the running prompt; with an id only if it is that one. */
  interrupt(id?: string): boolean {
    if (!this.#control || (id !== undefined && this.running?.id !== id)) return false
    this.#control.interrupted = true
    return true
  }

  async forget(ids: Iterable<string>): Promise<void> {
    for (const id of [...ids]) {
      if (this.history.delete(id)) await this.#store.deleteHistory(id)
    }
  }

  /** Stops at once; what runs stays in the saved queue. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#loop
  }

  /** Stops at once and forgets everything. */
  async restart(): Promise<void> {
    await this.close()
    this.#closing = new AbortController()
    this.pending.length = 0
    this.running = undefined
    this.#control = undefined
    this.#counter = 0
    await this.forget(this.history.keys())
    await this.#save()
    this.#changed(this.remaining)
  }

  #wake(): void {
    if (this.#active) return
    this.#active = true
    this.#loop = this.#drain().finally(() => {
      this.#active = false
      if (this.pending.length > 0 && !this.#closing.signal.aborted) this.#wake()
    })
  }

  async #drain(): Promise<void> {
    // The reply to the submit is on its way before the first event, as on the real server.
    await new Promise((resolve) => setImmediate(resolve))
    while (!this.#closing.signal.aborted) {
      const item = this.pending.shift()
      if (!item) return
      this.running = item
      this.#control = { interrupted: false, closing: this.#closing.signal }
      this.#changed(this.remaining)
      try {
        const entry = await this.#execute(item, this.#control)
        await new Promise((resolve) => setTimeout(resolve, this.#historyDelayMs()))
        await this.#remember(item.id, entry)
      } catch (error) {
        if (!this.#closing.signal.aborted) throw error
        return
      }
      this.running = undefined
      this.#control = undefined
      await this.#save()
      this.#changed(this.remaining)
      this.#finished(item)
    }
  }

  async #remember(id: string, entry: HistoryEntry): Promise<void> {
    await this.#store.saveHistory(id, entry)
    this.history.delete(id)
    this.history.set(id, entry)
    const [oldest] = this.history.keys()
    if (this.history.size > MAX_HISTORY && oldest !== undefined) await this.forget([oldest])
  }

  #save(): Promise<void> {
    const queue = this.running ? [this.running, ...this.pending] : this.pending
    return this.#store.saveQueue(this.#counter, queue)
  }
}

export function toTuple(item: QueueItem): QueueTuple {
  return [item.number, item.id, item.prompt, item.extraData, item.outputs]
}

/** The files among a node's outputs. */
export function isFile(value: unknown): value is SavedFile {
  return typeof value === 'object' && value !== null && 'filename' in value
}
