/** A conversation that has gone on for long. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Pages } from './use-page.ts'

const PARAGRAPH =
  'A **gateway** of `WebAssembly` components answers, as [its guide](https://guide.example/a) says: *first* it reads.\n\n' +
  '- one thing\n- another thing\n  - and a detail\n\n'
/** An answer of some pages. */
export const LONG = PARAGRAPH.repeat(24)
const MESSAGE =
  `${PARAGRAPH.repeat(18)}\n\n\`\`\`js\nconst answer = await fetch("/tools")\n\`\`\`\n`.slice(
    0,
    4_096,
  )

/** @param count of messages of 4 KB */
export async function openAfter(pages: Pages, count: number): Promise<Page> {
  const page = await pages.open('/#/jobs')
  await page.evaluate(
    ([number, text]) => {
      const messages = Array.from({ length: number }, (_, place) => ({
        id: `m${place}`,
        role: place % 2 === 0 ? 'user' : 'assistant',
        content: text,
        state: 'done',
        artifacts: [],
        calls: [],
      }))
      localStorage.setItem('ftl.chat.long', JSON.stringify({ at: Date.now(), messages }))
      sessionStorage.setItem('ftl.chat', 'long')
    },
    [count, MESSAGE] as const,
  )
  await page.goto(`${pages.world.url}/#/chat`)
  await page.reload()
  await page.getByText('New', { exact: true }).waitFor()
  await expect.poll(() => page.locator('.message').count()).toBe(count)
  return page
}
