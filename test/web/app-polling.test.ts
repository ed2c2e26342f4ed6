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
  await view.getByRole('button', { name: 'Vary' }).click()
  const card = view.locator('.card').nth(1)
  await card.getByText(/ \d+ %$|^Drawing/).waitFor()
  expect(await pixelsIn(view, 1)).toMatchObject({ width: 1024 })
  expect(polls).toBeGreaterThan(1)
  // There is nothing to show before the end.
  expect(await card.locator('.preview').count()).toBe(0)
})
