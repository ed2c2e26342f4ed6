/** How soon the page is there in a browser that has never seen it. */
import type { Browser } from 'playwright-core'

export interface Started {
  /** Milliseconds from the request to the first text or picture. */
  painted: number
  /** Milliseconds from the request until the message box is there and the browser is idle. */
  interactive: number
}

/** In a context of its own: nothing is cached. The processor is as it is. */
export async function coldStart(browser: Browser, url: string): Promise<Started> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    await page.addInitScript(() => {
      const seen = new MutationObserver(() => {
        if (!document.querySelector('textarea')) return
        seen.disconnect()
        requestIdleCallback(() => performance.mark('interactive'))
      })
      seen.observe(document, { subtree: true, childList: true })
    })
    await page.goto(`${url}/`)
    const names = ['first-contentful-paint', 'interactive'] as const
    await page.waitForFunction(
      (all) => all.every((name) => performance.getEntriesByName(name).length > 0),
      names,
    )
    const [painted = 0, interactive = 0] = await page.evaluate(
      (all) => all.map((name) => performance.getEntriesByName(name)[0]?.startTime ?? 0),
      names,
    )
    // The message box is in the document before the first frame is painted.
    return { painted, interactive: Math.max(interactive, painted) }
  } finally {
    await context.close()
  }
}
