// What the author of a tool that throws is told, and what everybody else is.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort, ftl } from '../support/command.ts'
import { callTool, type DevApplication, put, startDev, toolSource } from './dev-application.ts'
import { useKeptCache } from './kept-cache.ts'

const SLOW = { timeout: 60_000, interval: 100 }

const cache = useKeptCache()
let folder: string
let dev: DevApplication | undefined
beforeEach(async () => {
  folder = await cache.folder()
})
afterEach(() => dev && cache.close(dev))

const throwing = (statement: string) => toolSource('word', `{\n    ${statement}\n  }`)

describe('a tool that throws', { timeout: 120_000 }, () => {
  it('tells its author the error, the lines of the source and the request', async () => {
    await put(folder, 'word/main.ts', throwing("throw new Error('lost')"))
    dev = await startDev(folder)
    await dev.command.printed('watching for changes')
    const first = await dev.call('word')
    expect(first).toMatch(/^Error: lost\n {4}at .*word\/main\.ts:6\n/)
    const [, id = ''] = /\nrequest id ([\w-]+)$/.exec(first) ?? []
    // What the gateway printed about it begins with the same id.
    await dev.command.printed(`[${id}] word`)

    await dev.put('word/main.ts', `// One line more.\n${throwing("throw new Error('lost')")}`)
    await expect.poll(() => dev?.call('word'), SLOW).toMatch(/main\.ts:7\n/)

    await dev.put('word/main.ts', throwing('throw { code: 42 }'))
    await expect.poll(() => dev?.call('word'), SLOW).toMatch(/^\{"code":42\} was thrown\n/)

    await dev.put('word/main.ts', throwing("throw new Error('<b>' + 'x'.repeat(1e6))"))
    await expect.poll(() => dev?.call('word'), SLOW).toMatch(/^Error: <b>xxx/)
    expect((await dev.call('word')).length).toBeLessThan(10_000)

    // It answers nothing at all: the component is ended.
    await dev.put('word/main.ts', throwing('for (;;) {}'))
    await expect
      .poll(() => dev?.call('word'), SLOW)
      .toMatch(/^JavaScript ran for more than 4000 ms .*under \[component\.word\.tool\.ftl\]$/)
  })

  it('tells nobody else more than the request', async () => {
    await put(folder, 'word/main.ts', throwing("throw new Error('secret')"))
    const port = await freePort()
    const command = ftl(['up', '--build', '--listen', `127.0.0.1:${port}`], { cwd: folder })
    try {
      await command.printed('Serving')
      const said = await callTool(`http://127.0.0.1:${port}`, 'word')
      expect(said).toMatch(/^The tool failed: internal error, request id [\w-]+\.$/)
      const [, id = ''] = /request id ([\w-]+)\.$/.exec(said) ?? []
      await command.printed(`[${id}]`)
      expect(command.output()).toContain('secret')
    } finally {
      command.signal('SIGINT')
      await command.exited
    }
  })
})
