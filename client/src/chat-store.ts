/** The state of a conversation for a page: messages, current status and artifacts. */
import { followJob } from './chat-jobs.ts'
import type {
  ChatApproval,
  ChatArtifact,
  ChatLine,
  ChatRequest,
  ChatResponse,
  ChatStatus,
} from './chat-lines.ts'
import { type ChatFailure, sendChat, type SendOptions } from './chat-send.ts'
import type { ChatMessage, ChatState } from './chat-state.ts'

export interface ChatStoreOptions<Data = unknown> extends Pick<SendOptions, 'fetch' | 'onLine'> {
  /** URL prefix of `/api/chat` and `/jobs/{id}`. @default '', the page's own origin */
  base?: string
  /** A stored state to continue from. */
  state?: ChatState<Data>
  /** Whether a lost connection starts `resume`; `false` for a page that follows jobs itself. @default true */
  followJobs?: boolean
  /**
   * Asks the user whether a call may run. Without it, the model receives the refusal.
   *
   * @param signal aborted when the answer is cancelled.
   */
  onApproval?: (approval: ChatApproval, signal: AbortSignal) => Promise<boolean>
  /** Milliseconds before a job is polled again after the connection breaks; doubled each time. @default 250 */
  reconnectMs?: number
}

/** `history` defaults to the last 100 messages that have content. */
type Options = Omit<
  ChatRequest,
  'message' | 'conversationId' | 'canApprove' | 'continuation' | 'decisions'
>

const IDLE = { status: undefined, busy: false }
/** Messages sent as history with each request; the server accepts twice as many. */
const MOST_HISTORY = 100

/**
 * One conversation; pass `subscribe` and `getState` to React's `useSyncExternalStore`. `Data` is the type of the data
 * that a page adds to messages.
 */
export class ChatStore<Data = unknown> {
  #state: ChatState<Data>
  /** The answer that is being received, and what stops it. */
  #answer = ''
  #stop: AbortController | undefined
  #count = 0
  readonly #listeners = new Set<() => void>()
  readonly #options: ChatStoreOptions<Data>
  readonly #base: string
  readonly #request: (path: string, init?: RequestInit) => Promise<Response>

  constructor(options: ChatStoreOptions<Data> = {}) {
    this.#options = options
    const { base = '', fetch } = options
    this.#base = base
    this.#request = (path, init) => (fetch ?? globalThis.fetch)(base + path, init)
    const { messages = [], ...rest } = options.state ?? { artifacts: [] }
    // The connection of an answer that was still streaming when the state was stored is lost.
    const cut = (message: ChatMessage<Data>): ChatMessage<Data> =>
      message.state === 'streaming' ? { ...message, state: 'broken' } : message
    this.#state = { ...rest, messages: messages.map(cut), ...IDLE }
  }

  readonly getState = (): ChatState<Data> => this.#state

  /** @returns a function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Sends a message and resolves when its answer is complete, cancelled or failed (see `error` of the state). After a
   * lost connection it resolves once `resume` has. Never rejects.
   *
   * @param data added to the user's message.
   * @returns the complete answer; `undefined` if it was cancelled or failed.
   */
  async send(
    message: string,
    options: Options = {},
    data?: Data,
  ): Promise<ChatResponse | undefined> {
    this.cancel()
    const { signal } = (this.#stop = new AbortController())
    const { messages, conversationId } = this.#state
    const history = messages
      .filter(({ content }) => content !== '')
      .map(({ role, content }) => ({ role, content }))
      .slice(-MOST_HISTORY)
    this.add({ role: 'user', content: message, data })
    const id = (this.#answer = this.add({ role: 'assistant', state: 'streaming' }))
    this.#set({ busy: true, error: undefined })
    try {
      const { onApproval: ask } = this.#options
      const request: ChatRequest = { message, history, conversationId, ...options }
      if (ask) request.canApprove = true
      const how: SendOptions = {
        signal,
        // Called with the default `url` only, which is a path.
        fetch: this.#request as typeof fetch,
        onLine: (line) => signal.aborted || this.#take(id, line),
      }
      let response = await sendChat(request, how)
      while (response.approvals && ask && !signal.aborted) {
        const { approvals, continuation } = response
        const decided = await Promise.all(
          approvals.map(async (each) => [
            each.callId,
            (await ask(each, signal)) ? each.token : null,
          ]),
        )
        if (signal.aborted) return
        const decisions = Object.fromEntries(decided) as ChatRequest['decisions']
        response = await sendChat({ ...request, continuation, decisions }, how)
      }
      if (signal.aborted) return
      const { content, ending } = response
      this.#change(
        id,
        ({ calls }) => ({
          content,
          ending,
          state: 'done',
          calls: calls.map((call) => ({ ...call, done: true })),
        }),
        { ...IDLE, conversationId: response.conversationId },
      )
      return response
    } catch (thrown) {
      if (signal.aborted) return
      const { message, code = 'failed', field } = thrown as Partial<ChatFailure> & Error
      const error = { message, code, field }
      const lost = code === 'broken'
      this.#change(id, () => ({ state: lost ? 'broken' : 'failed', error }), { ...IDLE, error })
      if (lost && this.#options.followJobs !== false) await this.resume()
    }
  }

  /** Stops the answer. Its jobs continue: see `cancelJob`. */
  cancel(): void {
    if (!this.#state.busy) return
    this.#stop?.abort()
    this.#change(this.#answer, () => ({ state: 'cancelled' }), IDLE)
  }

  /** Adds a message that is not part of the chat, for example the result of a tool that the page called. @returns its id. */
  add(message: Pick<ChatMessage<Data>, 'role'> & Partial<ChatMessage<Data>>): string {
    // Not crypto.randomUUID: browsers only offer it on localhost and with TLS.
    const id = `${Date.now().toString(36)}-${this.#count++}`
    const added = { id, content: '', state: 'done' as const, artifacts: [], calls: [], ...message }
    this.#set({ messages: [...this.#state.messages, added] })
    return added.id
  }

  /** Replaces fields of a message. Does nothing if the id is unknown. */
  change(id: string, change: (message: ChatMessage<Data>) => Partial<ChatMessage<Data>>): void {
    this.#change(id, change)
  }

  /** Removes messages, for example one that could not be sent. Does nothing for unknown ids. */
  remove(...ids: string[]): void {
    this.#set({ messages: this.#state.messages.filter(({ id }) => !ids.includes(id)) })
  }

  /** Cancels a job. @returns whether the gateway accepted the request. */
  async cancelJob(jobId: string): Promise<boolean> {
    return (await this.#request(`/jobs/${jobId}`, { method: 'DELETE' })).ok
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
          .map((call) =>
            followJob(
              (path) => this.#request(path, { signal }),
              call,
              (status) => this.#call(id, status),
              (artifact) => this.#made(id, artifact),
              signal,
              this.#options.reconnectMs,
            ),
          ),
      ),
    )
  }

  #take(id: string, line: ChatLine): void {
    this.#options.onLine?.(line)
    if (line.type === 'content') {
      this.#change(id, ({ content }) => ({ content: content + line.content }))
    } else if (line.type === 'artifact') this.#made(id, line.artifact)
    else if (line.type === 'status') {
      const { type: _type, id: _id, timestamp: _timestamp, ...status } = line
      if (status.callId) this.#call(id, status)
      this.#set({ status })
    }
  }

  #call(id: string, status: ChatStatus): void {
    this.#change(id, ({ calls }) => {
      const before = calls.find(({ callId }) => callId === status.callId)
      const call = { ...before, ...status, done: !!status.done }
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

  #change(
    id: string,
    change: (message: ChatMessage<Data>) => Partial<ChatMessage<Data>>,
    more?: Partial<ChatState<Data>>,
  ): void {
    const messages = this.#state.messages.map((each) =>
      each.id === id ? { ...each, ...change(each) } : each,
    )
    this.#set({ ...more, messages })
  }

  #set(change: Partial<ChatState<Data>>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of [...this.#listeners]) listener()
  }
}
