// The process that builds, played by a small program.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import type { BuildRequest } from './build-messages.ts'
import { Builder } from './builder.ts'

const REQUEST: BuildRequest = {
  targets: [],
  cacheFolder: '',
  maxInstanceMemory: undefined,
  runtimeConfigFile: undefined,
}

/** Answers a request after a while, and ends with its parent. */
const program = (afterMs: number) => `
  process.on('disconnect', () => process.exit())
  process.on('message', () => setTimeout(() => process.send({ type: 'done', changed: [String(process.pid)] }), ${afterMs}))`

const STDIO = ['ignore', 'inherit', 'inherit', 'ipc'] as const

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function builderOf(idleMs: number, afterMs = 0): Builder {
  return new Builder({
    onEvent: () => {},
    idleMs,
    start() {
      const child = spawn(process.execPath, ['-e', program(afterMs)], { stdio: [...STDIO] })
      children.push(child)
      return child
    },
  })
}

it('the process ends when nothing was built for a while, and the next build starts one', async () => {
  const builder = builderOf(50)
  const first = await builder.build(REQUEST)
  const [child] = children
  if (child?.exitCode === null) await once(child, 'exit')
  const second = await builder.build(REQUEST)
  expect(children).toHaveLength(2)
  expect(second.changed).not.toEqual(first.changed)
  builder.close()
})

it('a build that takes longer than that is not ended, and the next one has the same process', async () => {
  const builder = builderOf(300, 600)
  const first = await builder.build(REQUEST)
  const second = await builder.build(REQUEST)
  expect(second.changed).toEqual(first.changed)
  builder.close()
})

it('a process that cannot be started is an error of that build, and the next one tries again', async () => {
  let isReplaced = true
  const builder = new Builder({
    onEvent: () => {},
    start() {
      const node = isReplaced ? '/no/such/node' : process.execPath
      const child = spawn(node, ['-e', program(0)], { stdio: [...STDIO] })
      children.push(child)
      return child
    },
  })
  await expect(builder.build(REQUEST)).rejects.toThrow('cannot be started (spawn /no/such/node')
  isReplaced = false
  expect((await builder.build(REQUEST)).changed).toHaveLength(1)
  builder.close()
})

it('a process that was killed while it had nothing to do is replaced', async () => {
  const builder = builderOf(60_000)
  const first = await builder.build(REQUEST)
  children[0]?.kill('SIGKILL')
  if (children[0]) await once(children[0], 'exit')
  expect((await builder.build(REQUEST)).changed).not.toEqual(first.changed)
  builder.close()
})
