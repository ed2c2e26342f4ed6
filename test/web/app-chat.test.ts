// MCP Apps in the chat: of a call that the person made, and of one that a model made.
import { expect, it } from 'vitest'
import { violations } from './axe.ts'
import { shoot } from './browser.ts'
import { hostedIn, printed } from './hosted-apps.ts'
import { say, usePage } from './use-page.ts'

const CODE = "print('tool ' + hello.hostContext.toolInfo.tool.name)"
const pages = usePage({
  wordDelayMs: 1,
  script: [
    {
      when: 'show',
      turns: [
        { calls: [{ name: 'puppet', arguments: { code: CODE } }] },
        { content: 'The app is above.' },
      ],
    },
    { turns: [{ content: 'Good day.' }] },
  ],
})

async function open() {
  const page = await pages.open()
  await page.getByText('You are talking to demo').waitFor()
  return page
}

it('a call that the person made is shown as its app, and as text on request', async () => {
  const page = await open()
  await say(page, `/puppet ${CODE}`)
  const hosted = hostedIn(page, 'App puppet')
  await hosted.view.getByText('result answer of puppet').waitFor()
  expect(await printed(hosted)).toContain('tool puppet')
  expect(await violations(page)).toEqual([])
  await shoot(page, 'app-in-chat')
  await hosted.app.getByRole('button', { name: 'Show as text' }).click()
  await page.locator('.message').getByText('answer of puppet').last().waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  await page.getByRole('button', { name: 'Show as app' }).click()
  await hosted.view.getByText('result answer of puppet').waitFor()
})

it('a call that a model made is shown as its app, which gets the text that the model got', async () => {
  const page = await open()
  await say(page, 'show it to me')
  const hosted = hostedIn(page, 'App puppet')
  await hosted.view.getByText('result answer of puppet').waitFor()
  expect(await printed(hosted)).toContain('tool puppet')
  await page.getByText('The app is above.').waitFor()
  // It is of this answer: the next one has none.
  await say(page, 'thank you')
  await page.getByText('Good day.').waitFor()
  expect(await page.getByRole('region', { name: 'App of App puppet' }).count()).toBe(1)
})
