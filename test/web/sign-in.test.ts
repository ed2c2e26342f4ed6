// A person signs in on the page, at a certified authorization server, and tokens stay in the memory of the page.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { shoot } from './browser.ts'
import { card, openWindow, signIn, signInButton, useSignIn } from './sign-in-world.ts'
import { openTool, pixels, say } from './use-page.ts'

const pages = useSignIn()
const REDIRECT = '/app/oauth/redirect'

/** Changes the answer of the authorization server before the page has it; `null` removes a parameter. */
async function answerWith(page: Page, name: string, value: string | null): Promise<void> {
  await page.context().addInitScript(
    ([path, changed, to]) => {
      if (location.pathname !== path || location.search === '') return
      const answer = new URL(location.href)
      if (to === null) answer.searchParams.delete(changed)
      else answer.searchParams.set(changed, to)
      history.replaceState(null, '', answer)
    },
    [REDIRECT, name, value] as const,
  )
}

describe('a user', () => {
  it('signs in, uses tools and the chat, sees pictures, and signs out', async () => {
    pages.app.issuer.asks = true
    const page = await pages.open()
    const sent: Request[] = []
    page.context().on('request', (request) => sent.push(request))
    await signInButton(page).waitFor()
    expect(await card(page).innerText()).toContain('This server requires sign-in')
    const window = await openWindow(page)
    await window.getByRole('button', { name: 'allow' }).waitFor()
    await shoot(page, 'sign-in-waiting')
    expect(await violations(page)).toEqual([])
    const closed = window.waitForEvent('close')
    await window.getByRole('button', { name: 'allow' }).click()
    await page.getByRole('button', { name: 'Signed in as ada' }).waitFor()
    await closed
    expect(await card(page).count()).toBe(0)

    const of = (path: string) => sent.find((request) => new URL(request.url()).pathname === path)
    const asked = new URL(of('/auth')?.url() ?? '').searchParams
    const exchanged = new URLSearchParams(of('/token')?.postData() ?? '')
    for (const parameters of [asked, exchanged]) {
      expect(parameters.get('resource')).toBe(pages.app.resource)
    }
    expect(asked.get('code_challenge_method')).toBe('S256')
    expect(asked.get('scope')).toBe('tools offline_access')
    pages.secrets.add(exchanged.get('code') ?? '').add(exchanged.get('code_verifier') ?? '')

    await page.getByText('You are talking to demo').waitFor()
    await say(page, 'Please draw a lighthouse')
    // Its address has a link, because a browser sends no token with an image.
    expect((await pixels(page)).colours).toBeGreaterThan(50)
    await page.getByText('Here it is.').waitFor()
    await shoot(page, 'sign-in-picture')
    pages.app.issuer.asks = false
    await page.reload()
    await signIn(page)
    expect((await pixels(page)).colours).toBeGreaterThan(50)

    await page.getByRole('link', { name: 'Tools', exact: true }).click()
    await openTool(page, 'Calculator')
    await page.getByLabel('expression').fill('6*7')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.locator('.outcome').getByText('42').first().waitFor()

    await page.getByRole('button', { name: 'Signed in as ada' }).click()
    await page.getByText('Signed in as ada at').waitFor()
    await shoot(page, 'sign-in-account')
    expect(await violations(page)).toEqual([])
    const revoked = page.waitForRequest(/\/token\/revocation$/)
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await revoked
    await signInButton(page).waitFor()
    expect(await page.getByText('Calculator').count()).toBe(0)
  }, 60_000)

  it('and deletes the history with the sign-out, also of an answer that arrives', async () => {
    pages.app.issuer.asks = false
    const page = await pages.open()
    await signIn(page)
    await say(page, 'remember this')
    await page.getByText('remember this').first().waitFor()
    const stored = () =>
      page.evaluate(async () => {
        const opening = indexedDB.open('ftl-conversations')
        await new Promise((resolve) => (opening.onsuccess = resolve))
        const reading = opening.result.transaction('records').objectStore('records').getAll()
        await new Promise((resolve) => (reading.onsuccess = resolve))
        opening.result.close()
        return JSON.stringify([reading.result, { ...localStorage }, { ...sessionStorage }])
      })
    await expect.poll(stored).toContain('remember this')
    await page.getByRole('button', { name: 'Signed in as ada' }).click()
    await page.getByRole('button', { name: 'Sign out and delete history' }).click()
    await signInButton(page).waitFor()
    expect(await stored()).not.toContain('remember')
  })

  it('is not disturbed when a token is renewed, and asked again when it cannot be', async () => {
    pages.app.issuer.tokenSeconds = 1
    const old = await pages.app.issuer.machineToken(pages.app.resource)
    pages.app.issuer.tokenSeconds = 300
    const page = await pages.open()
    await signIn(page)
    await page.getByText('You are talking to demo').waitFor()
    const whoami = async () =>
      (await fetch(`${pages.app.url}/whoami`, { headers: { authorization: `Bearer ${old}` } }))
        .status
    await expect.poll(whoami, { timeout: 5_000 }).toBe(401)
    // As if the token of the page were as old.
    const expire = () =>
      page.context().route(
        '**/api/chat',
        (route) => {
          const headers = { ...route.request().headers(), authorization: `Bearer ${old}` }
          return route.continue({ headers })
        },
        { times: 1 },
      )
    await expire()
    const renewed = page.waitForRequest(
      (request) => request.postData()?.includes('grant_type=refresh_token') === true,
    )
    await say(page, 'Hello')
    await renewed
    await page.getByText('Good day.').waitFor()
    expect(await card(page).count()).toBe(0)

    // The authorization server forgets all.
    await page.context().route(/\/token$/, (route) =>
      route.fulfill({
        status: 400,
        headers: { 'access-control-allow-origin': '*' },
        json: { error: 'invalid_grant' },
      }),
    )
    await expire()
    await say(page, 'Hello again')
    await page.getByText('Your sign-in has expired').waitFor()
    await page.getByText('Waiting for your sign-in').first().waitFor()
    await shoot(page, 'sign-in-expired')
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Message').fill('not sent yet')
    await page.context().unroute(/\/token$/)
    await signIn(page)
    await expect.poll(() => page.getByText('Good day.').count()).toBe(2)
    expect(await page.getByLabel('Message').inputValue()).toBe('not sent yet')
  }, 60_000)

  it('who declines is told so, with the words of the authorization server as text', async () => {
    pages.app.issuer.asks = true
    const page = await pages.open()
    const window = await openWindow(page)
    await window.getByRole('button', { name: 'decline' }).click()
    const alert = card(page).getByRole('alert')
    await alert.waitFor()
    // Without the mark that reverses the text behind it.
    expect(await alert.innerText()).toMatch(
      /^The sign-in was declined\. 127\.0\.0\.1:\d+ says: “Ada said <b>no<\/b> and left”$/,
    )
    await shoot(page, 'sign-in-declined')
    expect(await violations(page)).toEqual([])
    await signInButton(page).waitFor()
  })

  it('who closes the window can cancel, or open it again', async () => {
    pages.app.issuer.asks = true
    const page = await pages.open()
    const window = await openWindow(page)
    await window.getByRole('button', { name: 'allow' }).waitFor()
    await window.close()
    await page.getByRole('button', { name: 'Cancel' }).click()
    const another = await openWindow(page)
    await another.getByRole('button', { name: 'allow' }).waitFor()
    await another.close()
    const opened = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Open the window again' }).click()
    await (await opened).getByRole('button', { name: 'allow' }).click()
    await page.getByRole('button', { name: 'Signed in as ada' }).waitFor()
  })

  it('whose browser opens no window signs in in the same tab, and keeps what was typed', async () => {
    const page = await pages.open('/#/chat', {}, () => {
      window.open = () => null
    })
    await page.getByLabel('Message').fill('half a thought')
    await signInButton(page).click()
    await page.getByText('The browser has blocked the window').waitFor()
    await page.getByRole('button', { name: /^Sign in, in this tab/ }).click()
    await page.getByRole('button', { name: 'Signed in as ada' }).waitFor()
    expect(await page.getByLabel('Message').inputValue()).toBe('half a thought')
    expect(page.url()).toBe(`${pages.app.url}/#/chat`)
    const kept = await page.evaluate(() => Object.keys(sessionStorage))
    expect(kept.filter((key) => key.startsWith('ftl.sign-in'))).toEqual([])
  })

  it('with an API key is let in, and the key is kept in memory only', async () => {
    const { apiKey } = pages.app
    pages.secrets.add(apiKey)
    const page = await pages.open('/#/tools')
    await page.getByText('Use an API key instead').click()
    await page.getByLabel('API key', { exact: true }).fill(`ftl_${'x'.repeat(43)}`)
    await page.getByRole('button', { name: 'Use this key' }).click()
    await page.getByText('The API key is not known').waitFor()
    await shoot(page, 'sign-in-key')
    expect(await violations(page)).toEqual([])
    await page.getByLabel('API key', { exact: true }).fill(apiKey)
    await page.getByLabel('API key', { exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Signed in as ci' }).waitFor()
    await page.getByRole('link', { name: 'Calculator' }).waitFor()
    expect(await page.content()).not.toContain(apiKey)
    await page.reload()
    await signInButton(page).waitFor()
  })
})

describe('an answer is not used', () => {
  it('that names another issuer', async () => {
    const page = await pages.open()
    await answerWith(page, 'iss', 'https://evil.example')
    await openWindow(page)
    await card(page).getByText('The answer does not belong to this sign-in').waitFor()
  })

  it('that has the code of another session', async () => {
    // An attacker's own, for the same page, which does not get it.
    const attacker = await pages.open()
    await answerWith(attacker, 'state', null)
    let code = ''
    attacker.context().on('request', (request) => {
      code = new URL(request.url()).searchParams.get('code') ?? code
    })
    await (await openWindow(attacker)).getByText('No open page waits').waitFor()
    const page = await pages.open()
    await answerWith(page, 'code', code)
    const exchanged = page.waitForRequest(/\/token$/)
    await openWindow(page)
    expect((await exchanged).postData()).toContain(`code=${code}`)
    await card(page).getByText('The authorization server gave no token').waitFor()
  })

  it('that has another state, is of no attempt, or comes from another origin', async () => {
    pages.app.issuer.asks = true
    const page = await pages.open()
    const window = await openWindow(page)
    await window.getByRole('button', { name: 'allow' }).waitFor()
    const forged = `?code=stolen&state=${'x'.repeat(43)}&iss=${pages.app.issuer.url}`
    const other = await page.context().newPage()
    await other.goto(pages.app.url + REDIRECT + forged)
    await other.getByText('No open page waits for this sign-in').waitFor()
    expect(other.url()).toBe(pages.app.url + REDIRECT)
    await shoot(other, 'sign-in-redirect')
    expect(await violations(other)).toEqual([])
    // A page of another site that has opened ours.
    const site = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><title>evil</title>')
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    const evil = await page.context().newPage()
    await evil.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    const victim = page.context().waitForEvent('page')
    const reached = await evil.evaluate(async (address) => {
      const opened = open(address)
      await new Promise((resolve) => setTimeout(resolve, 500))
      new BroadcastChannel(`ftl.sign-in.${'x'.repeat(43)}`).postMessage('?code=stolen')
      opened?.postMessage('?code=stolen', '*')
      return opened?.closed
    }, pages.app.url)
    // `Cross-Origin-Opener-Policy` has cut the two pages off from each other.
    expect(reached).toBe(true)
    await signInButton(await victim).waitFor()
    expect(await card(page).innerText()).toContain('Signing in')
    site.close()
  })
})

describe('the page that an authorization server redirects to', () => {
  it('shows nothing of its address, and leads nowhere', async () => {
    const page = await pages.open('/app/none')
    for (const query of [
      '?error=x&error_description=<img src=x onerror=alert(1)>&state=short',
      '?state=https://evil.example&next=https://evil.example&redirect_uri=//evil.example',
      `?code=1&state=${'y'.repeat(43)}&hash=//evil.example`,
    ]) {
      await page.goto(pages.app.url + REDIRECT + query)
      await page.getByText('No open page waits').waitFor()
      expect(page.url()).toBe(pages.app.url + REDIRECT)
      expect(await page.locator('body').innerText()).not.toMatch(/evil|img|alert/)
      expect(await page.getByRole('link').getAttribute('href')).toBe('/')
    }
  })

  it('goes back to a view of the page, whatever was stored as that', async () => {
    const page = await pages.open('/app/none')
    const state = 'z'.repeat(43)
    for (const hash of ['//evil.example/', 'https://evil.example', 'javascript:alert(1)', 5]) {
      await page.goto(`${pages.app.url}/app/none`)
      const attempt = { state, hash, issuer: pages.app.issuer.url }
      await page.evaluate(
        (kept) => sessionStorage.setItem('ftl.sign-in', kept),
        JSON.stringify(attempt),
      )
      await page.goto(`${pages.app.url}${REDIRECT}?code=1&state=${state}`)
      await signInButton(page).waitFor()
      expect(page.url()).toBe(`${pages.app.url}/`)
    }
  })

  it('cannot be framed, cached or scripted', async () => {
    const { headers } = await fetch(`${pages.app.url}${REDIRECT}?code=1`)
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    const policy = headers.get('content-security-policy') ?? ''
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]) {
      expect(policy.split('; ')).toContain(part)
    }
  })
})

it('looks right on a phone and in the dark, in each state', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    pages.app.issuer.asks = true
    const page = await pages.open('/', { viewport: { width: 375, height: 740 }, colorScheme })
    await page.getByText('Use an API key instead').click()
    await shoot(page, `sign-in-phone-${colorScheme}`)
    expect(await violations(page)).toEqual([])
    const window = await openWindow(page)
    await shoot(page, `sign-in-phone-waiting-${colorScheme}`)
    expect(await violations(page)).toEqual([])
    await window.getByRole('button', { name: 'allow' }).click()
    await page.getByRole('button', { name: 'Signed in as ada' }).waitFor()
    await shoot(page, `sign-in-phone-in-${colorScheme}`)
    expect(await violations(page)).toEqual([])
    const wide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(wide).toBe(0)
  }
}, 60_000)

it('no token, key or code was printed by the browser, the components or the host', () => {
  expect(pages.secrets.size).toBeGreaterThan(4)
  const all = [...pages.printed, ...pages.app.printed].join('\n')
  for (const secret of pages.secrets) expect(all.includes(secret)).toBe(false)
})
