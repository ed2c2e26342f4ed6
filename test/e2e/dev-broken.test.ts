// What `ftl dev` does while components do not build: everything else goes on.
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DevApplication, manifest, put, startDev, toolSource } from './dev-application.ts'
import { useKeptCache } from './kept-cache.ts'

/** Ends an evaluation sooner than users of `ftl` wait. */
const SHORT = new URL('./short-evaluation.mjs', import.meta.url).href
const SLOW = { timeout: 60_000, interval: 100 }

const cache = useKeptCache()
let folder: string
let dev: DevApplication
beforeEach(async () => {
  folder = await cache.folder()
  await put(folder, 'spin.toml', manifest('word', 'other'))
  await put(folder, 'other/main.ts', toolSource('other', "'fine'"))
})
afterEach(() => cache.close(dev))

async function start(env: Record<string, string> = {}): Promise<void> {
  dev = await startDev(folder, [], env)
  await dev.command.printed('watching for changes')
}

async function health(component: string): Promise<{ status: string; reason: string }> {
  const response = await fetch(`${dev.url}/health/components`)
  const { components } = (await response.json()) as {
    components: { component: string; status: string; reason: string }[]
  }
  const found = components.find((each) => each.component === component)
  if (!found) throw new Error(`no ${component}`)
  return found
}

const MISSING = `import nope from 'nope'\n${toolSource('word', 'nope')}`

describe('ftl dev with a component that does not build', { timeout: 120_000 }, () => {
  it('starts, serves the others, and says what is wrong wherever somebody looks', async () => {
    await put(folder, 'word/main.ts', MISSING)
    await start()
    expect(await dev.call('other')).toBe('fine')
    expect(await dev.call('word')).toMatch(/^word does not build: .*Could not resolve "nope"/)
    expect((await health('word')).reason).toContain('"nope"')
    expect((await health('other')).status).toBe('ok')
    expect(dev.command.output()).toContain('Could not resolve "nope"')
    await dev.put('word/main.ts', toolSource('word', "'mended'"))
    await expect.poll(() => dev.call('word'), SLOW).toBe('mended')
    await expect.poll(async () => (await health('word')).status, SLOW).toBe('ok')
  })

  it('builds a new component meanwhile, and both when the first is mended', async () => {
    await start()
    await dev.put('word/main.ts', MISSING)
    await expect.poll(() => dev.call('word'), SLOW).toContain('"nope"')
    await dev.put('third/main.ts', toolSource('third', "'new'"))
    await dev.put('spin.toml', manifest('word', 'other', 'third'))
    await expect.poll(() => dev.call('third'), SLOW).toBe('new')
    await dev.put('other/main.ts', toolSource('other', "'better'"))
    await expect.poll(() => dev.call('other'), SLOW).toBe('better')
    await dev.put('word/main.ts', toolSource('word', "'mended'"))
    await expect.poll(() => dev.call('word'), SLOW).toBe('mended')
  })

  it('is mended by installing a package and by a file elsewhere, without a save of its own', async () => {
    await put(folder, 'word/main.ts', MISSING)
    await put(folder, 'shared/text.ts', 'export const = 1\n')
    const other = `import { text } from '../shared/text.ts'\n${toolSource('other', 'text')}`
    await put(folder, 'other/main.ts', other)
    await start()
    await dev.put('word/node_modules/nope/package.json', '{"name":"nope","main":"index.js"}')
    await dev.put('word/node_modules/nope/index.js', "export default 'installed'\n")
    await dev.put('word/node_modules/.package-lock.json', '{}')
    await expect.poll(() => dev.call('word'), SLOW).toBe('installed')
    await dev.put('shared/text.ts', "export const text = 'shared'\n")
    await expect.poll(() => dev.call('other'), SLOW).toBe('shared')
  })

  it('takes up an entry that is written after spin.toml names it', async () => {
    await start()
    await dev.put('spin.toml', manifest('word', 'other', 'late'))
    await expect.poll(() => dev.call('late'), SLOW).toMatch(/^late does not build: /)
    await dev.put('late/main.ts', toolSource('late', "'here'"))
    await expect.poll(() => dev.call('late'), SLOW).toBe('here')
  })

  it('shows no commands for the terminal, and nothing without end', async () => {
    await put(
      folder,
      'word/main.ts',
      "throw new Error('\\x1b]0;owned\\x07<b>' + 'x'.repeat(1e6))\n",
    )
    await start()
    const said = await dev.call('word')
    expect(said.slice(0, 200)).toContain('\\x1b]0;owned\\x07')
    expect(said.length).toBeLessThan(10_000)
    expect(dev.command.output().includes('\x1b]0;')).toBe(false)
    expect(dev.command.output().length).toBeLessThan(40_000)
    expect((await health('word')).reason.length).toBeLessThan(10_000)
    expect(await dev.call('other')).toBe('fine')
  })

  it('ends an evaluation that does not end, and serves the others', async () => {
    await put(folder, 'word/main.ts', `for (;;) {}\n${toolSource('word', "'never'")}`)
    await start({ NODE_OPTIONS: `--import=${SHORT}` })
    expect(await dev.call('word')).toMatch(/word\/main\.ts.*not evaluated after 20 s/)
    expect(await dev.call('other')).toBe('fine')
  })

  it('serves the last of many saves', async () => {
    await start()
    for (let count = 0; count < 100; count++) {
      await dev.put('word/main.ts', toolSource('word', `'save ${count}'`))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await expect.poll(() => dev.call('word'), SLOW).toBe('save 99')
  })

  it('leaves nothing of it in dist', async () => {
    await put(folder, 'word/main.ts', MISSING)
    await mkdir(join(folder, 'dist'), { recursive: true })
    await rm(join(folder, 'dist/word.wasm'), { force: true })
    await start()
    expect(await dev.call('word')).toContain('does not build')
    await expect(readFile(join(folder, 'dist/word.wasm'))).rejects.toThrow('ENOENT')
  })
})
