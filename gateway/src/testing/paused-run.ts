/** A program that pauses for an approval between two calls, for tests of runs with a journal. */
import { type Program, saying } from './code-component.ts'
import type { Answer, Client, RunWorld } from './run-world.ts'

/** A call of `run_code`; which code does not matter. */
export const RUN = { name: 'run_code', arguments: { code: 'x' } }

/** Appends, deletes what needs an approval, and appends again. */
export const program = async ({ call }: Program) => {
  await call('files', 'append', { path: '1' })
  const said = await saying(call('files', 'delete', { path: '/a' }))
  await call('files', 'append', { path: '2' })
  return said
}

/** What has run before the approval, and what has run in the end. */
export const ONE = 'append {"path":"1"}'
export const ALL = [ONE, 'delete {"path":"/a"}', 'append {"path":"2"}']

/** The text of a result or an error. */
export const textOf = ({ content, message, error }: Answer) =>
  content?.[0]?.text ?? message ?? error?.message ?? ''

/** Reads the task again, when its attempt has ended. */
export async function ended(
  made: RunWorld,
  taskId: string | undefined,
  client: Client,
): Promise<Answer> {
  await made.platform.settled()
  // A record is read again when it is as old as the poll interval.
  made.lasting.clock.now += 1_000
  const { status, result, error } = await made.ask('tasks/get', { taskId }, client)
  return { status, ...result, ...error }
}
