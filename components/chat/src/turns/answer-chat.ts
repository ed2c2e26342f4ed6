/** Alternates between model and tools until the model requests no more tools. */
import type { ChatLine, ChatResponse, ChatStatus } from 'ftl-client/chat'
import { modelFailure } from '../failure.ts'
import { askModel } from '../model/ask.ts'
import type { Message, ModelCall, ModelEvent, ToolFunction, Turn } from '../model/messages.ts'
import { tokensOf } from '../limits/tokens-of.ts'
import { findModel } from '../model/state.ts'
import { Artifacts } from '../tools/artifacts.ts'
import { callTool, type EndedCall } from '../tools/call-tool.ts'
import { createGateway, type Gateway } from '../tools/gateway.ts'
import { resultText } from '../tools/result-text.ts'
import { failedCall } from '../tools/tool-end.ts'
import { listTools, type ToolList } from '../tools/tool-list.ts'
import { conversation } from './conversation.ts'
import type { ChatRun } from './run-chat.ts'

/** Maximum number of calls in one turn; each further call fails with `too_many_calls`. */
const MOST_CALLS = 16

type Say = (line: ChatLine) => Promise<void>

/** @throws {ChatFailure} */
export function answerChat(run: ChatRun, say: Say): Promise<ChatResponse> {
  return new ChatAnswer(run, say).run()
}

class ChatAnswer {
  readonly #run: ChatRun
  readonly #say: Say
  readonly #gateway: Gateway
  readonly #artifacts = new Artifacts()
  readonly #messages: Message[]
  readonly #called: EndedCall[] = []
  #tools: ToolList = { functions: [], names: new Map(), excluded: new Set() }
  #model = ''
  /** The text of all turns so far. */
  #content = ''

  constructor(run: ChatRun, say: Say) {
    this.#run = run
    this.#say = say
    this.#gateway = createGateway(run)
    this.#messages = conversation(run.chat)
  }

  async run(): Promise<ChatResponse> {
    const { maxSteps } = this.#run.model
    await this.#prepare()
    for (let step = 1; ; step++) {
      const last = step > maxSteps
      if (last) await this.#requireAnswer()
      const turn = await this.#ask(last ? [] : this.#tools.functions)
      const calls = turn.calls.map((call) => this.#withOwnId(call, step))
      if (calls.length === 0 || last) return this.#finish(turn, step)
      this.#messages.push({ role: 'assistant', content: turn.content, calls })
      const ends = await this.#callAll(calls)
      this.#called.push(...ends)
      for (const { call, end } of ends) {
        this.#messages.push({ role: 'tool', call, content: resultText(end) })
      }
      await this.#status({ step: 'response', message: 'Generating final response...' })
    }
  }

  #status(status: ChatStatus): Promise<void> {
    return this.#say(this.#run.lines.status(status))
  }

  /** Lists the tools and selects the model. */
  async #prepare(): Promise<void> {
    const { chat, platform, model: settings, signal } = this.#run
    await this.#status({ step: 'initializing', message: 'Initializing request...' })
    if (chat.pinnedGraph) {
      await this.#status({ step: 'graph', message: 'Retrieving pinned knowledge graph...' })
      await this.#status({ step: 'graph', message: 'Knowledge graph retrieved' })
    }
    await this.#status({ step: 'tools', message: 'Retrieving available tools...' })
    await this.#listTools()
    await this.#status({ step: 'model', message: 'Selecting model...' })
    this.#model = settings.model || (await findModel(platform, settings, signal))
    await this.#status({ step: 'model', message: `Asking ${this.#model}` })
  }

  async #listTools(): Promise<void> {
    const { chat, signal } = this.#run
    const list = await listTools(this.#gateway, chat).catch((error: unknown) => {
      if (signal.aborted) throw error
      return undefined
    })
    if (list) this.#tools = list
    else {
      const message = 'The tools cannot be reached; answering without them'
      await this.#status({ step: 'tools', message })
    }
  }

  async #ask(functions: readonly ToolFunction[]): Promise<Turn> {
    const { platform, model: settings, budget, signal } = this.#run
    // Each turn sends the whole conversation, so a chat with many steps may use up the rest.
    await budget?.check()
    const turn = await askModel({
      platform,
      settings,
      model: this.#model,
      messages: this.#messages,
      tools: functions,
      signal,
      onEvent: this.#turnListener(),
      onRetry: (seconds) => {
        const message = `The model has too much to do; asking again in ${seconds} s`
        return this.#status({ step: 'waiting', message })
      },
    })
    await budget?.spend(tokensOf(this.#messages, turn))
    return turn
  }

  #turnListener(): (event: ModelEvent) => Promise<void> {
    let thinking = false
    let begun = false
    return async (event) => {
      if (event.type === 'thinking') {
        if (!thinking) await this.#status({ step: 'model', message: 'Thinking' })
        thinking = true
        return
      }
      // Separate the text before a tool call from the text after it.
      const piece = !begun && this.#content !== '' ? `\n\n${event.content}` : event.content
      begun = true
      this.#content += piece
      await this.#say(this.#run.lines.content(piece))
    }
  }

  async #callAll(calls: readonly ModelCall[]): Promise<EndedCall[]> {
    await this.#status({ step: 'tools', message: 'Executing tools...' })
    // Rejects only if the client has gone: a failed call resolves with an error for the model.
    return Promise.all(
      calls.map((call, place) =>
        place < MOST_CALLS ? this.#callOne(call) : Promise.resolve(tooMany(call)),
      ),
    )
  }

  /** Some models restart their ids in every turn, but a page needs unique ids to distinguish calls. */
  #withOwnId(call: ModelCall, step: number): ModelCall {
    const isUsed = this.#called.some((earlier) => earlier.call.id === call.id)
    return isUsed ? { ...call, id: `${call.id}-${step}` } : call
  }

  async #callOne(call: ModelCall): Promise<EndedCall> {
    const ended = await callTool(
      {
        gateway: this.#gateway,
        tools: this.#tools,
        signal: this.#run.signal,
        onStatus: (status) => this.#status(status),
      },
      call,
    )
    const { tool, end } = ended
    const about = { tool, callId: call.id, jobId: end.jobId }
    const fresh = this.#artifacts.add(ended)
    if (fresh.length > 0) {
      await this.#status({ step: 'artifacts', message: 'Processing artifacts...', ...about })
    }
    for (const artifact of fresh) await this.#say(this.#run.lines.artifact(artifact))
    const message = `${tool} ${end.isError ? 'failed' : 'has answered'}`
    await this.#status({ step: 'tool', message, ...about, done: true })
    return ended
  }

  /** Tells the model to answer without tools. */
  async #requireAnswer(): Promise<void> {
    const limit = `The limit of ${this.#run.model.maxSteps} steps with tools is reached`
    const message = `${limit}; answering with the results so far`
    await this.#status({ step: 'response', message })
    this.#messages.push({
      role: 'system',
      content: `${limit}. Answer now with what you know, without calling tools.`,
    })
  }

  #finish(turn: Turn, steps: number): ChatResponse {
    const { chat, platform, model: settings } = this.#run
    if (turn.calls.length > 0 && turn.content === '') {
      throw modelFailure(
        'steps_limit',
        `The model kept asking for tools and gave no answer within ${settings.maxSteps} steps. ` +
          'Ask for less at once, or raise chat_max_steps.',
      )
    }
    if (this.#content === '' && this.#artifacts.all.length === 0) {
      throw modelFailure('model_empty', 'The model answered nothing. Say it in other words.')
    }
    return {
      conversationId: chat.conversationId ?? platform.randomUUID(),
      content: this.#content,
      conversation: this.#content,
      artifacts: this.#artifacts.all,
      toolCalls: this.#called.map(({ tool, arguments: args, end: { isError, jobId } }) => ({
        tool,
        arguments: args,
        isError,
        jobId,
      })),
      model: this.#model,
      steps,
    }
  }
}

/** Every call needs an answer, otherwise the model's server refuses the conversation. */
function tooMany(call: ModelCall): EndedCall {
  const message = `At most ${MOST_CALLS} tools can be called at once; call this one again.`
  return { call, tool: call.name, arguments: {}, end: failedCall('too_many_calls', message) }
}
