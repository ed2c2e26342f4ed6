// The whole host dies, as `kill -9` ends it, while guests write; and a second one comes on the same folder.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ftl, type RunningCommand } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { descendants, processes } from '../support/processes.ts'
import { temporaryFolder } from './fixture.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
const running: RunningCommand[] = []
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(async () => {
  for (const command of running.splice(0)) {
    await kill(command)
    await command.exited
  }
  await folder.remove()
})

function up(): RunningCommand {
  const args = ['--from', MANIFESTS.hostile, '--listen', '127.0.0.1:0', '--state-dir', folder.path]
  const command = ftl(['up', '--quiet', ...args])
  running.push(command)
  return command
}

async function serving(command: RunningCommand): Promise<string> {
  await command.printed('Available Routes:')
  return /Serving (\S+)/.exec(command.output())?.[1] ?? ''
}

/** The command may be two processes: an older Node starts the newer one. */
async function kill({ pid }: RunningCommand): Promise<void> {
  const all = [...(await descendants(pid)).map((child) => child.pid), pid]
  for (const one of all) {
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  const left = async () => (await processes()).filter((process) => all.includes(process.pid))
  await expect.poll(left, { timeout: 5000 }).toEqual([])
}

/** Of any size up to 60 KB, and its own. */
const valueOf = (key: string) => `${key}/`.repeat(1 + (Number(key.split('-')[2]) % 40) * 150)

test(
  'a host that is killed while guests write has kept every entry that was confirmed to a client',
  { timeout: 120_000 },
  async () => {
    const told: string[] = []
    for (let round = 0; round < 3; round++) {
      const command = up()
      const url = await serving(command)
      const begun = told.length
      const write = async (writer: number) => {
        for (let i = 0; ; i++) {
          const key = `${round}-${writer}-${i}`
          const init = { method: 'POST', body: valueOf(key) }
          const response = await fetch(`${url}/good/put?key=${key}`, init)
          if ((await response.text()) !== 'kept') throw new Error(`answered ${response.status}`)
          told.push(key)
        }
      }
      const writers = [0, 1, 2, 3].map((writer) => write(writer).catch((error: unknown) => error))
      await expect
        .poll(() => told.length - begun, { timeout: 20_000, interval: 5 })
        .toBeGreaterThan(100 + 77 * round)
      await kill(command)
      // Each was cut off in the middle; none was answered wrongly before.
      for (const error of await Promise.all(writers)) expect(error).toBeInstanceOf(TypeError)
    }
    const url = await serving(up())
    const lost: string[] = []
    for (const key of told) {
      const response = await fetch(`${url}/good/get?key=${key}`)
      if ((await response.text()) !== valueOf(key)) lost.push(key)
    }
    expect(lost).toEqual([])
    expect(told.length).toBeGreaterThan(100 + 177 + 254)
  },
)

test('a second host on the folder says who has it and ends; after the first has gone it serves', async () => {
  const first = up()
  const url = await serving(first)
  await fetch(`${url}/good/put?key=k-k-1`, { method: 'POST', body: 'of the first' })

  const second = up()
  expect(await second.exited).toBe(1)
  expect(second.output()).toContain(`is already served at ${url} (process `)
  const [, pid] = /\(process (\d+)\)/.exec(second.output()) ?? []
  const own = [first.pid, ...(await descendants(first.pid)).map((child) => child.pid)]
  expect(own).toContain(Number(pid))
  expect(second.output()).toContain('--state-dir')
  expect(second.output()).not.toMatch(/\n +at /)
  // The first has noticed nothing.
  expect(await (await fetch(`${url}/good/get?key=k-k-1`)).text()).toBe('of the first')

  await kill(first)
  const third = await serving(up())
  expect(await (await fetch(`${third}/good/get?key=k-k-1`)).text()).toBe('of the first')
})
