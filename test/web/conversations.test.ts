// The conversations at the left: found, renamed, exported, deleted and taken back, whatever the browser's storage does.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { shoot } from './browser.ts'
import { say, usePage } from './use-page.ts'

const LONG = 'word '.repeat(400)
const pages = usePage({
  wordDelayMs: 5,
  script: [{ when: 'long', turns: [{ content: LONG }] }, { turns: [{ content: 'Good day.' }] }],
})

const list = (page: Page) => page.getByRole('region', { name: 'Conversations' })
const rows = (page: Page) => list(page).getByRole('listitem')
const row = (page: Page, name: string) => rows(page).filter({ hasText: name })

async function open(options: Parameters<typeof pages.open>[1] = {}): Promise<Page> {
  const page = await pages.open('/', options)
  await page.getByText('You are talking to demo').waitFor()
  return page
}

async function talk(page: Page, text: string): Promise<void> {
  await say(page, text)
  await page.getByText('Good day.').last().waitFor()
}

async function act(page: Page, name: string, action: string): Promise<void> {
  await row(page, name).getByRole('button', { name: 'More for' }).click()
  await row(page, name).getByRole('button', { name: action }).click()
}

/** Another conversation beside the one that is shown. */
async function next(page: Page, text: string): Promise<void> {
  await list(page).getByRole('button', { name: 'New conversation' }).click()
  await page.locator('.welcome').waitFor()
  await talk(page, text)
}

describe('the list', () => {
  it('finds, opens and renames conversations, and a reload keeps them', async () => {
    const page = await open()
    await talk(page, 'a lighthouse at dusk')
    await next(page, 'the harbour in winter')
    await expect.poll(() => rows(page).count()).toBe(2)
    await shoot(page, 'conversations')
    expect(await violations(page)).toEqual([])
    await list(page).getByLabel('Search').fill('dusk LIGHT')
    await expect.poll(() => rows(page).count()).toBe(1)
    await row(page, 'a lighthouse').getByRole('button').first().click()
    await page.locator('.from-user').getByText('a lighthouse at dusk').waitFor()
    await act(page, 'a lighthouse at dusk', 'Rename')
    await page.keyboard.type('<b>Best</b> & "lights"')
    await page.keyboard.press('Enter')
    await list(page).getByLabel('Search').fill('best')
    await row(page, '<b>Best</b> & "lights"').waitFor()
    expect(await list(page).locator('b').count()).toBe(0)
    await page.reload()
    await row(page, '<b>Best</b> & "lights"').waitFor()
    await expect.poll(() => rows(page).count()).toBe(2)
  })

  it('deletes with undo, also while the answer arrives', async () => {
    const page = await open()
    await say(page, 'a long answer')
    await page.locator('.markdown').getByText('word').first().waitFor()
    await act(page, 'a long answer', 'Rename')
    await page.keyboard.type('Novel')
    await page.keyboard.press('Enter')
    await row(page, 'Novel').waitFor()
    // Renaming does not end the answer, and the answer does not end the name.
    expect(await page.locator('[aria-busy="true"].from-model').count()).toBe(1)
    await act(page, 'Novel', 'Delete')
    await list(page).getByText('Deleted “Novel”.').waitFor()
    await expect.poll(() => pages.world.model?.requests.at(-1)?.left).toBe(true)
    await page.locator('.welcome').waitFor()
    expect(await rows(page).count()).toBe(0)
    expect(await list(page).locator(':focus').count()).toBe(1)
    expect(await violations(page)).toEqual([])
    await list(page).getByRole('button', { name: 'Undo' }).click()
    await page.locator('.from-user').getByText('a long answer').waitFor()
    await row(page, 'Novel').waitFor()
    await page.reload()
    await row(page, 'Novel').waitFor()
    await page.getByText('Stopped.').waitFor()
  })

  it('keeps a name that is given while the answer is stored', async () => {
    const page = await open()
    await say(page, 'a long answer')
    await row(page, 'a long answer').waitFor()
    await hold(page)
    // A save has begun, and waits for the database.
    await page.waitForTimeout(1_100)
    await act(page, 'a long answer', 'Rename')
    await page.keyboard.type('Novel')
    await page.keyboard.press('Enter')
    await release(page)
    await expect.poll(() => storedTexts(page)).toContain('"name":"Novel"')
    await expect.poll(() => row(page, 'Novel').count()).toBe(1)
    await page.locator('[aria-busy="true"].from-model').waitFor({ state: 'detached' })
    expect(await row(page, 'Novel').count()).toBe(1)
  })

  it('does not get back what is deleted while it is stored', async () => {
    const page = await open()
    await say(page, 'a long answer')
    await row(page, 'a long answer').waitFor()
    await hold(page)
    await page.waitForTimeout(1_100)
    await act(page, 'a long answer', 'Delete')
    await release(page)
    await list(page).getByText('Deleted “a long answer”.').waitFor()
    expect(await rows(page).count()).toBe(0)
    await page.reload()
    await page.locator('.welcome').waitFor()
    expect(await rows(page).count()).toBe(0)
  })

  it('exports Markdown and JSON, and imports the JSON again', async () => {
    const page = await open()
    await talk(page, 'hello *there* <script>')
    const save = async (action: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        act(page, 'hello *there*', action),
      ])
      return {
        name: download.suggestedFilename(),
        text: await readFile(await download.path(), 'utf8'),
      }
    }
    const markdown = await save('Export as Markdown')
    expect(markdown.name).toBe('hello there script.md')
    expect(markdown.text).toBe(
      '# hello \\*there\\* \\<script\\>\n\n## You\n\nhello \\*there\\* \\<script\\>\n\n## Answer\n\nGood day.\n',
    )
    const { text, name } = await save('Export as JSON')
    await act(page, 'hello *there*', 'Delete')
    await list(page).getByText('Deleted').waitFor()
    const take = (buffer: string) =>
      list(page)
        .getByLabel('Conversation to import')
        .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(buffer) })
    for (const broken of ['{', '[]', '{"format":"ftl-conversation","messages":[{"id":1}]}']) {
      await take(broken)
      await list(page).getByRole('alert').getByText(name).waitFor()
    }
    await take(text)
    await page.locator('.from-user').getByText('hello *there* <script>').waitFor()
    await expect.poll(() => rows(page).count()).toBe(1)
    await page.reload()
    await page.locator('.from-model').getByText('Good day.').waitFor()
  })

  it('has a thousand conversations, and finds one at once', async () => {
    const page = await open()
    await store(page, 1_000)
    await page.reload()
    await list(page).getByText('Show more (900)').waitFor()
    await shoot(page, 'conversations-1000')
    await list(page).getByLabel('Search').fill('number 777 ')
    await expect.poll(() => rows(page).count()).toBe(1)
    await row(page, 'number 777').getByRole('button').first().click()
    await page.locator('.from-user').getByText('number 777').waitFor()
  })

  it('folds away, and is a drawer on a phone', async () => {
    const page = await open()
    const toggle = page.locator('.view-head').getByRole('button', { name: 'Conversations' })
    await toggle.click()
    await expect.poll(() => list(page).count()).toBe(0)
    await page.reload()
    await page.locator('.welcome').waitFor()
    expect(await list(page).count()).toBe(0)
    await page.setViewportSize({ width: 375, height: 740 })
    await talk(page, 'from a phone')
    await toggle.click()
    const drawer = page.getByRole('dialog', { name: 'Conversations' })
    await row(page, 'from a phone').waitFor()
    expect(await violations(page)).toEqual([])
    await shoot(page, 'conversations-phone')
    await drawer.getByRole('button', { name: 'New conversation' }).click()
    await expect.poll(() => drawer.count()).toBe(0)
    await page.locator('.welcome').waitFor()
  })
})

describe('what is stored', () => {
  it('is taken over from localStorage, and broken entries do no harm', async () => {
    const page = await open()
    await page.evaluate(() => {
      const message = { id: 'a', role: 'user', content: 'from before', state: 'done' }
      const answer = { id: 'b', role: 'assistant', content: 'Yes.', state: 'done' }
      const lists = { artifacts: [], calls: [] }
      const messages = [{ ...message, ...lists }, { ...answer, ...lists }, null, 7, { id: 'c' }]
      localStorage.setItem('ftl.chat.old', JSON.stringify({ at: 5, messages }))
      localStorage.setItem('ftl.chat.broken', '{"messages":')
      localStorage.setItem('ftl.chat.shapeless', '{"at":"x","messages":{"length":3}}')
      const evil = '{"id":"x","role":"user","content":{"toString":1},"artifacts":3,"calls":"no"}'
      localStorage.setItem('ftl.chat.evil', `{"at":1,"messages":[${evil}]}`)
    })
    await page.reload()
    await row(page, 'from before').getByRole('button').first().click()
    await page.locator('.from-model').getByText('Yes.').waitFor()
    expect(await page.evaluate(() => localStorage.getItem('ftl.chat.old'))).toBeNull()
    await page.reload()
    await page.locator('.from-model').getByText('Yes.').waitFor()
    await talk(page, 'and it goes on')
  })

  it.each([
    ['a number', 7],
    ['a head without ids', { id: 'odd', title: 5, at: 'x', ids: { 0: 'a' } }],
    ['a head whose messages are gone', { id: 'odd', title: 'gone', at: 1, ids: ['a', 'b'] }],
  ])('a record of another shape does no harm: %s', async (_, record) => {
    const page = await open()
    await page.evaluate(putRecord, [[['head', 'odd'], record]] as const)
    await page.evaluate(putRecord, [[['message', 'odd', 'a'], { not: 'text' }]] as const)
    await page.reload()
    await page.getByLabel('Message').waitFor()
    await talk(page, 'still works')
    await expect.poll(() => row(page, 'still works').count()).toBe(1)
  })

  it('blocked storage: the page says so and works until the tab is closed', async () => {
    const page = await pages.open('/#/jobs')
    await page.addInitScript(() => {
      const blocked = () => {
        throw new DOMException('denied', 'SecurityError')
      }
      for (const name of ['indexedDB', 'localStorage', 'sessionStorage']) {
        Object.defineProperty(globalThis, name, { get: blocked })
      }
    })
    await page.goto(`${pages.world.url}/#/chat`)
    await page.reload()
    await page.getByText('does not let the page store anything').waitFor()
    await talk(page, 'in memory')
    await next(page, 'another')
    await row(page, 'in memory').getByRole('button').first().click()
    await page.locator('.from-user').getByText('in memory').waitFor()
    expect(await violations(page)).toEqual([])
    await shoot(page, 'conversations-blocked')
  })

  it('a full storage is reported, loses nothing, and is tried again', async () => {
    const page = await open()
    await page.evaluate(() => {
      const put = Reflect.get(IDBObjectStore.prototype, 'put') as (this: void) => IDBRequest
      Object.assign(globalThis, { isFull: true })
      IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...given) {
        const isFull = (globalThis as unknown as { isFull: boolean }).isFull
        const request = Reflect.apply(put, this, given) as IDBRequest<IDBValidKey>
        // What a browser does, too, when there is no room.
        if (isFull) this.transaction.abort()
        return request
      }
    })
    await talk(page, 'does not fit')
    await page.getByText('could not be stored').waitFor()
    await shoot(page, 'conversations-full')
    await page.evaluate(() => Object.assign(globalThis, { isFull: false }))
    await talk(page, 'fits again')
    await expect.poll(() => page.getByText('could not be stored').count()).toBe(0)
    await page.reload()
    await page.getByText('does not fit').first().waitFor()
    await page.locator('.from-user').getByText('fits again').waitFor()
  })
})

describe('two tabs', () => {
  it('agree about names and deletions, and do not open the same conversation', async () => {
    const page = await open()
    await talk(page, 'shared words')
    const other = await pages.tab(page)
    await row(other, 'shared words').getByRole('button').first().click()
    await list(other).getByRole('alert').getByText('open in another tab').waitFor()
    await act(other, 'shared words', 'Rename')
    await other.keyboard.type('Both see this')
    await other.keyboard.press('Enter')
    await row(page, 'Both see this').waitFor()
    // The next save of the first tab keeps the name.
    await talk(page, 'more')
    await page.reload()
    await row(page, 'Both see this').waitFor()
    await act(other, 'Both see this', 'Delete')
    await list(other).getByRole('alert').getByText('Close it there').waitFor()
    expect(await rows(page).count()).toBe(1)
  })

  it('without locks, the later one goes on in a copy', async () => {
    const page = await pages.open('/#/jobs')
    const hide = () => {
      delete (Navigator.prototype as unknown as Record<string, unknown>)['locks']
    }
    await page.context().addInitScript(hide)
    await page.goto(`${pages.world.url}/#/chat`)
    await page.reload()
    await talk(page, 'one story')
    await row(page, 'one story').waitFor()
    const other = await pages.tab(page)
    await row(other, 'one story').getByRole('button').first().click()
    await other.locator('.from-user').getByText('one story').waitFor()
    await talk(page, 'first ending')
    await expect.poll(() => storedTexts(page)).toContain('first ending')
    await talk(other, 'second ending')
    await other.getByText('goes on in a copy').waitFor()
    await expect.poll(() => storedTexts(page)).toContain('second ending')
    expect(await storedTexts(page)).toContain('first ending')
    await expect.poll(() => rows(page).count()).toBe(2)
  })
})

async function putRecord(records: readonly (readonly [unknown, unknown])[]): Promise<void> {
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('ftl-conversations')
    request.onsuccess = () => resolve(request.result)
  })
  const transaction = database.transaction('records', 'readwrite')
  for (const [key, value] of records) {
    transaction.objectStore('records').put(value, key as IDBValidKey)
  }
  await new Promise((resolve) => (transaction.oncomplete = resolve))
  database.close()
}

/** Keeps the database busy: whatever the page writes has to wait. */
async function hold(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('ftl-conversations')
      request.onsuccess = () => resolve(request.result)
    })
    const records = database.transaction('records', 'readwrite').objectStore('records')
    const held = { isHeld: true }
    Object.assign(globalThis, { held })
    await new Promise<void>((resolve) => {
      const again = () => {
        resolve()
        if (held.isHeld) records.get('none').onsuccess = again
        else database.close()
      }
      records.get('none').onsuccess = again
    })
  })
}

async function release(page: Page): Promise<void> {
  await page.evaluate(() => {
    ;(globalThis as unknown as { held: { isHeld: boolean } }).held.isHeld = false
  })
}

async function storedTexts(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('ftl-conversations')
      request.onsuccess = () => resolve(request.result)
    })
    const all = await new Promise<unknown[]>((resolve) => {
      const request = database.transaction('records').objectStore('records').getAll()
      request.onsuccess = () => resolve(request.result)
    })
    database.close()
    return JSON.stringify(all)
  })
}

async function store(page: Page, count: number): Promise<void> {
  const records = Array.from({ length: count }, (_, place) => {
    const id = `c${place}`
    const title = `number ${place} of many`
    const json = JSON.stringify({ id: 'm', role: 'user', content: title, artifacts: [], calls: [] })
    const head = {
      id,
      title,
      at: 1_700_000_000_000 + place,
      words: title,
      ids: ['m'],
      revision: 'r',
    }
    return [[['head', id], head] as const, [['message', id, 'm'], json] as const]
  })
  await page.evaluate(putRecord, records.flat())
}
