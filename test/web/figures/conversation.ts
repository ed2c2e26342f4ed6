/** A conversation of many messages, whose model answers with a long text. */
import type { Page } from 'playwright-core'
import type { Script } from '../../../cli/src/demo-model/script.ts'

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

/** The model answers at length to a message with the word "long", and ten times as long to one with "endless". */
export const TALKATIVE = {
  wordDelayMs: 5,
  script: [
    { when: 'endless', turns: [{ content: LONG.repeat(10) }] },
    { when: 'long', turns: [{ content: LONG }] },
    { turns: [{ content: 'Good day.' }] },
  ] satisfies Script,
}

/**
 * Shows a conversation of so many messages of 4 KB.
 *
 * @param page is open at the page, with nothing stored.
 */
export async function fillConversation(page: Page, url: string, count: number): Promise<void> {
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
  await page.goto(`${url}/#/chat`)
  await page.reload()
  await page.getByText('New', { exact: true }).waitFor()
  await page.waitForFunction(
    (wanted) => document.querySelectorAll('.message').length === wanted,
    count,
  )
}
