/** A page that is used by the keyboard alone: a flow has no way to click. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Presses of Tab until something has the focus. */
const MOST_TABS = 80

type Role = Parameters<Page['getByRole']>[0]

export interface Stage {
  press(key: string): Promise<void>
  type(text: string): Promise<void>
  /** Presses Tab until this has the focus. */
  tabTo(role: Role, name: string | RegExp): Promise<void>
  /** Waits until this is visible. */
  sees(text: string | RegExp): Promise<void>
  /** For what has no text: only to look at. */
  readonly focused: () => Promise<string>
}

export function createStage(page: Page): Stage {
  const hasFocus = (locator: Locator) =>
    locator.evaluateAll((all) => all.some((element) => element === document.activeElement))
  return {
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    async tabTo(role, name) {
      const wanted = page.getByRole(role, { name, exact: typeof name === 'string' })
      await wanted.first().waitFor()
      for (let tabs = 0; tabs < MOST_TABS; tabs++) {
        if (await hasFocus(wanted)) return
        await page.keyboard.press('Tab')
      }
      expect.fail(`${MOST_TABS} presses of Tab do not lead to the ${role} ${String(name)}`)
    },
    sees: (text) => page.getByText(text).filter({ visible: true }).first().waitFor(),
    focused: () =>
      page.evaluate(() => {
        const element = document.activeElement
        return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
      }),
  }
}
