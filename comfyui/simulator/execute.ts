/** Runs a prompt: its nodes in order, events in the recorded order, outputs kept for the next prompt. */
import type { Picture } from './drawing/png.ts'
import { isDigits } from './exact-json.ts'
import { describeFailure, type Emit, outOfMemory, ProgressBoard } from './events.ts'
import { neededNodes, nextNode, signer } from './graph.ts'
import { NODES } from './nodes/catalog.ts'
import { Interrupted, NodeFailure, type NodeResult, type NodeRun } from './nodes/definition.ts'
import type { Execute, HistoryEntry, Message, QueueItem, RunControl } from './queue.ts'
import { toTuple } from './queue.ts'
import { isLink } from './prompt.ts'

export interface ExecutorOptions {
  renderSeconds: number
  /** Called once per prompt; returns whether the prompt must fail with out of memory. */
  runsOutOfMemory: () => boolean
  emit: Emit
  /** Sends a preview picture to one client; without a client id, to all clients. */
  preview: (picture: Picture, promptId: string, nodeId: string, clientId?: string) => Promise<void>
  save: (
    picture: Picture,
    prefix: string,
    type: 'output' | 'temp',
    item: QueueItem,
  ) => ReturnType<NodeRun['save']>
  saveFile: NodeRun['saveFile']
  readInput: NodeRun['readInput']
}

const SHORTEST_SLEEP = 0.005

/** Thrown when the server closes while a prompt runs. */
class Closing extends Error {}

export function createExecutor(options: ExecutorOptions): Execute {
  let cache = new Map<string, NodeResult>()

  return async (item, control) => {
    const run = new PromptRun(item, control, options, cache)
    try {
      return await run.execute()
    } finally {
      cache = run.results
    }
  }
}

class PromptRun {
  /** Results of this prompt's nodes, by signature. */
  readonly results = new Map<string, NodeResult>()
  readonly #messages: Message[] = []
  readonly #outputs: HistoryEntry['outputs'] = {}
  readonly #meta: HistoryEntry['meta'] = {}
  readonly #item: QueueItem
  readonly #control: RunControl
  readonly #options: ExecutorOptions
  readonly #cache: Map<string, NodeResult>
  readonly #clientId: string | undefined
  readonly #board: ProgressBoard
  readonly #signature: (node: string) => string
  #fails = false
  /** Seconds of pauses that have not been slept yet. */
  #owed = 0

  constructor(
    item: QueueItem,
    control: RunControl,
    options: ExecutorOptions,
    cache: Map<string, NodeResult>,
  ) {
    this.#item = item
    this.#control = control
    this.#options = options
    this.#cache = cache
    this.#signature = signer(item.prompt)
    const clientId = item.extraData.client_id
    this.#clientId = typeof clientId === 'string' ? clientId : undefined
    this.#board = new ProgressBoard(item.id, options.emit, this.#clientId)
  }

  async execute(): Promise<HistoryEntry> {
    const { prompt, outputs } = this.#item
    this.#message('execution_start', {})
    const cached = Object.keys(prompt).filter((node) => this.#cache.has(this.#signature(node)))
    for (const node of cached) this.#reuse(node)
    this.#message('execution_cached', { nodes: cached })

    const isCached = (node: string) => cached.includes(node)
    const waiting = neededNodes(prompt, outputs, isCached)
    const order = [...waiting]
    const executed: string[] = []
    this.#fails = this.#options.runsOutOfMemory()
    for (
      let node = nextNode(prompt, waiting);
      node !== undefined;
      node = nextNode(prompt, waiting)
    ) {
      try {
        if (isCached(node)) this.#showCached(node)
        else {
          await this.#runNode(node)
          executed.push(node)
        }
      } catch (error) {
        if (error instanceof Closing) throw error
        return this.#failed(error, node, executed, order)
      }
      waiting.splice(waiting.indexOf(node), 1)
    }
    this.#message('execution_success', {})
    return this.#entry('success')
  }

  #reuse(node: string): void {
    const key = this.#signature(node)
    const known = this.#cache.get(key)
    if (known) this.results.set(key, known)
  }

  #result(node: string): NodeResult | undefined {
    return this.results.get(this.#signature(node))
  }

  #showCached(node: string): void {
    const ui = this.#result(node)?.ui
    if (!ui) return
    this.#showOutput(node, ui)
    this.#board.set(node, 1, 1, 'finished')
  }

  async #runNode(node: string): Promise<void> {
    const { prompt, id } = this.#item
    const definition = NODES.get(prompt[node]?.class_type ?? '')
    if (!definition) throw new NodeFailure('KeyError', `'${node}'\n`, [])
    this.#board.set(node, 0, 1, 'running')
    this.#toClient('executing', { node, display_node: node, prompt_id: id })
    if (this.#fails) throw outOfMemory()
    const result = await definition.run(this.#inputs(node), this.#host(node))
    this.results.set(this.#signature(node), result)
    if (result.ui) this.#showOutput(node, result.ui)
    this.#board.finish(node)
  }

  #showOutput(node: string, ui: Record<string, unknown[]>): void {
    this.#outputs[node] = ui
    this.#meta[node] = { node_id: node, display_node: node, parent_node: null, real_node_id: node }
    this.#toClient('executed', { node, display_node: node, output: ui, prompt_id: this.#item.id })
  }

  #inputs(node: string): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(this.#item.prompt[node]?.inputs ?? {}).map(([name, value]) => [
        name,
        isLink(value)
          ? this.#result(value[0])?.outputs[value[1]]
          : isDigits(value)
            ? Number(value.rawJSON)
            : value,
      ]),
    )
  }

  #host(node: string): NodeRun {
    const { renderSeconds, preview, save, saveFile, readInput } = this.#options
    const { id, extraData } = this.#item
    const method = extraData.preview_method ?? 'none'
    return {
      renderSeconds,
      readInput,
      saveFile,
      wantsPreviews: method !== 'none' && method !== 'default',
      pause: (seconds) => this.#pause(seconds),
      progress: async (value, max, picture) => {
        if (this.#control.interrupted) throw new Interrupted()
        this.#board.set(node, value, max, 'running')
        if (picture) await preview(picture, id, node, this.#clientId)
        this.#options.emit('progress', { value, max, prompt_id: id, node }, this.#clientId)
      },
      save: (picture, prefix, type) => save(picture, prefix, type, this.#item),
    }
  }

  async #pause(seconds: number): Promise<void> {
    const { closing } = this.#control
    this.#owed += seconds
    // Timers fire 1 to 2 ms late and a sampler has many steps, so short pauses are added up into one sleep.
    if (this.#owed < SHORTEST_SLEEP) await new Promise((resolve) => setImmediate(resolve))
    else await this.#sleep(this.#owed, closing)
    if (this.#owed >= SHORTEST_SLEEP) this.#owed = 0
    if (closing.aborted) throw new Closing()
    if (this.#control.interrupted) throw new Interrupted()
  }

  async #sleep(seconds: number, closing: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, seconds * 1000)
      function done() {
        clearTimeout(timer)
        closing.removeEventListener('abort', done)
        resolve()
      }
      closing.addEventListener('abort', done)
      if (closing.aborted) done()
    })
  }

  #failed(error: unknown, node: string, executed: string[], order: string[]): HistoryEntry {
    const where = { node_id: node, node_type: this.#item.prompt[node]?.class_type, executed }
    if (error instanceof Interrupted) {
      this.#message('execution_interrupted', where, true)
      return this.#entry('error')
    }
    const inputs = this.#item.prompt[node]?.inputs ?? {}
    const event = { ...where, ...describeFailure(error, inputs), current_outputs: order }
    this.#message('execution_error', event)
    return this.#entry('error')
  }

  #message(type: string, data: Record<string, unknown>, everybody = false): void {
    const event = { ...data, prompt_id: this.#item.id, timestamp: Date.now() }
    this.#messages.push([type, event])
    if (everybody && this.#clientId === undefined) this.#options.emit(type, event)
    else this.#toClient(type, event)
  }

  // Without a client id these events are dropped: ComfyUI broadcasts only progress and previews.
  #toClient(type: string, data: Record<string, unknown>): void {
    if (this.#clientId !== undefined) this.#options.emit(type, data, this.#clientId)
  }

  #entry(status: 'success' | 'error'): HistoryEntry {
    return {
      prompt: toTuple(this.#item),
      outputs: this.#outputs,
      status: { status_str: status, completed: status === 'success', messages: this.#messages },
      meta: this.#meta,
    }
  }
}
