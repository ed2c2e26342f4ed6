// `ftl dev` as a developer meets it: a real client calls while files change.
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { descendants } from '../support/processes.ts'
import {
  type DevApplication,
  jobSource,
  manifest,
  put,
  startDev,
  toolSource,
} from './dev-application.ts'
import { useKeptCache } from './kept-cache.ts'
import { connectOwn, listenV1, listenV2 } from './listening-clients.ts'

const SLOW = { timeout: 60_000, interval: 100 }

const cache = useKeptCache()
let folder: string
let dev: DevApplication
beforeEach(async () => {
  folder = await cache.folder()
})
afterEach(() => cache.close(dev))

async function start(...args: string[]): Promise<void> {
  dev = await startDev(folder, args)
  await dev.command.printed('watching for changes')
}

/** The component `more` stores its jobs. */
const withStore = (text: string) =>
  text.replace('[component.more]\n', '[component.more]\nkey_value_stores = ["default"]\n')

const WORD = { params: { name: 'word', arguments: {} }, answer: /"text":"(\w+)"/ }
/** Starts a job, and does not wait for its end. */
const JOB = {
  params: { name: 'more', arguments: {}, _meta: { 'ftl/wait_ms': 0 } },
  answer: /"job_id":"([\w-]+)"/,
}

/** Calls all the time until told to stop, each time on a connection of its own. */
function callAllTheTime({ params, answer: expected } = WORD) {
  const answers = new Set<string>()
  const failures: string[] = []
  let over = false
  const calling = (async () => {
    while (!over) {
      const answer = await fetch(`${dev.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'mcp-protocol-version': '2025-11-25',
          connection: 'close',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      }).then(
        (response) => response.text(),
        (error: Error) => `refused: ${String(error.cause)}`,
      )
      const [, text] = expected.exec(answer) ?? []
      if (text === undefined) failures.push(answer)
      else answers.add(text)
      await sleep(10)
    }
  })()
  return {
    answers,
    failures,
    async stop() {
      over = true
      await calling
    },
  }
}

// Each builds several times, and a busy machine takes a quarter of a minute for each.
describe('ftl dev', { timeout: 120_000 }, () => {
  it(
    'takes up a change while no call fails, is refused or cut off, and connected clients list a renamed tool',
    { timeout: 90_000 },
    async () => {
      const slow = "new Promise((resolve) => setTimeout(() => resolve('slow'), 8000))"
      // Without the notification, clients and the gateway would trust the list for ten minutes.
      const trusting = manifest('word', 'nap').replace('ttl_ms = "0"', 'ttl_ms = "600000"')
      await put(folder, 'spin.toml', trusting)
      await put(folder, 'nap/main.ts', toolSource('nap', slow))
      await start()
      const mcp = `${dev.url}/mcp`
      const clients = [await listenV1(mcp), await listenV2(mcp)]
      const own = await connectOwn(mcp)
      expect(await own.list()).toEqual(['word', 'nap'])
      const calls = callAllTheTime()
      const begun = dev.call('nap')
      await dev.put('word/main.ts', toolSource('word', "'two'"))
      await dev.put('nap/main.ts', toolSource('rest', "'awake'"))
      await expect.poll(() => dev.call('rest'), SLOW).toBe('awake')
      // Nothing lists the tools but these clients, after the notification.
      const renamed = ['word', 'rest']
      for (const client of clients) await expect.poll(() => client.names, SLOW).toEqual(renamed)
      await expect.poll(() => own.list(), SLOW).toEqual(renamed)
      await Promise.all([...clients, own].map((client) => client.close()))
      await calls.stop()
      expect(calls.failures).toEqual([])
      expect([...calls.answers]).toEqual(['one', 'two'])
      expect(await begun).toBe('slow')
      expect(dev.command.output()).toMatch(/POST \/mcp word 200 [\d.]+ ms/)
    },
  )

  it('shows a mistake with its line and a caret, also to callers, until it is mended', async () => {
    await start()
    await dev.put('word/main.ts', `${toolSource('word', "'two'")}const = 1\n`)
    await dev.command.printed(/word\/main\.ts:7:7: .*\n +7 \| const = 1\n +\| {7}\^/)
    await expect
      .poll(() => dev.call('word'), SLOW)
      .toMatch(/^word does not build: .*main\.ts:7:7: /)
    await dev.put('word/main.ts', `import { said } from './said.ts'\n${toolSource('word', 'said')}`)
    await dev.command.printed('Could not resolve "./said.ts"')
    // The file that was missing, in no build until now.
    await dev.put('word/said.ts', "export const said = 'three'\n")
    await expect.poll(() => dev.call('word'), SLOW).toBe('three')
    await dev.put(
      'word/said.ts',
      "export const said = make()\nfunction make(): string {\n  throw new Error('no word')\n}\n",
    )
    await dev.command.printed(/word\/said\.ts:3:\d+: no word\n +3 \| +throw new Error/)
    await expect.poll(() => dev.call('word'), SLOW).toContain('no word')
  })

  it('names the line of the source where a component throws', async () => {
    await start()
    await dev.put('word/main.ts', toolSource('word', "{ throw new Error('lost') }"))
    await expect.poll(() => dev.call('word'), SLOW).not.toBe('one')
    await dev.command.printed(/\[word\] +at .*word\/main\.ts:5:\d+/)
    // The line of the request comes when all of it has ended.
    await dev.command.printed('the tool answered 500')
    // Places move with a comment, although the bundle stays the same.
    await dev.put(
      'word/main.ts',
      `// One more line.\n${toolSource('word', "{ throw new Error('lost') }")}`,
    )
    await expect
      .poll(async () => {
        await dev.call('word')
        return dev.command.output()
      }, SLOW)
      .toMatch(/\[word\] +at .*word\/main\.ts:6:\d+/)
  })

  it('keeps no bundler in the process that serves, also after a change of spin.toml', async () => {
    // The bundler finds the module of a package when the manifest is read.
    const ofPackage = `${manifest('word').replace('../mcp-gateway.wasm', 'dist/gateway.wasm')}
[component.mcp-gateway.build]
command = "npx ftl build"
[component.mcp-gateway.tool.ftl]
entry = "ftl-gateway"
`
    await put(folder, 'spin.toml', ofPackage)
    await start()
    await dev.put('spin.toml', `${ofPackage}# a comment\n`)
    await dev.command.printed('spin.toml has changed')
    await dev.command.printed('serving the change')
    const { pid } = dev.command
    const all = await descendants(pid)
    expect(all.filter(({ name, parent }) => name === 'esbuild' && parent === pid)).toEqual([])
  })

  it('takes up spin.toml: a new component, one that is gone, a mistake; jobs start meanwhile', async () => {
    await start()
    await dev.put('more/main.ts', jobSource('more'))
    await dev.put('spin.toml', withStore(manifest('word', 'more')))
    await expect.poll(() => dev.call('more'), SLOW).toBe('more')
    expect(dev.command.output()).toContain('spin.toml has changed: new component more')
    const starts = callAllTheTime(JOB)
    await dev.put('spin.toml', `${manifest('more')}\ntypo = 1\n[component.more]\n`)
    await dev.command.printed('the last working version stays in use')
    expect(await dev.call('word')).toBe('one')
    await dev.put('spin.toml', withStore(manifest('more')))
    await dev.command.printed('component word was removed')
    await expect.poll(() => dev.call('word'), SLOW).toMatch(/unknown tool|not found|no tool/i)
    await starts.stop()
    expect(starts.failures).toEqual([])
    expect(starts.answers.size).toBeGreaterThan(0)
    expect(await dev.call('more')).toBe('more')
  })

  it('runs the build command of another language when one of its files changes', async () => {
    const foreign = `
[component.other]
source = "dist/other.wasm"
[component.other.build]
command = ["cp ../dist/word.wasm ../dist/other.wasm", "echo run >> runs.txt"]
workdir = "other"
watch = ["src/**/*.rs"]
`
    await put(folder, 'spin.toml', manifest('word'))
    await put(folder, 'other/src/lib.rs', '// one')
    await put(folder, 'dist/word.wasm', '')
    await start()
    await dev.put('spin.toml', manifest('word') + foreign)
    const runs = () => dev.command.output().match(/serving the change/g)?.length ?? 0
    await expect.poll(runs, SLOW).toBe(1)
    await dev.put('other/src/deep/new.rs', '// two')
    await dev.put('other/src/lib.rs', '// two')
    await expect.poll(runs, SLOW).toBeGreaterThan(1)
    await dev.put('spin.toml', manifest('word') + foreign.replace('cp ..', 'false && cp ..'))
    await dev.command.printed(/"false && cp .*" in .*other ended with code 1/)
  })

  it('--typecheck shows what building does not look at', async () => {
    await put(folder, 'tsconfig.json', TSCONFIG)
    await start('--typecheck')
    await dev.command.printed('types are fine')
    await dev.put('word/main.ts', `${toolSource('word', "'two'")}export const n: number = 'x'\n`)
    await dev.command.printed(/word\/main\.ts:7:14: TS2322: .*\n +7 \| export const n/)
    await expect.poll(() => dev.call('word'), SLOW).toBe('two')
  })
})

it('without a tsconfig.json --typecheck says how to make one', async () => {
  await rm(join(folder, 'tsconfig.json'), { force: true })
  dev = await startDev(folder, ['--typecheck'])
  expect(await dev.command.exited).toBe(1)
  expect(dev.command.output()).toContain('npx tsc --init')
})

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    strict: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom'],
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: [],
  },
  include: ['word'],
})
