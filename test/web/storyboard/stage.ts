/** A page that is used by the keyboard alone: a flow has no way to click. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { focusProblem } from './focus.ts'
import { nextKey } from './next-key.ts'

/** Presses of Tab until something has the focus. */
const MOST_TABS = 80

type Role = Parameters<Page['getByRole']>[0]

export interface Stage {
  /** Pixels. */
  readonly width: number
  press(key: string): Promise<void>
  type(text: string): Promise<void>
  /** As if it were pasted: an editor completes no brackets. */
  paste(text: string): Promise<void>
  /** Presses Tab until this has the focus, which then must be visible. */
  tabTo(role: Role, name: string | RegExp): Promise<void>
  /** The same backwards. */
  backTo(role: Role, name: string | RegExp): Promise<void>
  /** Waits until this has the focus, which then must be visible. */
  isAt(role: Role, name: string | RegExp): Promise<void>
  /** Waits until this is visible. */
  sees(text: string | RegExp): Promise<void>
  /** Waits until this is no longer visible. */
  misses(text: string | RegExp): Promise<void>
  /** Waits for what may have no text of its own. */
  finds(role: Role, name: string | RegExp): Promise<void>
  /** Waits until it is gone. */
  loses(role: Role, name: string | RegExp): Promise<void>
  /** Waits until this field has these words. */
  holds(name: string | RegExp, words: string): Promise<void>
  /** Whether it is visible now. */
  has(role: Role, name: string | RegExp): Promise<boolean>
  /** Whether requests reach the gateway. */
  connect(isConnected: boolean): Promise<void>
  /** For what has no text: only to look at. */
  readonly focused: () => Promise<string>
}

export function createStage(page: Page): Stage {
  const find = (role: Role, name: string | RegExp) =>
    page.getByRole(role, { name, exact: typeof name === 'string' }).filter({ visible: true })
  const hasFocus = (locator: Locator) =>
    locator.evaluateAll((all) => {
      let focused = document.activeElement
      // That of an editor is in a shadow tree.
      while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
      return focused !== null && all.includes(focused as (typeof all)[number])
    })
  const walkTo = async (key: string, role: Role, name: string | RegExp) => {
    const wanted = find(role, name)
    await wanted.first().waitFor()
    let all = await wanted.elementHandles()
    for (let tabs = 0; tabs < MOST_TABS; tabs++) {
      const next = await nextKey(page, all, key)
      if (next === 'there') return isVisible(`the ${role} ${String(name)}`)
      // To find elements by their names takes longer than to press a key.
      if (next === 'gone' || tabs % 10 === 9) all = await wanted.elementHandles()
      if (next !== 'gone') await page.keyboard.press(next)
    }
    expect.fail(`${MOST_TABS} presses of ${key} do not lead to the ${role} ${String(name)}`)
  }
  const isVisible = async (what: string) =>
    expect.poll(() => focusProblem(page), { message: `the focus on ${what}` }).toBe('')
  const text = (wanted: string | RegExp) => page.getByText(wanted).filter({ visible: true }).first()
  return {
    width: page.viewportSize()?.width ?? 0,
    press: (key) => page.keyboard.press(key),
    type: (words) => page.keyboard.type(words),
    paste: (words) => page.keyboard.insertText(words),
    tabTo: (role, name) => walkTo('Tab', role, name),
    backTo: (role, name) => walkTo('Shift+Tab', role, name),
    async isAt(role, name) {
      const what = `the ${role} ${String(name)}`
      await expect
        .poll(() => hasFocus(find(role, name)), { message: `focus on ${what}` })
        .toBe(true)
      await isVisible(what)
    },
    sees: (wanted) => text(wanted).waitFor(),
    misses: (wanted) => text(wanted).waitFor({ state: 'detached' }),
    finds: (role, name) => find(role, name).first().waitFor(),
    loses: (role, name) => find(role, name).first().waitFor({ state: 'detached' }),
    async holds(name, words) {
      const field = find('textbox', name).first()
      await expect.poll(() => field.inputValue()).toBe(words)
    },
    has: async (role, name) => (await find(role, name).count()) > 0,
    async connect(isConnected) {
      const path = /:\d+\/(?!app\/|$)/
      if (isConnected) await page.unroute(path)
      else await page.route(path, (route) => route.abort('connectionrefused'))
    },
    focused: () =>
      page.evaluate(() => {
        const element = document.activeElement
        return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
      }),
  }
}
