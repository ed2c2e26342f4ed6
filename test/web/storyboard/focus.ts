/** Whether a user of the keyboard sees where the focus is. */
import type { Page } from 'playwright-core'

/** @returns what hides the focus, otherwise nothing. Without a focus there is nothing to see. */
export async function focusProblem(page: Page): Promise<string> {
  return page.evaluate(() => {
    let element = document.activeElement
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
    if (!element || element === document.body) return ''
    const name = `<${element.localName}> ${element.getAttribute('aria-label') ?? element.textContent}`
    // What the page focuses, such as a heading or a dialog, is where reading begins: nothing can be done with it.
    if (
      (element instanceof HTMLElement && element.tabIndex < 0) ||
      element.localName === 'dialog'
    ) {
      return ''
    }
    const box = element.getBoundingClientRect()
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)]
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)]
    if (right - left < 1 || bottom - top < 1) return `${name} is not in the window`
    // A bar that stays in its place may cover it.
    const covers = [0.1, 0.5, 0.9].map((share) => {
      let at = document.elementFromPoint((left + right) / 2, top + share * (bottom - top))
      while (at?.shadowRoot) {
        const inner = at.shadowRoot.elementFromPoint(
          (left + right) / 2,
          top + share * (bottom - top),
        )
        if (!inner || inner === at) break
        at = inner
      }
      return at
    })
    const isOwn = (other: Element | null) =>
      other !== null && (element.contains(other) || other.contains(element))
    if (!covers.some(isOwn)) {
      return `${name} is covered by <${covers[1]?.localName ?? ''} class="${covers[1]?.className ?? ''}">`
    }
    for (let at: Element | null = element, level = 0; at && level < 4; level++) {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at)
      if (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) return ''
      if (level > 0 && at.matches(':focus-within') && boxShadow !== 'none') return ''
      at = at.parentElement
    }
    return `${name} has no focus ring`
  })
}
