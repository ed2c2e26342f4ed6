/** Scrolls to what has arrived, such as an answer below a long form. */

/** As far as what has the focus stays in view: otherwise a user of the keyboard would not see where typing goes. */
export function bringIntoView(arrived: Element): void {
  arrived.scrollIntoView({ block: 'nearest' })
  const focused = document.activeElement
  if (focused && focused !== document.body && !arrived.contains(focused)) {
    focused.scrollIntoView({ block: 'nearest' })
  }
}

const ACTS = ['wheel', 'pointerdown', 'touchstart', 'keydown'] as const

/**
 * The same, and again whenever it grows, until the user does something: a picture or an app has its size later.
 *
 * @param whole grows.
 * @param head comes into view.
 * @returns ends it.
 */
export function keepInView(whole: Element, head: Element): () => void {
  const show = () => bringIntoView(head)
  const observer = new ResizeObserver(show)
  const stop = () => {
    observer.disconnect()
    for (const act of ACTS) removeEventListener(act, stop, true)
  }
  show()
  observer.observe(whole)
  for (const act of ACTS) addEventListener(act, stop, { capture: true, passive: true })
  return stop
}
