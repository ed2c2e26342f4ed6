// A conversation with a model that plays a script, as a person sees it.
import { expect, it } from 'vitest'
import { shoot } from './browser.ts'
import { note, noted, pixels, say, usePage } from './use-page.ts'

const RUN = "document.documentElement.dataset.owned='yes'"
const pages = usePage({
  renderSeconds: 2,
  script: [
    {
      when: 'lighthouse',
      turns: [
        { calls: [{ name: 'generate_image', arguments: { prompt: 'a lighthouse in a storm' } }] },
        { content: 'Here is your **lighthouse**, with waves.' },
      ],
    },
    {
      when: 'write',
      turns: [
        {
          content: [
            'Use `fetch` like **this**:',
            '```js\nawait fetch("/tools")\n```',
            '- one\n- two',
            `See [the docs](https://docs.example/a) but not [this](javascript:${RUN}).`,
            `<img src=x onerror="${RUN}"><script>${RUN}</script>`,
          ].join('\n\n'),
        },
      ],
    },
    { when: 'long', turns: [{ content: 'word '.repeat(400) }] },
    { when: 'break', turns: [{ content: 'It begins and then', fail: { dropAfter: 3 } }] },
    { turns: [{ content: 'Good day.' }] },
  ],
})

async function open() {
  const page = await pages.open()
  await page.getByText('You are talking to demo').waitFor()
  return page
}

it('says what it does, draws, and answers around the picture', async () => {
  const page = await open()
  await shoot(page, 'chat-welcome')
  await note(page, '[data-part="status"]')
  await say(page, 'Please show me a lighthouse')
  await page.locator('.card.running').waitFor()
  await shoot(page, 'chat-model-running')
  const { width, colours } = await pixels(page)
  expect(width).toBe(1024)
  expect(colours).toBeGreaterThan(50)
  await page.getByText('Here is your lighthouse, with waves.').waitFor()
  expect(await page.locator('.markdown strong').textContent()).toBe('lighthouse')
  await expect.poll(() => page.locator('[data-part="status"]').count()).toBe(0)
  // One line at a time, each in the place of the one before.
  expect(new Set(await noted(page)).size).toBeGreaterThan(3)
  // The picture can be varied: the answer has told what it was made of.
  await page.getByRole('button', { name: 'Vary' }).click()
  await page.locator('.card[data-state="completed"]').nth(1).waitFor()
  await shoot(page, 'chat-model-picture')
})

it('answers in the little Markdown there is, and in no HTML', async () => {
  const page = await open()
  await say(page, 'write something')
  await page.getByText('and then').or(page.getByText('<script>')).waitFor()
  await expect
    .poll(() => page.locator('.markdown pre code').textContent())
    .toBe('await fetch("/tools")')
  expect(await page.locator('.markdown li').allTextContents()).toEqual(['one', 'two'])
  const links = await page
    .locator('.markdown a')
    .evaluateAll((all) => all.map((link) => [link.textContent, (link as HTMLAnchorElement).href]))
  expect(links).toEqual([['the docs', 'https://docs.example/a']])
  expect(await page.locator('.markdown :is(img, script)').count()).toBe(0)
  expect(await page.evaluate(() => document.documentElement.dataset['owned'])).toBeUndefined()
  await shoot(page, 'chat-markdown')
})

it('streams: words are there long before the last, and Stop ends it', async () => {
  const page = await open()
  await say(page, 'a long answer')
  await expect
    .poll(async () => (await page.locator('.markdown').textContent())?.length ?? 0)
    .toBeGreaterThan(20)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Stopped.').waitFor()
  const length = (await page.locator('.markdown').textContent())?.length ?? 0
  expect(length).toBeLessThan(1_900)
  await expect.poll(() => pages.world.model?.requests.at(-1)?.left).toBe(true)
  // And it goes on with the next.
  await say(page, 'hello')
  await page.getByText('Good day.').waitFor()
})

it('says so when the model breaks off, and keeps what it has received', async () => {
  const page = await open()
  await say(page, 'break please')
  await page.getByRole('alert').waitFor()
  await page.getByText('It begins and').waitFor()
  await shoot(page, 'chat-broken')
})

it('a reload in the middle of an answer keeps the conversation and follows the picture', async () => {
  const page = await open()
  await say(page, 'the lighthouse again')
  await page.locator('.card.running').waitFor()
  await page.reload()
  await page.locator('.from-user').getByText('the lighthouse again').waitFor()
  expect(await pixels(page)).toMatchObject({ width: 1024 })
})

it('tells the model what was said before, and what it may not use', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('calculator').uncheck()
  await shoot(page, 'settings-blocked')
  await page.keyboard.press('Escape')
  await say(page, 'my name is Ada')
  await page.getByText('Good day.').waitFor()
  await say(page, 'hello again')
  await page.getByText('Good day.').nth(1).waitFor()
  const { messages, tools = [] } = pages.world.model?.requests.at(-1)?.body ?? { messages: [] }
  const said = messages.map(({ content }) => content)
  expect(said).toEqual(expect.arrayContaining(['my name is Ada', 'Good day.', 'hello again']))
  const names = tools.map((tool) => tool.function.name)
  expect(names).toContain('generate_image')
  expect(names).not.toContain('calculator')
})

it('takes a text file and a picture along', async () => {
  const page = await open()
  await page.getByLabel('Files to attach').setInputFiles([
    { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('the secret word is plum') },
    { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') },
  ])
  await page.getByText('dot.png').waitFor()
  await shoot(page, 'chat-attached')
  await say(page, 'look at these')
  await page.getByText('Good day.').waitFor()
  const sent = JSON.stringify(pages.world.model?.requests.at(-1)?.body)
  expect(sent).toContain('the secret word is plum')
  expect(sent).toContain(DOT)
})

it.each(['paste', 'drop'])(
  'a picture comes with a %s, and what is neither picture nor text does not',
  async (way) => {
    const page = await open()
    await page.getByLabel('Message').evaluate(
      (field, { type, base64 }) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
        const data = new DataTransfer()
        data.items.add(new File([bytes], 'seen.png', { type: 'image/png' }))
        data.items.add(new File(['PK'], 'things.zip', { type: 'application/zip' }))
        const settings = { bubbles: true, cancelable: true }
        field.dispatchEvent(
          type === 'paste'
            ? new ClipboardEvent('paste', { ...settings, clipboardData: data })
            : new DragEvent('drop', { ...settings, dataTransfer: data }),
        )
      },
      { type: way, base64: DOT },
    )
    await page.getByRole('button', { name: 'Remove seen.png' }).waitFor()
    await page.getByText('things.zip is not a picture, video, sound, 3D model or text').waitFor()
    await page.getByRole('button', { name: 'Remove seen.png' }).click()
    await expect.poll(() => page.getByText('seen.png').count()).toBe(0)
  },
)

/** One pixel. */
const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+M8AAAMBAQDJ/pLvAAAAAElFTkSuQmCC'
