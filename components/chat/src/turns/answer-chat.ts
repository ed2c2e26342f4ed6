/** Alternates between model and tools until the model requests no more tools. */
import type { ChatLine, ChatResponse, ChatStatus } from 'ftl-client/chat'
import { modelFailure } from '../failure.ts'
import { askModel } from '../model/ask.ts'
import type { Message, ModelCall, ModelEvent, ToolFunction, Turn } from '../model/messages.ts'
import { tokensOf } from '../limits/tokens-of.ts'
import { findModel } from '../model/find-model.ts'
import { Artifacts } from '../tools/artifacts.ts'
import { callTool, declinedCall, type EndedCall, tooManyCalls } from '../tools/call-tool.ts'
import type { Step } from '../request/read-continuation.ts'
import { createGateway, type Gateway } from '../tools/gateway.ts'
import { resultText } from '../tools/result-text.ts'
import { listTools, type ToolList } from '../tools/tool-list.ts'
import { firstMessages } from './first-messages.ts'
import type { ChatRun } from './run-chat.ts'
import { withChosen } from '../tools/chosen-arguments.ts'
import { approvalsOf, contentOf, continuationOf, messagesOf, withOwnIds } from './tool-turns.ts'

/** Maximum number of calls in one turn; each further call fails with `too_many_calls`. */
const MOST_CALLS = 16

/** Characters of a call's result in the response. */
const MOST_RESULT = 4_000

/** Why the model has said nothing. */
const EMPTY = {
  none: 'The model answered nothing. Say it in other words.',
  refusal: 'The model refused to answer. Say it in other words.',
  length: 'The model reached its limit of length before it said anything. Send a shorter message.',
  filter: 'The filter of the model’s server withheld the answer. Say it in other words.',
}

type Say = (line: ChatLine) => Promise<void>

/** @throws {ChatFailure} */
export function answerChat(run: ChatRun, say: Say): Promise<ChatResponse> {
  return new ChatAnswer(run, say).run()
}

class ChatAnswer {
  readonly #run: ChatRun
  readonly #say: Say
  readonly #gateway: Gateway
  readonly #artifacts: Artifacts
  readonly #messages: Message[]
  readonly #called: EndedCall[] = []
  /** The turns with calls, also those before the answer waited for approvals. */
  readonly #steps: Step[]
  #tools: ToolList = { functions: [], names: new Map(), excluded: new Set() }
  #model = ''
  /** The text of all turns so far. */
  #content = ''

  constructor(run: ChatRun, say: Say) {
    this.#run = run
    this.#say = say
    this.#gateway = createGateway(run)
    this.#messages = firstMessages(run.chat)
    const { steps, artifacts } = run.chat.resumed ?? { steps: [], artifacts: 0 }
    this.#steps = [...steps]
    this.#artifacts = new Artifacts(artifacts)
    this.#content = contentOf(steps)
  }

  async run(): Promise<ChatResponse> {
    const { maxSteps } = this.#run.model
    await this.#prepare()
    const open = this.#steps.at(-1)
    this.#messages.push(...this.#steps.slice(0, -1).flatMap(messagesOf))
    if (open) await this.#take(open)
    for (let step = this.#steps.length + 1; ; step++) {
      const last = step > maxSteps
      if (last) await this.#requireAnswer()
      const turn = await this.#ask(last ? [] : this.#tools.functions)
      const calls = withOwnIds(turn.calls, this.#steps)
      if (calls.length === 0 || last) return this.#finish(turn, step)
      const taken: Step = { content: turn.content, calls, results: new Map() }
      this.#steps.push(taken)
      const waiting = await this.#take(taken)
      if (waiting.length > 0) return this.#pause(waiting, step)
    }
  }

  /** Makes the calls of a turn that have no result yet. @returns those that a person must approve first. */
  async #take(step: Step): Promise<EndedCall[]> {
    const { canApprove, resumed } = this.#run.chat
    const ends = await this.#callAll(step.calls.filter(({ id }) => !step.results.has(id)))
    // A call that has waited is not asked about again: the model receives the reason of its refusal.
    const isWaiting = ({ call, end }: EndedCall) =>
      canApprove && end.approval !== undefined && !resumed?.decisions.has(call.id)
    const done = ends.filter((ended) => !isWaiting(ended))
    for (const { call, end } of done) step.results.set(call.id, resultText(end))
    this.#called.push(...done)
    const waiting = ends.filter(isWaiting)
    if (waiting.length > 0) return waiting
    this.#messages.push(...messagesOf(step))
    await this.#status({ step: 'response', message: 'Generating final response...' })
    return []
  }

  /** The client asks a person, and sends the answer back with the decisions. */
  #pause(waiting: readonly EndedCall[], steps: number): ChatResponse {
    return {
      ...this.#response(steps),
      approvals: approvalsOf(waiting),
      continuation: continuationOf(this.#steps, this.#artifacts.count),
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
      // It came with the request: there is nothing to retrieve.
      await this.#status({ step: 'graph', message: 'Using the pinned knowledge graph' })
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
        place < MOST_CALLS ? this.#callOne(call) : Promise.resolve(tooManyCalls(call, MOST_CALLS)),
      ),
    )
  }

  async #callOne(call: ModelCall): Promise<EndedCall> {
    const { chat, signal } = this.#run
    const decision = chat.resumed?.decisions.get(call.id)
    const ended =
      decision === null
        ? declinedCall(call, this.#tools.names.get(call.name))
        : await callTool(
            {
              gateway: this.#gateway,
              tools: this.#tools,
              signal,
              approval: decision,
              onStatus: (status) => this.#status(status),
            },
            withChosen(call, this.#tools.names.get(call.name), chat.toolArguments),
          )
    const { tool, end } = ended
    const about = { tool, callId: call.id, jobId: end.jobId }
    if (chat.canApprove && end.approval && decision === undefined) {
      await this.#status({ step: 'approval', message: `${tool} waits for your approval`, ...about })
      return ended
    }
    const fresh = this.#artifacts.add(ended)
    if (fresh.length > 0) {
      await this.#status({ step: 'artifacts', message: 'Processing artifacts...', ...about })
    }
    for (const artifact of fresh) await this.#say(this.#run.lines.artifact(artifact))
    const ending = decision === null ? 'was declined' : end.isError ? 'failed' : 'has answered'
    const message = `${tool} ${ending}`
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
    const { model: settings } = this.#run
    if (turn.calls.length > 0 && turn.content === '') {
      throw modelFailure(
        'steps_limit',
        `The model kept asking for tools and gave no answer within ${settings.maxSteps} steps. ` +
          'Ask for less at once, or raise chat_max_steps.',
      )
    }
    if (this.#content === '' && this.#artifacts.all.length === 0) {
      throw modelFailure('model_empty', EMPTY[turn.ending ?? 'none'])
    }
    const { ending } = turn
    return { ...this.#response(steps), ...(ending !== undefined && { ending }) }
  }

  #response(steps: number): ChatResponse {
    const { chat, platform } = this.#run
    return {
      conversationId: chat.conversationId ?? platform.randomUUID(),
      content: this.#content,
      conversation: this.#content,
      artifacts: this.#artifacts.all,
      toolCalls: this.#called.map(({ call, tool, arguments: args, end }) => ({
        tool,
        arguments: args,
        isError: end.isError,
        jobId: end.jobId,
        callId: call.id,
        result: resultText(end).slice(0, MOST_RESULT),
      })),
      model: this.#model,
      steps,
    }
  }
}
