/**
 * How a turn looks on the two wires.
 *
 * @see https://platform.openai.com/docs/api-reference/chat-streaming
 * @see https://docs.ollama.com/api/chat
 */
import type { ScriptedCall, ScriptedTurn } from './script.ts'

export type WireName = 'openai' | 'ollama'

/** The pieces of a streamed answer, and the same as one document. */
export interface Wire {
  type: string
  begin(): string
  thinking(text: string): string
  word(text: string): string
  calls(calls: readonly ScriptedCall[]): string[]
  error(message: string): string
  end(turn: ScriptedTurn): string
  whole(turn: ScriptedTurn): object
  /** The body of an answer that is an error. */
  refusal(message: string): object
  models(names: readonly string[]): object
}

export function wireOf(name: WireName, model: string): Wire {
  return name === 'openai' ? openai(model) : ollama(model)
}

function openai(model: string): Wire {
  const head = { id: 'chatcmpl-demo', model, created: 0 }
  const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`
  const chunk = (delta: object, finish: string | null = null) =>
    event({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
  const reason = ({ calls, finish }: ScriptedTurn) =>
    finish ?? (calls?.length ? 'tool_calls' : 'stop')
  const call = (wanted: ScriptedCall, index: number) => ({
    index,
    id: idOf(wanted, index),
    type: 'function',
    function: { name: wanted.name, arguments: argumentsOf(wanted) },
  })
  return {
    type: 'text/event-stream',
    begin: () => chunk({ role: 'assistant', content: '' }),
    thinking: (text) => chunk({ reasoning_content: text }),
    word: (content) => chunk({ content }),
    // In pieces, as the real ones come: first the name, then the arguments, cut anywhere.
    calls: (calls) =>
      calls.flatMap((wanted, index) => {
        const whole = call(wanted, index)
        const { arguments: args } = whole.function
        const half = Math.ceil(args.length / 2)
        const begun = { ...whole, function: { ...whole.function, arguments: '' } }
        const pieces = [args.slice(0, half), args.slice(half)].filter((piece) => piece !== '')
        return [
          chunk({ tool_calls: [begun] }),
          ...pieces.map((piece) =>
            chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
          ),
        ]
      }),
    error: (message) => event({ error: { message, type: 'server_error' } }),
    end: (turn) => {
      const refusal = turn.refusal === undefined ? '' : chunk({ refusal: turn.refusal })
      return `${refusal}${chunk({}, reason(turn))}data: [DONE]\n\n`
    },
    whole: (turn) => ({
      ...head,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          finish_reason: reason(turn),
          message: {
            role: 'assistant',
            content: turn.content ?? null,
            refusal: turn.refusal ?? null,
            tool_calls: turn.calls?.length ? turn.calls.map(call) : undefined,
          },
        },
      ],
    }),
    refusal: (message) => ({ error: { message, type: 'invalid_request_error' } }),
    models: (names) => ({ object: 'list', data: names.map((id) => ({ id, object: 'model' })) }),
  }
}

function ollama(model: string): Wire {
  const head = { model, created_at: '2026-01-01T00:00:00Z' }
  const line = (value: object) => `${JSON.stringify({ ...head, ...value })}\n`
  const message = (more: object) => ({ message: { role: 'assistant', content: '', ...more } })
  const call = (wanted: ScriptedCall) => ({
    function: { name: wanted.name, arguments: wanted.arguments },
  })
  return {
    type: 'application/x-ndjson',
    begin: () => '',
    thinking: (thinking) => line({ ...message({ thinking }), done: false }),
    word: (content) => line({ ...message({ content }), done: false }),
    calls: (calls) => [line({ ...message({ tool_calls: calls.map(call) }), done: false })],
    error: (text) => `${JSON.stringify({ error: text })}\n`,
    end: ({ finish = 'stop' }) => line({ ...message({}), done: true, done_reason: finish }),
    whole: ({ content = '', calls, finish = 'stop' }) => ({
      ...head,
      ...message({ content, tool_calls: calls?.length ? calls.map(call) : undefined }),
      done: true,
      done_reason: finish,
    }),
    refusal: (error) => ({ error }),
    models: (names) => ({ models: names.map((name) => ({ name, model: name })) }),
  }
}

function idOf({ id }: ScriptedCall, index: number): string {
  return id ?? `call_${index}`
}

function argumentsOf({ arguments: args }: ScriptedCall): string {
  return typeof args === 'string' ? args : JSON.stringify(args)
}
