import { expect, it } from 'vitest'
import type { Program } from '../program/prepare.ts'
import { parseLimits } from './limits.ts'
import { RunStopped, type RunGateway } from './run-gateway.ts'
import { type Realm, Session, type SessionOptions } from './session.ts'

const program: Program = { script: '', original: (place) => place }

/** A realm whose program posts these messages, and then, for each text that it gets, what `onText` returns. */
function session(
  first: unknown[],
  {
    onText = () => [],
    call,
    progress = () => {},
  }: {
    onText?: (text: string) => unknown[]
    call?: RunGateway['call']
    progress?: SessionOptions['progress']
  } = {},
) {
  const texts = (messages: unknown[]) =>
    messages.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
  const realm: Realm = {
    limit: () => {},
    run: () => [undefined, texts(first)],
    deliver: (text) => [undefined, text.includes('"begin"') ? [] : texts(onText(text))],
  }
  const never = () => Promise.reject(new Error('not expected'))
  return new Session(program, {
    realm,
    gateway: { begin: never, search: never, describe: never, keep: never, call: call ?? never },
    limits: { ...parseLimits(), wall_ms: 2000 },
    start: { startedAt: 0, maxCalls: 3, seed: 0, tools: [] },
    progress,
    signal: new AbortController().signal,
  })
}

const echo = (id: number) => ({ type: 'call', id, component: 'echo', tool: 'echo', json: '{}' })

it('ends at a call that the gateway stops, and the program sees nothing of it', async () => {
  const seen: string[] = []
  const outcome = await session([echo(1), echo(2)], {
    onText: (text) => (seen.push(text), []),
    call: async (seq) => {
      if (seq === 2) throw new RunStopped('input_required', 'a person must approve it')
      return new Promise(() => {})
    },
  }).run()
  expect(outcome.stopped).toEqual({ seq: 2, code: 'input_required' })
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(seen).toEqual([])
})

it('numbers calls itself, and makes no more than the run may', async () => {
  const numbers: number[] = []
  const answers: string[] = []
  const forged = [1, 2, 3, 4].map((id) => ({ ...echo(id), seq: 99 }))
  const outcome = await session(forged, {
    onText: (text) => (answers.push(text), answers.length === 4 ? [{ type: 'done' }] : []),
    call: async (seq) => (numbers.push(seq), { content: [] }),
  }).run()
  expect(numbers).toEqual([1, 2, 3])
  expect(outcome).toMatchObject({ calls: 3 })
  expect(answers.filter((text) => text.includes('"code":"too_many_calls"'))).toHaveLength(1)
})

it.each([
  ['text that is not JSON', 'x'],
  ['a list', []],
  ['a call without a number', { type: 'call', id: 'x' }],
])('ends a program that posts %s', async (_, message) => {
  const { error } = await session([message]).run()
  expect(error?.message).toBe('the program has posted a text that is not a message')
})

it('hears nothing after the end', async () => {
  const { value, console } = await session([
    { type: 'done', json: '1' },
    { type: 'log', level: 'info', text: 'late' },
    { type: 'done', json: '2' },
  ]).run()
  expect(value).toBe(1)
  expect(console.lines).toEqual([])
})

it('ends a program that waits for nothing', async () => {
  const { error } = await session([]).run()
  expect(error?.message).toBe('the program waits for something that never happens')
})

it('reports each call, until the program reports its progress itself', async () => {
  const reports: object[] = []
  const own = { type: 'progress', progress: 1, total: 2, message: 'half' }
  let answers = 0
  await session([echo(1), { ...echo(2), tool: '\ud800' }, own, echo(3)], {
    onText: () => (++answers === 3 ? [{ type: 'done' }] : []),
    call: async () => ({ content: [] }),
    progress: (report) => reports.push(report),
  }).run()
  expect(reports).toEqual([
    { message: 'Call 1: echo.echo' },
    { message: 'Call 2: echo.\ufffd' },
    { progress: 1, total: 2, message: 'half' },
  ])
})
