/**
 * Above the whole page, without leaving the place in the document: a browser loads a frame again when it is moved, and a
 * fixed position is held back by ancestors that contain their layout.
 */

export function toTop(element: HTMLElement): void {
  element.setAttribute('popover', 'manual')
  // Without popovers (before 2024) the style sheet's fixed position has to do.
  element.showPopover?.()
}

export function leaveTop(element: HTMLElement): void {
  if (element.isConnected) element.hidePopover?.()
  element.removeAttribute('popover')
}

/** Keeps the focus inside, except for the page's dialogs; Escape calls `leave`. @returns what ends it. */
export function holdFocus(element: HTMLElement, leave: () => void): () => void {
  const before = document.activeElement
  const first = () => element.querySelector<HTMLElement>('[data-part=mode]')?.focus()
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || element.contains(target) || target.closest('dialog')) return
    first()
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && element.contains(document.activeElement)) leave()
  }
  document.addEventListener('focusin', onFocus)
  document.addEventListener('keydown', onKey)
  first()
  return () => {
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('keydown', onKey)
    if (before instanceof HTMLElement) before.focus()
  }
}
