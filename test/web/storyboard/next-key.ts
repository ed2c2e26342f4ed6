/** The way of the focus to an element. */
import type { ElementHandle, Page } from 'playwright-core'

export type NextKey = 'Tab' | 'Shift+Tab' | 'there' | 'gone'

/**
 * Around the end of the document, Firefox leads through its own window, so the shorter way is taken.
 *
 * @param wanted one of them is to get the focus.
 * @param key where both ways are possible.
 * @returns `gone` if all of them were replaced meanwhile.
 */
export async function nextKey(
  page: Page,
  wanted: readonly ElementHandle[],
  key: string,
): Promise<NextKey> {
  const next = await page.evaluate(
    ([all, given]) => {
      const elements = (all as Element[]).filter((one) => one.isConnected)
      if (elements.length === 0) return 'gone'
      const { activeElement: outer, body } = document
      let focused = outer
      // That of an editor is in a shadow tree.
      while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
      if (focused && elements.includes(focused)) return 'there'
      if (!outer || outer === body) return given
      // Behind an open dialog is nothing that could be reached.
      const dialog = outer.closest('dialog')
      const inDocument = elements.map((one) => {
        const root = one.getRootNode()
        return root instanceof ShadowRoot ? root.host : one
      })
      const within = inDocument.filter((one) => !dialog || dialog.contains(one))
      if (within.length === 0 || within.some((one) => outer.contains(one))) return given
      const isBefore = within.every(
        (one) => outer.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING,
      )
      return isBefore ? 'Shift+Tab' : 'Tab'
    },
    [wanted, key] as const,
  )
  return next as NextKey
}
