// The picture viewer without a bridge: it asks for the job until it has ended.
import { expect, it } from 'vitest'
import { pixelsIn, useAppHost } from './app-host.ts'

const host = useAppHost({ renderSeconds: 3, variables: { bridge_url: '' } })

it('without a bridge the viewer polls the job, shows how far it is, and then the picture', async () => {
  const { page, view } = await host.show({ arguments: { prompt: 'a quiet bay' } })
  await pixelsIn(view)
  let polls = 0
  page.on('request', (request) => {
    if (request.postData()?.includes('"get_job"') === true) polls++
  })
  // On a busy machine it is over before anyone has looked.
  const shown = await view.locator('body').evaluateHandle((body) => {
    const texts: string[] = []
    const look = () => texts.push((body.querySelectorAll('.card')[1] as HTMLElement)?.innerText)
    new MutationObserver(look).observe(body, {
      childList: true,
      characterData: true,
      subtree: true,
    })
    return texts
  })
  await view.getByRole('button', { name: 'Vary' }).click()
  const card = view.locator('.card').nth(1)
  expect(await pixelsIn(view, 1)).toMatchObject({ width: 1024 })
  expect((await shown.jsonValue()).join('\n')).toMatch(/ \d+ %$|^Drawing/m)
  expect(polls).toBeGreaterThan(1)
  // There is nothing to show before the end.
  expect(await card.locator('.preview').count()).toBe(0)
})
