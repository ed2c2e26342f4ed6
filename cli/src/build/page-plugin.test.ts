import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pages } from './page-plugin.ts'

interface Made {
  html: string
  hash: string
  files: Record<string, { type: string; body: string; gzip: string; brotli: string }>
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-page-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const HTML = `<html><head><link rel="stylesheet" href="./style.css">
  <link rel="icon" href="./icon.svg"><a href="/docs">docs</a></head>
  <script type="module" src="./main.ts"></script></html>`

async function make(files: Record<string, string>) {
  const all = {
    'index.html': HTML,
    'entry.ts': "export { default } from './index.html'",
    'main.ts': "import { word } from './word.ts'\nconsole.log(word)",
    'word.ts': "export const word: string = 'hello'",
    'style.css': 'body { color: red }',
    'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    ...files,
  }
  for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text)
  const inputs = new Set<string>()
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'entry.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    logLevel: 'silent',
    plugins: [pages(inputs)],
  })
  const address = `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`
  const { default: page } = (await import(address)) as { default: Made }
  return { page, inputs: [...inputs].map((path) => path.slice(folder.length + 1)).sort() }
}

describe('a page that is imported', () => {
  it('is its document and its files, under names that change with what is in them', async () => {
    const before = (await make({})).page
    const [script = '', style = '', icon = ''] = ['js', 'css', 'svg'].map((end) =>
      Object.keys(before.files).find((name) => name.endsWith(`.${end}`)),
    )
    expect(Object.keys(before.files)).toHaveLength(3)
    for (const name of [script, style, icon]) expect(before.html).toContain(`"./${name}"`)
    expect(before.html).toContain('href="/docs"')
    const after = (await make({ 'word.ts': "export const word = 'goodbye'" })).page
    expect(Object.keys(after.files)).not.toContain(script)
    expect(Object.keys(after.files)).toEqual(expect.arrayContaining([style, icon]))
    expect(after.hash).not.toBe(before.hash)
    // A build that changes nothing gives the same bytes: the cache goes by them.
    expect((await make({ 'word.ts': "export const word: string = 'hello'" })).page).toEqual(before)
  })

  it('is bundled for a browser, and compressed beforehand', async () => {
    const { page } = await make({})
    for (const { body, gzip, brotli } of Object.values(page.files)) {
      expect(brotliDecompressSync(Buffer.from(brotli, 'base64')).toString()).toBe(body)
      expect(gunzipSync(Buffer.from(gzip, 'base64')).toString()).toBe(body)
    }
    const script = Object.values(page.files).find(({ type }) => type.startsWith('text/javascript'))
    expect(script?.body).toContain('hello')
    expect(script?.body).not.toContain('import')
    expect(Object.values(page.files).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['text/css; charset=utf-8', 'image/svg+xml']),
    )
  })

  it('keeps what it loads by import() in a file of its own, beside its script', async () => {
    const { page } = await make({
      'main.ts': "import { word } from './word.ts'\nif (word) await import('./later.ts')",
      'later.ts': "console.log('much later')",
    })
    const names = Object.keys(page.files).filter((name) => name.endsWith('.js'))
    const [later = ''] = names.filter((name) => page.files[name]?.body.includes('much later'))
    const [main = ''] = names.filter((name) => name !== later)
    expect(names).toHaveLength(2)
    expect(page.html).toContain(main)
    expect(page.html).not.toContain(later)
    expect(later).toMatch(/^later-[A-Z0-9]{8}\.js$/)
    expect(page.files[main]?.body).toContain(`"./${later}"`)
  })

  it('requests at once what its script imports, but not what it loads later', async () => {
    const { page } = await make({
      'main.ts': "import { word } from './word.ts'\nif (word) await import('./later.ts')",
      'later.ts': "import { word } from './word.ts'\nconsole.log('much later', word)",
    })
    const [shared = ''] = Object.keys(page.files).filter((name) => name.startsWith('chunk-'))
    expect(page.html).toContain(`<link rel="modulepreload" href="./${shared}"></head>`)
    expect(page.html.match(/modulepreload/g)).toHaveLength(1)
  })

  it('has the styles that a script imports in that script, and watches them', async () => {
    const { page, inputs } = await make({
      'main.ts': "import './first.css'\nawait import('./later.ts')",
      'later.ts': "import './second.css'",
      'first.css': '@import "./base.css"; .first { color: red }',
      'base.css': '.base { background: url(icon.svg) }',
      'second.css': '.second { color: blue }',
    })
    const scripts = Object.entries(page.files).filter(([name]) => name.endsWith('.js'))
    const [later] = scripts.filter(([name]) => name.startsWith('later-'))
    expect(later?.[1].body).toContain('.second{color:#00f}')
    const [main] = scripts.filter(([name]) => name.startsWith('main-'))
    expect(main?.[1].body).toMatch(/\.base\{background:url\(.*data:image.*\.first\{color:red\}/)
    expect(main?.[1].body).not.toContain('.second')
    expect(inputs).toEqual(expect.arrayContaining(['first.css', 'base.css', 'second.css']))
    expect(inputs.filter((input) => input.includes(':'))).toEqual([])
    // Those that the document refers to are files.
    expect(Object.keys(page.files).filter((name) => name.endsWith('.css'))).toHaveLength(1)
  })

  it('names every file it is made of, so that a change of any makes it anew', async () => {
    expect((await make({})).inputs).toEqual(['icon.svg', 'main.ts', 'style.css', 'word.ts'])
  })

  it('fails with the place of a mistake in its script', async () => {
    const failure = await make({ 'word.ts': 'export const word: = 1' }).catch(
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({
      errors: [{ location: { line: 1, lineText: 'export const word: = 1' } }],
    })
  })
})
