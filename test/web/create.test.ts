// Create: drawing with and without the model, with what is chosen, and going on from a picture.
import { encode } from 'fast-png'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { shoot } from './browser.ts'
import { say, usePage } from './use-page.ts'

const pages = usePage({
  renderSeconds: 0.3,
  wordDelayMs: 5,
  script: [
    {
      when: 'lighthouse',
      turns: [
        {
          calls: [
            { name: 'generate_image', arguments: { prompt: 'a lighthouse', aspect_ratio: '1:1' } },
            { name: 'calculator', arguments: { expression: '6*7' } },
          ],
        },
        { content: 'Here it is.' },
      ],
    },
    { when: 'Continue', turns: [{ content: 'and the rest.' }] },
    { when: 'cut', turns: [{ content: 'The beginning', finish: 'length' }] },
    { turns: [{ content: 'Good day.' }] },
  ],
})

const PICTURE = Buffer.from(
  encode({ width: 64, height: 64, data: new Uint8Array(64 * 64 * 3).fill(99), channels: 3 }),
)

const chips = (page: Page) => page.getByRole('group', { name: 'Settings for pictures' })
const chip = (page: Page, name: string | RegExp) => chips(page).getByRole('button', { name })
const pictures = (page: Page) => page.getByRole('region', { name: 'Pictures' })
const bodies = () => pages.world.model?.requests.map(({ body }) => JSON.stringify(body)) ?? []

async function open(options: Parameters<typeof pages.open>[1] = {}): Promise<Page> {
  const page = await pages.open('/', options)
  await page.getByText('You are talking to demo').waitFor()
  await chip(page, 'Draw at once').waitFor()
  return page
}

/** Without the model. */
async function drawn(page: Page, words: string, count = 1): Promise<void> {
  if ((await chip(page, 'Draw at once').getAttribute('aria-pressed')) === 'false') {
    await chip(page, 'Draw at once').click()
  }
  await say(page, words)
  const drawings = page.locator('.card[data-state="completed"] img')
  // A picture with a mask takes more than ten seconds on a busy machine.
  await expect.poll(() => drawings.count(), { timeout: 60_000 }).toBe(count)
}

describe('an answer', () => {
  it('keeps one line that opens to its steps, with arguments and results', async () => {
    const page = await open()
    await say(page, 'a lighthouse, please')
    await page.getByText('Here it is.').waitFor()
    const summary = page.locator('.steps summary')
    await expect.poll(() => summary.textContent()).toMatch(/^2 tools · \d+(\.\d)? m?s$/)
    expect(await page.locator('[data-part="status"]').count()).toBe(0)
    await summary.click()
    const result = page.getByLabel('Result of calculator')
    expect(await result.textContent()).toContain('42')
    expect(await page.getByLabel('Arguments of calculator').textContent()).toContain('6*7')
    expect(await violations(page)).toEqual([])
    await shoot(page, 'create-steps')
    await page.reload()
    await expect.poll(() => summary.textContent()).toMatch(/^2 tools · /)
  })

  it('is made again, and what it replaced can be taken back', async () => {
    const page = await open()
    await say(page, 'first words')
    await page.getByText('Good day.').waitFor()
    const before = bodies().length
    await page.getByRole('button', { name: 'Regenerate' }).click()
    await expect.poll(() => bodies().length).toBe(before + 1)
    await page.getByText('2 messages were replaced.').waitFor()
    expect(await page.locator('.from-user').count()).toBe(1)
    await page.getByRole('button', { name: 'Edit' }).click()
    const editor = page.getByRole('form', { name: 'Edit' })
    expect(await editor.getByLabel('New words').inputValue()).toBe('first words')
    await shoot(page, 'create-edit')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit' }).press('Enter')
    await editor.getByLabel('New words').fill('better words')
    await page.keyboard.press('Enter')
    await page.locator('.from-user').getByText('better words').waitFor()
    await page.getByText('Good day.').waitFor()
    expect(bodies().at(-1)).not.toContain('first words')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('.from-user').getByText('first words').waitFor()
    expect(await page.locator('.message').count()).toBe(2)
  })

  it('that was cut off goes on', async () => {
    const page = await open()
    await say(page, 'cut this')
    await page.getByText('The answer is cut off here').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('and the rest.').waitFor()
    expect(bodies().at(-1)).toContain('The beginning')
  })
})

describe('the chips', () => {
  it('set arguments of the model’s call, whatever the model says', async () => {
    const page = await open()
    await chip(page, 'Style').click()
    await chips(page).getByLabel('Watercolor').check()
    await chip(page, 'Aspect ratio').click()
    await chips(page).getByLabel('16:9').check()
    await chip(page, 'Seed').click()
    await chips(page).getByRole('spinbutton', { name: 'Seed' }).fill('42')
    await shoot(page, 'create-chips')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Seed42')
    await say(page, 'a lighthouse, please')
    await page.locator('.card[data-state="completed"]').getByText('with seed 42').waitFor()
    await page.getByText('1344 x 768').first().waitFor()
    expect(bodies().find((body) => body.includes('The user has chosen'))).toContain('Watercolor')
    await chip(page, 'Reset').click()
    await expect.poll(() => chip(page, 'Seed').textContent()).toBe('Seedrandom')
  })

  it('draw at once, without the model, from a picture with a mask', async () => {
    const page = await open()
    const asked = bodies().length
    await drawn(page, 'a pond')
    await page.locator('.picture-grid .thumbnail').click()
    const viewer = page.getByRole('dialog', { name: 'a pond' })
    await viewer.getByRole('button', { name: 'Use as input' }).click()
    await chip(page, /^Image/).click()
    await chips(page).getByRole('img', { name: 'The picture to start from' }).waitFor()
    await chips(page).getByRole('button', { name: 'Paint a mask' }).click()
    const canvas = page.getByRole('application')
    await expect.poll(() => canvas.evaluate((one) => (one as HTMLCanvasElement).width)).toBe(1024)
    const box = await canvas.boundingBox()
    const { x = 0, y = 0, width = 0 } = box ?? {}
    await page.mouse.move(x + width / 3, y + width / 3)
    await page.mouse.down()
    await page.mouse.move(x + width / 2, y + width / 2, { steps: 5 })
    await page.mouse.up()
    // The same with keys alone.
    await canvas.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    await shoot(page, 'create-mask')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('z')
    await page.getByRole('button', { name: 'Use this mask' }).click()
    await chips(page).getByText('Only what you have painted changes.').waitFor()
    await expect.poll(() => chip(page, 'Render type').textContent()).toContain('Repaint')
    const sent = page.waitForRequest((request) => request.url().endsWith('/invoke'))
    await drawn(page, 'a frog', 2)
    const { params } = (await sent).postDataJSON() as { params: Record<string, string> }
    expect(params).toMatchObject({ prompt: 'a frog', render_type: 'Repaint' })
    expect(params['mask']).toMatch(/^data:image\/png;base64,/)
    expect(await alphas(page, params['mask'] ?? '')).toEqual({ painted: 0, rest: 255 })
    expect(bodies().length).toBe(asked)
  }, 120_000)

  it('start from a file of the user, until it is removed', async () => {
    const page = await open()
    await chip(page, 'More').click()
    await chip(page, /^Image/).click()
    const picker = chips(page).locator('input[type="file"]')
    const start = chips(page).getByRole('img', { name: 'The picture to start from' })
    const refused = [
      [{ name: 'notes.txt', mimeType: 'text/plain' }, /notes\.txt is not a PNG/, 'words'],
      [{ name: 'none.png', mimeType: 'image/png' }, /none\.png is empty/, ''],
    ] as const
    for (const [file, said, text] of refused) {
      await picker.setInputFiles({ ...file, buffer: Buffer.from(text) })
      await chips(page).getByRole('alert').getByText(said).waitFor()
      expect(await start.count()).toBe(0)
    }
    const file = { name: 'dot.png', mimeType: 'image/png', buffer: PICTURE }
    await picker.setInputFiles(file)
    await start.waitFor()
    expect(await chips(page).getByRole('alert').count()).toBe(0)
    expect(await violations(page)).toEqual([])
    const sent = () =>
      page
        .waitForRequest((request) => request.url().endsWith('/invoke'))
        .then((request) => (request.postDataJSON() as { params: object }).params)
    const first = sent()
    await drawn(page, 'a frog')
    expect(await first).toMatchObject({
      image: `data:image/png;base64,${PICTURE.toString('base64')}`,
    })
    await chips(page).getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => start.count()).toBe(0)
    const second = sent()
    await drawn(page, 'a toad', 2)
    expect(await second).not.toHaveProperty('image')
  }, 120_000)
})

describe('a picture', () => {
  it('is varied, enlarged, compared and shown over the whole screen', async () => {
    const page = await open()
    await drawn(page, 'a windmill')
    await pictures(page).getByRole('button', { name: 'a windmill' }).click()
    const viewer = page.getByRole('dialog')
    await viewer.getByText(/Seed \d+/).waitFor()
    await viewer.getByRole('button', { name: 'Vary' }).click()
    await expect.poll(() => pictures(page).getByRole('listitem').count()).toBe(2)
    await shoot(page, 'create-pictures')
    await pictures(page).getByRole('button').first().click()
    await viewer.getByLabel('Compare with').selectOption({ index: 1 })
    await viewer.getByLabel('How much of the first').fill('30')
    const share = () =>
      viewer.locator('.compare').evaluate((one) => one.style.getPropertyValue('--share'))
    expect(await share()).toBe('30%')
    expect(await violations(page)).toEqual([])
    await shoot(page, 'create-compare')
    await viewer.getByRole('button', { name: 'Full screen' }).click()
    await expect
      .poll(() => page.evaluate(() => document.fullscreenElement?.className))
      .toBe('viewer-picture')
    await page.evaluate(() => document.exitFullscreen())
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      viewer.getByRole('link', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.png$/)
    await viewer.getByRole('button', { name: 'Upscale' }).click()
    await page.locator('.card').getByText('2048 x 2048').waitFor()
    await expect.poll(() => pictures(page).getByRole('listitem').count()).toBe(3)
  })
})

describe('before the list of tools has arrived', () => {
  /** A page with one picture, which is loaded again without the list. */
  async function held(): Promise<{ page: Page; drawings: Locator; release: () => void }> {
    const page = await open()
    await drawn(page, 'a boat')
    let release = () => {}
    const listed = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/tools', async (route) => {
      await listed
      await route.continue()
    })
    await page.reload()
    const drawings = page.locator('.card[data-state="completed"]')
    await drawings.waitFor()
    return { page, drawings, release }
  }

  it('a message to draw at once waits for it, and goes to no model', async () => {
    const { page, drawings, release } = await held()
    const asked = bodies().length
    await say(page, 'a second boat')
    release()
    await expect.poll(() => drawings.count(), { timeout: 60_000 }).toBe(2)
    expect(bodies().length).toBe(asked)
  })

  it('and whether there is a model, a message waits for both', async () => {
    const page = await open()
    let tell = () => {}
    const known = new Promise<void>((resolve) => (tell = resolve))
    await page.route('**/api/chat', async (route) => {
      if (route.request().method() !== 'GET') return route.continue()
      await known
      return route.fulfill({ json: { configured: false } })
    })
    await page.reload()
    const asked = bodies().length
    await say(page, 'a boat')
    tell()
    await page.locator('.card[data-state="completed"]').waitFor()
    expect(bodies().length).toBe(asked)
  })

  it('of two messages that wait, one is answered, and the other is given back', async () => {
    const page = await open()
    let tell = () => {}
    const known = new Promise<void>((resolve) => (tell = resolve))
    await page.route('**/api/chat', async (route) => {
      if (route.request().method() === 'GET') await known
      return route.continue()
    })
    await page.reload()
    await say(page, 'first words')
    await say(page, 'second words')
    tell()
    await page.getByText('Good day.').waitFor()
    const [sent] = await page.locator('.from-user').allTextContents()
    const kept = await page.getByLabel('Message').inputValue()
    expect([sent, kept].toSorted()).toEqual(['first words', 'second words'])
    expect(await page.getByText('Stopped.').count()).toBe(0)
  })

  it('a picture is shown, and can be varied once the list is there', async () => {
    const { drawings, release } = await held()
    const vary = drawings.getByRole('button', { name: 'Vary' })
    expect(await vary.count()).toBe(0)
    release()
    await vary.waitFor()
  })
})

describe('looks', () => {
  it.each([
    [375, 'light'],
    [768, 'dark'],
    [1440, 'dark'],
  ] as const)('right at %s pixels, %s', async (width, colorScheme) => {
    const page = await open({
      viewport: { width, height: width === 375 ? 740 : 900 },
      colorScheme,
      reducedMotion: 'reduce',
    })
    await shoot(page, `create-welcome-${width}`)
    expect(await page.getByRole('button', { name: 'Echo' }).count()).toBe(0)
    expect(await violations(page)).toEqual([])
    await chip(page, 'Draw at once').click()
    await page.getByRole('button', { name: 'A lighthouse at dusk' }).click()
    await page.locator('.card[data-state="completed"] img').waitFor()
    const toggle = page.getByRole('button', { name: 'Pictures' })
    if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click()
    await pictures(page).getByRole('button').first().waitFor()
    expect(await violations(page)).toEqual([])
    await shoot(page, `create-${width}`)
    await pictures(page).getByRole('button').first().click()
    await page.getByRole('button', { name: 'Close the picture' }).waitFor()
    expect(await violations(page)).toEqual([])
    await shoot(page, `create-viewer-${width}`)
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
    expect(scrollWidth).toBe(clientWidth)
  })
})

/** The transparency of the mask where it was painted, and in a corner. */
async function alphas(page: Page, mask: string) {
  return page.evaluate(async (url) => {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight })
    const context = canvas.getContext('2d')
    context?.drawImage(image, 0, 0)
    const alpha = (x: number, y: number) => context?.getImageData(x, y, 1, 1).data[3]
    return { painted: alpha(430, 430), rest: alpha(5, 5) }
  }, mask)
}
