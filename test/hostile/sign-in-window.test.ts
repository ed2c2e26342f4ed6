// What the page of an authorization server can do to the page that opened it in a window.
import { expect } from 'vitest'
import { openWindow, useSignIn } from '../web/sign-in-world.ts'
import { attack } from './support/attack.ts'

const pages = useSignIn()

attack('an authorization server leads the page that opened it to a copy of that page', async () => {
  pages.app.issuer.asks = true
  const page = await pages.open()
  const window = await openWindow(page)
  await window.waitForURL((url) => url.origin === pages.app.issuer.url)
  const before = page.url()
  const hasOpener = await window.evaluate(() => {
    // With the opener's address alone the attack would be done.
    const opener = globalThis.opener as Window | null
    opener?.location.replace('about:blank#copy')
    return opener !== null
  })
  expect(hasOpener).toBe(false)
  expect(page.url()).toBe(before)
  // The sign-in still works, and its window closes.
  const closed = window.waitForEvent('close')
  await window.getByRole('button', { name: 'Allow' }).click()
  await closed
  await page.getByRole('button', { name: 'Signed in as ada' }).waitFor()
  return 'Cross-Origin-Opener-Policy: the window does not know its opener'
})
