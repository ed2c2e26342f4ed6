// The site of the documentation, as `npm run docs` builds it: complete, and with nothing to fetch from anywhere else.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { execFile } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENTRIES } from '../../scripts/docs/entries.ts'
import { REPOSITORY } from '../support/command.ts'
import { violations } from '../web/axe.ts'
import { findChromium, launch, shoot } from '../web/browser.ts'
import { guidePages } from './blocks/blocks.ts'
import { siteSearch } from './search.ts'
import { serveFolder } from './serve-folder.ts'

let folder: string
/** Text of every file of the site that is text, by its path with `/`. */
const files = new Map<string, string>()
/** What the build said. */
let output = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-site-'))
  const script = join(REPOSITORY, 'scripts/docs.ts')
  // A process of its own, as `npm run docs` starts; it ends with 1 for a link to a page that is not there.
  const args = [script, '--out', folder]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: REPOSITORY })
  output = stdout + stderr
  for (const path of await readdir(folder, { recursive: true })) {
    if (!/\.(html|css|js)$/.test(path)) continue
    files.set(path.replaceAll('\\', '/'), await readFile(join(folder, path), 'utf8'))
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const html = () => [...files].filter(([path]) => path.endsWith('.html'))

describe('the site', () => {
  it('has a page for every guide, and every guide is in the sidebar', async () => {
    const sidebar = links(files.get('quick-start.html') ?? '')
    const guides = await guidePages()
    expect(guides.length).toBeGreaterThan(10)
    for (const name of guides) {
      const page = name.replace(/\.md$/, '.html')
      expect([...files.keys()]).toContain(page)
      expect(sidebar).toContain(page === 'index.html' ? '/' : `/${page}`)
    }
  })

  it('has a page of reference for every package a user imports', () => {
    for (const name of Object.keys(ENTRIES)) {
      expect([...files.keys()]).toContain(`api/${name}.html`)
    }
  })

  it('has no link to a page or a heading that is not there', () => {
    const dead = html().flatMap(([path, text]) =>
      links(text).flatMap((link) => {
        const { pathname, hash } = new URL(link, `http://site/${path}`)
        const target = pathname.endsWith('/') ? `${pathname}index.html` : pathname
        const found = files.get(target.slice(1))
        if (found === undefined) return [`${path}: ${link}`]
        const id = decodeURIComponent(hash.slice(1))
        return id === '' || found.includes(` id="${id}"`) ? [] : [`${path}: ${link}`]
      }),
    )
    expect(dead).toEqual([])
  })

  it('fetches no script, style, font or picture from elsewhere', () => {
    const fetched = [...files].flatMap(([path, text]) =>
      externalRequests(path, text).map((address) => `${path}: ${address}`),
    )
    expect(fetched).toEqual([])
  })

  it('shows expressions of a manifest in a sentence', () => {
    expect(files.get('spin-toml.html')).toContain('api_key = &quot;{{ api_key }}&quot;</code>')
  })

  it('says nothing of a reference that could not be resolved', () => {
    expect(output).not.toMatch(/\[error\]|\[warning\]/)
  })
})

describe('its search', () => {
  it.each([
    ['authentication', '/authentication.html'],
    ['secrets', '/secrets.html'],
    ['npm libraries', '/npm-libraries.html'],
    ['elicitation', '/elicitation.html'],
    ['logging', '/logging.html'],
    ['timeouts', '/timeouts.html'],
    ['debugging', '/debugging.html'],
    ['CI', '/ci.html'],
    ['files', '/files.html'],
    ['deploy', '/deploying.html'],
    ['test', '/testing.html'],
    ['state', '/state.html'],
    ['job', '/jobs.html'],
    ['progress', '/writing-tools.html'],
    ['cancel', '/timeouts.html'],
    ['image', '/comfyui.html'],
    ['limits', '/rate-limits.html'],
    ['errors', '/errors.html'],
    ['idempotency key', '/http-api.html'],
    ['idempotency-key', '/http-api.html'],
  ])('finds for "%s" %s first, and API symbols later', async (words, page) => {
    const [first = ''] = (await siteSearch(folder))(words)
    expect(first.split('#')[0]).toBe(page)
  })

  it('is ranked in the browser by the same function', () => {
    // VitePress marks a serialized function.
    expect(files.get('index.html')).toMatch(
      /_vp-fn_\w* ?function boostDocument|_vp-fn_boostDocument/,
    )
  })
})

describe('its look', () => {
  it('has the icon of the page, the version, and tabs for clients', () => {
    const clients = files.get('clients.html') ?? ''
    expect(clients).toMatch(/rel="icon"[^>]*href="data:image\/svg\+xml;base64,/)
    expect(clients).toMatch(/<title>Clients · ftl \d+\.\d+\.\d+<\/title>/)
    expect(clients).toContain('class="vp-code-group')
    for (const name of ['Claude Code', 'VS Code', 'Cursor', 'Python']) {
      expect(clients).toContain(`>${name}</label>`)
    }
  })

  it('axe finds nothing, light and dark', { timeout: 120_000 }, async ({ skip }) => {
    const found = findChromium()
    if ('reason' in found) return skip(found.reason)
    await using served = await serveFolder(folder)
    const browser = await launch(found.path)
    try {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await browser.newPage({ colorScheme, reducedMotion: 'reduce' })
        for (const path of ['/', '/clients.html', '/http-api.html']) {
          await page.goto(served.url + path)
          await page.getByRole('button', { name: 'Search' }).first().waitFor()
          await shoot(page, `site${path.replaceAll('/', '-')}-${colorScheme}`)
          expect(await violations(page), `${path} ${colorScheme}`).toEqual([])
        }
      }
    } finally {
      await browser.close()
    }
  })
})

it('a request to elsewhere is found in each kind of file', () => {
  const found = (path: string, text: string) => externalRequests(path, text)
  expect(found('a.html', '<script type="module" src="https://a.example/b.js">')).toHaveLength(1)
  expect(found('a.html', '<link rel="stylesheet" href="//a.example/b.css">')).toHaveLength(1)
  expect(found('a.html', '<img alt="" src="http://a.example/b.png">')).toHaveLength(1)
  expect(found('a.css', '@font-face { src: url("https://a.example/b.woff2") }')).toHaveLength(1)
  expect(found('a.css', "@import 'https://a.example/b.css'")).toHaveLength(1)
  expect(found('a.js', 'import("https://a.example/b.js")')).toHaveLength(1)
  expect(found('a.html', '<a href="https://a.example">')).toEqual([])
  expect(found('a.css', 'a { src: url(/assets/inter.woff2) }')).toEqual([])
})

/** Addresses inside the site that a page links to. */
function links(text: string): string[] {
  return [...text.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].flatMap(([, link = '']) =>
    /^[a-z]+:|^\/\//.test(link) ? [] : [link.replaceAll('&amp;', '&')],
  )
}

const EXTERNAL: Record<string, RegExp[]> = {
  // An `a` is followed by a reader only.
  html: [/<(?!a\b)[a-z]+\b[^>]*?\s(?:src|href)="((?:https?:)?\/\/[^"]*)"/g],
  css: [/url\(\s*["']?((?:https?:)?\/\/[^)"']*)/g, /@import\s+["']((?:https?:)?\/\/[^"']*)/g],
  js: [/(?:import\(|\bfrom|import|fetch\()\s*["'`](https?:\/\/[^"'`]*)/g],
}

function externalRequests(path: string, text: string): string[] {
  const patterns = EXTERNAL[path.split('.').at(-1) ?? ''] ?? []
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, found = '']) => found))
}
