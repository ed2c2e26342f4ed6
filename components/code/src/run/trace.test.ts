import { expect, it } from 'vitest'
import { ProgramError } from '../program/program-error.ts'
import { Trace } from './trace.ts'

/** A clock that is set by hand. */
function clocked() {
  const clock = { now: 1_000 }
  return { clock, trace: new Trace(() => clock.now) }
}

it('notes when a call began, how long it took, what it was given and what it returned', async () => {
  const { clock, trace } = clocked()
  clock.now += 5
  let answer = (_: unknown) => {}
  const call = trace.follow('echo.echo', '{"a":1}', new Promise((resolve) => (answer = resolve)))
  clock.now += 20
  answer({ text: 'hi' })
  expect(await call).toEqual({ text: 'hi' })
  clock.now += 3
  expect(trace.report(false)).toEqual({
    ms: 28,
    calls: [
      {
        tool: 'echo.echo',
        start: 5,
        ms: 20,
        outcome: 'ok',
        args: '{"a":1}',
        result: '{"text":"hi"}',
      },
    ],
  })
})

it('notes the code and the message of a failure, and the program still gets it', async () => {
  const { trace } = clocked()
  const error = new ProgramError('ToolError', 'no such city', undefined, { code: 'tool_error' })
  await expect(trace.follow('a.b', '{}', Promise.reject(error))).rejects.toBe(error)
  expect(trace.report(true)).toMatchObject({
    replayed: true,
    calls: [{ outcome: 'tool_error', result: 'no such city' }],
  })
})

it('says that a call had not ended', () => {
  const { trace } = clocked()
  void trace.follow('a.b', '{}', new Promise(() => {}))
  const [call] = trace.report(false).calls
  expect(call).toMatchObject({ outcome: 'unfinished' })
  expect(call).not.toHaveProperty('ms')
})

it('cuts long values, and counts calls that it leaves out', async () => {
  const { trace } = clocked()
  for (let made = 0; made < 600; made++) {
    await trace.follow(
      'a.b',
      JSON.stringify('x'.repeat(5_000)),
      Promise.resolve('😀'.repeat(3_000)),
    )
  }
  const report = trace.report(false)
  expect(report.omitted).toBe(100)
  expect(report.calls[0]).toMatchObject({ isCut: true })
  expect(JSON.stringify(report).length).toBeLessThan(200_000)
  expect(JSON.stringify(report).isWellFormed()).toBe(true)
})
