// Ctrl-C while `ftl dev` builds. This test measures time, so no other test runs beside it.
import { expect, it, onTestFinished } from 'vitest'
import { descendants, processes } from '../support/processes.ts'
import { devFolder, startDev, toolSource } from './dev-application.ts'

it('Ctrl-C ends ftl dev at once in the middle of a build', { timeout: 120_000 }, async () => {
  const dev = await startDev(await devFolder())
  onTestFinished(() => dev.close())
  await dev.command.printed('watching for changes')
  await dev.put('word/main.ts', toolSource('word', "'two'"))
  await dev.command.printed('building word')
  const started = (await descendants(dev.command.pid)).map(({ pid }) => pid)
  expect(started.length).toBeGreaterThan(0)
  const began = performance.now()
  dev.command.signal('SIGINT')
  expect(await dev.command.exited).toBe(0)
  expect(performance.now() - began).toBeLessThan(2500)
  const left = async () => (await processes()).filter(({ pid }) => started.includes(pid))
  await expect.poll(left, { timeout: 5000 }).toEqual([])
})
