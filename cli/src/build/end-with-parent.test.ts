import { spawn } from 'node:child_process'
import { expect, it } from 'vitest'
import { processes } from '../../../test/support/processes.ts'

const MODULE = new URL('./end-with-parent.ts', import.meta.url).href

/** A process whose child never ends; it prints the child's id. */
const SCRIPT = `
import { spawn } from 'node:child_process'
import { endWithParent } from '${MODULE}'
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
endWithParent(child)
console.log(child.pid)
if (process.argv.includes('exit')) setTimeout(() => process.exit(3), 100)
`

/** A process that has ended may be listed until its parent, here the first process of the machine, looks at it. */
const isRunning = async (pid: number) => (await processes()).some((each) => each.pid === pid)

it.each<[how: NodeJS.Signals | 'exit', code: number | null, signal: string | null]>([
  ['SIGTERM', null, 'SIGTERM'],
  ['SIGHUP', null, 'SIGHUP'],
  ['exit', 3, null],
])('a child ends when its parent ends by %s, as it would have ended', async (how, code, signal) => {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, how])
  const pid = await new Promise<number>((resolve) => {
    parent.stdout.on('data', (text: Buffer) => resolve(Number(text.toString())))
  })
  expect(await isRunning(pid)).toBe(true)
  if (how !== 'exit') parent.kill(how)
  const ended = await new Promise((resolve) => parent.on('exit', (...end) => resolve(end)))
  expect(ended).toEqual([code, signal])
  await expect.poll(() => isRunning(pid)).toBe(false)
})
