/** The state of a conversation for a page: messages, current status and artifacts. */
import { followJob } from './chat-jobs.ts'
import type { ChatArtifact, ChatLine, ChatRequest, ChatStatus } from './chat-lines.ts'
import { type ChatFailure, sendChat, type SendOptions } from './chat-send.ts'
import type { ChatCall, ChatMessage, ChatState } from './chat-state.ts'

export interface ChatStoreOptions extends Pick<SendOptions, 'fetch'> {
  /** URL prefix of `/api/chat` and `/jobs/{id}`. @default '', the page's own origin */
  base?: string
  /** A stored state to continue from. */
  state?: ChatState
  /** Milliseconds before a job is polled again after the connection breaks; doubled each time. @default 250 */
  reconnectMs?: number
}

type Options = Omit<ChatRequest, 'message' | 'history' | 'conversationId'>

const IDLE = { status: undefined, busy: false }
/** Messages sent as history with each request; the server accepts twice as many. */
const MOST_HISTORY = 100
/** One conversation; pass `subscribe` and `getState` to React's `useSyncExternalStore`. */
export class ChatStore {
  #state: ChatState
  #stop: AbortController | undefined
  #count = 0
  readonly #listeners = new Set<() => void>()
  readonly #base: string
  readonly #fetch: typeof fetch
  readonly #reconnectMs: number

  constructor({ base = '', fetch, state, reconnectMs = 250 }: ChatStoreOptions = {}) {
    this.#base = base
    this.#fetch = fetch ?? ((...given) => globalThis.fetch(...given))
    this.#reconnectMs = reconnectMs
    const { messages = [], ...rest } = state ?? { artifacts: [] }
    // The connection of an answer that was still streaming when the state was stored is lost.
    const cut = (message: ChatMessage): ChatMessage =>
      message.state === 'streaming' ? { ...message, state: 'broken' } : message
    this.#state = { ...rest, messages: messages.map(cut), ...IDLE }
  }

  readonly getState = (): ChatState => this.#state

  /** @returns a function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Sends a message and resolves when its answer is complete, cancelled or failed (see `error` of the state). After a
   * lost connection it resolves once `resume` has. Never rejects.
   */
  async send(message: string, options: Options = {}): Promise<void> {
    this.cancel()
    const stop = (this.#stop = new AbortController())
    const { messages, conversationId } = this.#state
    const history = messages
      .filter(({ content }) => content !== '')
      .map(({ role, content }) => ({ role, content }))
      .slice(-MOST_HISTORY)
    const answer = this.#message('assistant', '', 'streaming')
    this.#set({
      messages: [...messages, this.#message('user', message, 'done'), answer],
      busy: true,
      error: undefined,
    })
    const left = () => stop.signal.aborted
    try {
      const response = await sendChat(
        { message, history, conversationId, ...options },
        {
          url: `${this.#base}/api/chat`,
          signal: stop.signal,
          fetch: this.#fetch,
          onLine: (line) => left() || this.#take(answer.id, line),
        },
      )
      if (left()) return
      const end = { ...IDLE, conversationId: response.conversationId }
      const { content } = response
      this.#change(
        answer.id,
        ({ calls }) => ({
          content,
          state: 'done',
          calls: calls.map((call) => ({ ...call, done: true })),
        }),
        end,
      )
    } catch (thrown) {
      if (left()) return
      const { message, code = 'failed', field } = thrown as Partial<ChatFailure> & Error
      const lost = code === 'broken'
      const state = lost ? 'broken' : 'failed'
      this.#change(answer.id, () => ({ state }), { ...IDLE, error: { message, code, field } })
      if (lost) await this.resume()
    }
  }

  /** Stops the answer. Its jobs continue: see `cancelJob`. */
  cancel(): void {
    if (!this.#state.busy) return
    this.#stop?.abort()
    this.#change(this.#state.messages.at(-1)!.id, () => ({ state: 'cancelled' }), IDLE)
  }

  /** Cancels a job. @returns whether the gateway accepted the request. */
  async cancelJob(jobId: string): Promise<boolean> {
    const { ok } = await this.#fetch(`${this.#base}/jobs/${jobId}`, { method: 'DELETE' })
    return ok
  }

  /**
   * Polls the jobs of interrupted answers, for example after a reload, until each has ended. It keeps trying while the
   * network is down.
   *
   * @param signal stops polling; the jobs continue.
   */
  async resume(signal?: AbortSignal): Promise<void> {
    await Promise.all(
      this.#state.messages.flatMap(({ id, state, calls }) =>
        calls
          .filter(({ jobId, done }) => state === 'broken' && jobId && !done)
          .map((call) => this.#follow(id, call, signal)),
      ),
    )
  }

  #follow(id: string, call: ChatCall, signal: AbortSignal | undefined): Promise<void> {
    return followJob(
      (path) => this.#fetch(this.#base + path, { signal }),
      call,
      this.#reconnectMs,
      (status, done) => this.#call(id, status, done),
      (artifact) => this.#made(id, artifact),
      signal,
    )
  }

  #take(id: string, line: ChatLine): void {
    if (line.type === 'content') {
      this.#change(id, ({ content }) => ({ content: content + line.content }))
    } else if (line.type === 'artifact') this.#made(id, line.artifact)
    else if (line.type === 'status') {
      const { type: _type, id: _id, timestamp: _timestamp, ...status } = line
      if (status.callId) this.#call(id, status, !!status.done)
      this.#set({ status })
    }
  }

  #call(id: string, status: ChatStatus, done: boolean): void {
    this.#change(id, ({ calls }) => {
      const before = calls.find(({ callId }) => callId === status.callId)
      const call = { ...before, ...status, done }
      return {
        calls: before ? calls.map((each) => (each === before ? call : each)) : [...calls, call],
      }
    })
  }

  #made(id: string, made: ChatArtifact): void {
    const artifact = made.url.startsWith('/') ? { ...made, url: this.#base + made.url } : made
    this.#change(id, ({ artifacts }) =>
      artifacts.some(({ url }) => url === artifact.url)
        ? {}
        : { artifacts: [...artifacts, artifact] },
    )
    this.#set({ artifacts: this.#state.messages.flatMap(({ artifacts }) => artifacts) })
  }

  #message(role: ChatMessage['role'], content: string, state: ChatMessage['state']): ChatMessage {
    // Not crypto.randomUUID: browsers only offer it on localhost and with TLS.
    const id = `${Date.now().toString(36)}-${this.#count++}`
    return { id, role, content, state, artifacts: [], calls: [] }
  }

  #change(
    id: string,
    change: (message: ChatMessage) => Partial<ChatMessage>,
    more?: Partial<ChatState>,
  ): void {
    const { messages } = this.#state
    this.#set({
      ...more,
      messages: messages.map((each) => (each.id === id ? { ...each, ...change(each) } : each)),
    })
  }

  #set(change: Partial<ChatState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of [...this.#listeners]) listener()
  }
}
