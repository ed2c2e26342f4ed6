// `npm start` as a user meets it: one command, everything up, one Ctrl-C, everything gone. This test measures time, so no
// other test runs beside it.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { descendants, processes } from '../support/processes.ts'
import { connects, useStart } from './start-command.ts'

const run = promisify(execFile)
const npm = useStart()

/** Does what the printed line does when it is pasted; by curl itself wherever there is one. */
async function paste(line: string): Promise<unknown> {
  try {
    const { stdout } = await run('sh', ['-c', line])
    return JSON.parse(stdout)
  } catch (error) {
    if (!/not found/.test(String((error as { stderr?: unknown }).stderr))) throw error
    const [, url = '', name = '', value = '', body = ''] =
      /^curl -s (\S+) -H '([^:]+): ([^']+)' -d '([^']+)'$/.exec(line) ?? []
    const response = await fetch(url, { method: 'POST', headers: { [name]: value }, body })
    return response.json()
  }
}

it('npm start is ready in 10 s when everything is built, says where it is, and ends with Ctrl-C', async () => {
  const began = performance.now()
  const command = npm.start()
  await command.printed('Ctrl-C ends everything')
  // 4 s on an idle machine; others may be at work on this one.
  expect(performance.now() - began).toBeLessThan(10_000)

  const printed = command.output()
  expect(printed).toContain(`http://127.0.0.1:${npm.ports.gateway}/mcp`)
  expect(printed).toContain(`ws://127.0.0.1:${npm.ports.bridge}/ws/stream/{id}`)
  expect(printed).toContain('(simulator)')
  for (const tool of ['echo', 'calculator', 'generate_image']) expect(printed).toContain(tool)

  const [, curl = ''] = /^ +(curl .*)$/m.exec(printed) ?? []
  expect(await paste(curl)).toMatchObject({
    result: { content: [{ type: 'text', text: 'Hello' }] },
  })

  const children = await descendants(command.pid)
  expect(children.map(({ name }) => name)).toContain('workerd')
  const started = [command.pid, ...children.map(({ pid }) => pid)]
  const left = async () => (await processes()).filter(({ pid }) => started.includes(pid))
  command.signal('SIGINT')
  expect(await command.exited).toBe(0)
  await expect.poll(left, { timeout: 2000 }).toEqual([])
  for (const port of Object.values(npm.ports)) expect(await connects(port)).toBe(false)
})
