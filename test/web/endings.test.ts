// Answers that are not complete, jobs that make no pictures, jobs that are over, and files that are dropped anywhere.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { shoot } from './browser.ts'
import { say, usePage } from './use-page.ts'

const MARKDOWN = `# A report

Some *emphasis*, **strength**, ~~regret~~ and \`code\`; see [the guide](https://guide.example/a "Guide").

> A quote
> of two lines

1. first
   - nested
     - deeper
2. second

- [x] done
- [ ] to do

| tool | calls | p50 |
|:-----|------:|:---:|
| echo | 12 | 4 ms |
| draw | 3 | \`9 s\` |

---

\`\`\`ts
// Adds two numbers.
export function add(a: number, b: number): string {
  return \`\${a + b}\`
}
\`\`\`
`
const pages = usePage({
  wordDelayMs: 1,
  script: [
    { when: 'refuse', turns: [{ refusal: 'I cannot help with that.' }] },
    { when: 'cut', turns: [{ content: 'It begins and then', finish: 'length' }] },
    { when: 'empty', turns: [{ finish: 'length' }] },
    { when: 'filter', turns: [{ content: 'Half of', finish: 'content_filter' }] },
    {
      when: 'think',
      turns: [{ content: '<think>\nThey want **six** times seven.\n</think>\n\nIt is 42.' }],
    },
    { when: 'report', turns: [{ content: MARKDOWN }] },
    { turns: [{ content: 'Good day.' }] },
  ],
})

async function open() {
  const page = await pages.open()
  await page.getByText('You are talking to demo').waitFor()
  return page
}

describe('an answer', () => {
  it('that is a refusal, cut off or withheld says so', async () => {
    const page = await open()
    await say(page, 'refuse')
    await page.getByText('I cannot help with that.').waitFor()
    await page.getByText('The model refused to do this.').waitFor()
    await say(page, 'cut')
    await page.getByText('The answer is cut off here').waitFor()
    await say(page, 'filter')
    await page.getByText('withheld the rest of the answer').waitFor()
    await say(page, 'empty')
    await page.getByText('The model reached its limit of length before it said anything.').waitFor()
    expect(await violations(page)).toEqual([])
    await shoot(page, 'endings')
    await page.reload()
    await page.getByText('The model refused to do this.').waitFor()
  })

  it('has thoughts that are folded, and not sent to the model again', async () => {
    const page = await open()
    await say(page, 'think')
    await page.getByText('It is 42.').waitFor()
    const thoughts = page.locator('details.thought')
    expect(await page.getByText('<think>').count()).toBe(0)
    expect(await thoughts.getByText('They want').isVisible()).toBe(false)
    await thoughts.getByText('Thoughts of the model').click()
    expect(await thoughts.locator('strong').textContent()).toBe('six')
    await say(page, 'hello')
    await page.getByText('Good day.').waitFor()
    const sent = JSON.stringify(pages.world.model?.requests.at(-1)?.body.messages)
    expect(sent).toContain('It is 42.')
    expect(sent).not.toContain('They want')
  })

  it.each(['light', 'dark'] as const)(
    'is Markdown with tables, lists and code, %s',
    async (colorScheme) => {
      const page = await pages.open('/', {
        colorScheme,
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      await page.getByText('You are talking to demo').waitFor()
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await say(page, 'hello')
      await page.getByText('Good day.').waitFor()
      expect(asked.filter((url) => url.includes('paint'))).toEqual([])
      await say(page, 'report')
      const answer = page.locator('.markdown').last()
      await answer.locator('.t-keyword').first().waitFor()
      const texts = (selector: string) => answer.locator(selector).allTextContents()
      expect(await texts('em, del')).toEqual(['emphasis', 'regret'])
      expect(await texts('ol > li > ul > li > ul > li')).toEqual(['deeper'])
      expect(await texts('blockquote')).toEqual(['A quote\nof two lines'])
      expect(await texts('thead th')).toEqual(['tool', 'calls', 'p50'])
      expect(await texts('tbody td')).toEqual(['echo', '12', '4 ms', 'draw', '3', '9 s'])
      const boxes = await answer
        .getByRole('checkbox')
        .evaluateAll((all) => all.map((box) => (box as HTMLInputElement).checked))
      expect(boxes).toEqual([true, false])
      expect(await answer.locator('.code-head').innerText()).toContain('ts')
      await answer.getByRole('button', { name: 'Copy' }).click()
      await answer.getByText('Copied').waitFor()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
        /^\/\/ Adds[^]*\n}$/,
      )
      expect(await violations(page)).toEqual([])
      await shoot(page, `endings-markdown-${colorScheme}`)
      await page.setViewportSize({ width: 375, height: 740 })
      await shoot(page, `endings-markdown-${colorScheme}-phone`)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        375,
      )
    },
  )
})

/** Jobs as an earlier visit left them. */
async function openWithJobs(view: string, jobs: { id: string; state: string; ago?: number }[]) {
  const page = await pages.open('/#/chat')
  await page.evaluate((all) => {
    for (const { id, state, ago = 0 } of all) {
      const startedAt = Date.now() - ago
      const job = { id, tool: 'report', state, startedAt, arguments: { topic: id } }
      localStorage.setItem(`ftl.job.${id}`, JSON.stringify(job))
    }
  }, jobs)
  await page.goto(`${pages.world.url}/#/${view}`)
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}
const rows = (page: Page) => page.locator('.rows > li')
const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.closest('li')?.textContent ?? document.activeElement?.tagName,
  )

describe('jobs', () => {
  it('that are over are removed one by one or all together, undone, and the focus stays', async () => {
    const page = await openWithJobs('jobs', [
      { id: 'one', state: 'expired', ago: 1_000 },
      { id: 'two', state: 'completed', ago: 2_000 },
      { id: 'three', state: 'expired', ago: 3_000 },
      { id: 'old', state: 'expired', ago: 2 * 86_400_000 },
    ])
    // The oldest has gone by itself.
    await expect.poll(() => rows(page).count()).toBe(3)
    await rows(page).nth(1).getByRole('button', { name: 'Remove' }).press('Enter')
    await expect.poll(() => rows(page).count()).toBe(2)
    expect(await focused(page)).toContain('three')
    await page.getByText('1 job removed.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect.poll(() => rows(page).count()).toBe(3)
    expect(await focused(page)).toBe('H1')
    await page.getByRole('button', { name: 'Remove expired (2)' }).click()
    await page.getByText('2 jobs removed.').waitFor()
    expect(await rows(page).count()).toBe(1)
    expect(await focused(page)).toBe('H1')
    expect(await violations(page)).toEqual([])
    await shoot(page, 'endings-jobs')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.reload()
    await expect.poll(() => rows(page).count()).toBe(3)
  })

  it('that make text are no picture while they run', async () => {
    const page = await open()
    await page.evaluate(() => {
      const job = { id: 'slow', tool: 'report', state: 'working', startedAt: Date.now() }
      localStorage.setItem('ftl.job.slow', JSON.stringify(job))
      const call = {
        callId: '1',
        tool: 'report',
        jobId: 'slow',
        message: '',
        step: 'tool',
        done: false,
      }
      const answer = {
        id: 'a',
        role: 'assistant',
        content: '',
        state: 'done',
        artifacts: [],
        calls: [call],
      }
      localStorage.setItem('ftl.chat.c', JSON.stringify({ at: 1, messages: [answer] }))
      sessionStorage.setItem('ftl.chat', 'c')
    })
    // The gateway does not know this job: without an answer it goes on.
    await page.route('**/jobs/slow*', () => undefined)
    await page.route('**/jobs/slow/**', () => undefined)
    await page.reload()
    const card = page.locator('.card.running')
    await card.waitFor()
    expect(await card.locator('.frame, .shimmer').count()).toBe(0)
    expect(await card.innerText()).toContain('report')
    expect((await card.boundingBox())?.height).toBeLessThan(160)
    await shoot(page, 'endings-text-job')
  })
})

it('files that are dropped anywhere on the page are attached to the message', async () => {
  const page = await pages.open('/#/jobs')
  const drag = (type: string) =>
    page.evaluate((name) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['words'], 'notes.txt', { type: 'text/plain' }))
      const settings = { bubbles: true, cancelable: true, dataTransfer }
      document.querySelector('main')?.dispatchEvent(new DragEvent(name, settings))
    }, type)
  // A browser repeats the event while a file is held over the page; the first may come before the page listens.
  await expect
    .poll(async () => {
      await drag('dragover')
      return page.getByText('Drop files to attach them').isVisible()
    })
    .toBe(true)
  await drag('drop')
  await page.getByRole('list', { name: 'Attached files' }).getByText('notes.txt').waitFor()
  await page.getByLabel('Message').waitFor()
  expect(await page.getByText('Drop files to attach them').count()).toBe(0)
})
