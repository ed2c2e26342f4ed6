/** Alternates between model and tools until the model requests no more tools. */
import type { ChatLine, ChatResponse, ChatStatus } from 'ftl-client/chat'
import { modelFailure } from '../failure.ts'
import { askModel } from '../model/ask.ts'
import type { ModelCall, ModelEvent, ToolFunction, Turn } from '../model/messages.ts'
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
/** Names shown in a status. */
const SHOWN_NAMES = 5

/** @throws {ChatFailure} */
export async function answerChat(
  run: ChatRun,
  say: (line: ChatLine) => Promise<void>,
): Promise<ChatResponse> {
  const { chat, platform, model: settings, lines, signal } = run
  const tell = (status: ChatStatus) => say(lines.status(status))
  const gateway = createGateway(run)
  const artifacts = new Artifacts()
  const called: EndedCall[] = []
  let content = ''

  await tell({ step: 'initializing', message: 'Initializing request' })
  if (chat.pinnedGraph) {
    await tell({ step: 'graph', message: 'Retrieving pinned knowledge graph' })
  }
  const messages = conversation(chat)
  if (chat.pinnedGraph) await tell({ step: 'graph', message: 'Knowledge graph retrieved' })
  await tell({ step: 'tools', message: 'Retrieving available tools' })
  const tools = await toolsFor(gateway)
  await tell({ step: 'model', message: 'Selecting model' })
  const model = settings.model || (await findModel(platform, settings, signal))
  await tell({ step: 'model', message: `Asking ${model}` })

  for (let step = 1; ; step++) {
    const last = step > settings.maxSteps
    if (last) await askToFinish()
    const turn = await ask(last ? [] : tools.functions)
    const calls = turn.calls.map((call) => withOwnId(call, step))
    if (calls.length === 0 || last) return finish(turn, step)
    messages.push({ role: 'assistant', content: turn.content, calls })
    const ends = await callAll(calls)
    called.push(...ends)
    for (const { call, end } of ends)
      messages.push({ role: 'tool', call, content: resultText(end) })
    await tell({ step: 'response', message: 'Generating final response' })
  }

  async function toolsFor(from: Gateway): Promise<ToolList> {
    const list = await listTools(from, chat).catch((error: unknown) => {
      if (signal.aborted) throw error
      return undefined
    })
    if (list) return list
    await tell({ step: 'tools', message: 'The tools cannot be reached; answering without them' })
    return { functions: [], names: new Map() }
  }

  async function ask(functions: readonly ToolFunction[]): Promise<Turn> {
    return askModel({
      platform,
      settings,
      model,
      messages,
      tools: functions,
      signal,
      onEvent: listenToTurn(),
      onRetry: (seconds) =>
        tell({
          step: 'waiting',
          message: `The model has too much to do; asking again in ${seconds} s`,
        }),
    })
  }

  function listenToTurn(): (event: ModelEvent) => Promise<void> {
    let thinking = false
    let begun = false
    return async (event) => {
      if (event.type === 'thinking') {
        if (!thinking) await tell({ step: 'model', message: 'Thinking' })
        thinking = true
        return
      }
      // Separate the text before a tool call from the text after it.
      const piece = !begun && content !== '' ? `\n\n${event.content}` : event.content
      begun = true
      content += piece
      await say(lines.content(piece))
    }
  }

  async function callAll(calls: readonly ModelCall[]): Promise<EndedCall[]> {
    const names = calls.map(({ name }) => tools.names.get(name) ?? name)
    const shown = names.slice(0, SHOWN_NAMES).join(', ') + (names.length > SHOWN_NAMES ? ', …' : '')
    const count = names.length === 1 ? '1 tool' : `${names.length} tools`
    await tell({ step: 'tools', message: `Executing ${count}: ${shown}` })
    // Rejects only if the client has gone: a failed call resolves with an error for the model.
    return Promise.all(
      calls.map((call, place) =>
        place < MOST_CALLS ? callOne(call) : Promise.resolve(tooMany(call)),
      ),
    )
  }

  /** Some models restart their ids in every turn, but a page needs unique ids to distinguish calls. */
  function withOwnId(call: ModelCall, step: number): ModelCall {
    const id = called.some((earlier) => earlier.call.id === call.id)
      ? `${call.id}-${step}`
      : call.id
    return { ...call, id }
  }

  async function callOne(call: ModelCall): Promise<EndedCall> {
    const ended = await callTool({ gateway, tools, signal, onStatus: tell }, call)
    const { tool, end } = ended
    const about = { tool, callId: call.id, ...(end.jobId !== undefined && { jobId: end.jobId }) }
    const fresh = artifacts.add(ended)
    if (fresh.length > 0) {
      await tell({ step: 'artifacts', message: 'Processing artifacts', ...about })
    }
    for (const artifact of fresh) await say(lines.artifact(artifact))
    const message = `${tool} ${end.isError ? 'failed' : 'has answered'}`
    await tell({ step: 'tool', message, ...about, done: true })
    return ended
  }

  async function askToFinish(): Promise<void> {
    const limit = `The limit of ${settings.maxSteps} steps with tools is reached`
    await tell({ step: 'response', message: `${limit}; answering with the results so far` })
    messages.push({
      role: 'system',
      content: `${limit}. Answer now with what you know, without calling tools.`,
    })
  }

  function finish(turn: Turn, steps: number): ChatResponse {
    if (turn.calls.length > 0 && turn.content === '') {
      throw modelFailure(
        'steps_limit',
        `The model kept asking for tools and gave no answer within ${settings.maxSteps} steps. ` +
          'Ask for less at once, or raise chat_max_steps.',
      )
    }
    if (content === '' && artifacts.all.length === 0) {
      throw modelFailure('model_empty', 'The model answered nothing. Say it in other words.')
    }
    return {
      conversationId: chat.conversationId ?? platform.randomUUID(),
      content,
      artifacts: artifacts.all,
      toolCalls: called.map(({ tool, arguments: args, end: { isError, jobId } }) => ({
        tool,
        arguments: args,
        isError,
        ...(jobId !== undefined && { jobId }),
      })),
      model,
      steps,
    }
  }
}

/** Every call needs an answer, otherwise the model's server refuses the conversation. */
function tooMany(call: ModelCall): EndedCall {
  const message = `At most ${MOST_CALLS} tools can be called at once; call this one again.`
  return { call, tool: call.name, arguments: {}, end: failedCall('too_many_calls', message) }
}
