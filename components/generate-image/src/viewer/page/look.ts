/** The host's theme and letters, and how much room the page needs. */
import type { HostContext } from './dialect.ts'

/** What a host leaves out stays as it is: it sends what has changed. */
export function wear({ theme, styles }: HostContext): void {
  const root = document.documentElement
  if (theme !== undefined) root.dataset.theme = theme
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith('--') && typeof value === 'string') root.style.setProperty(name, value)
  }
}

/** What the system wears, for a host that says nothing. */
export function systemTheme(): HostContext {
  const dark = window.matchMedia('(prefers-color-scheme: dark)').matches
  return { theme: dark ? 'dark' : 'light' }
}

/** Tells the size now and whenever it changes. */
export function watchSize(tell: (size: { width: number; height: number }) => void): void {
  const { body } = document
  let last = ''
  new ResizeObserver(() => {
    const { width, height } = body.getBoundingClientRect()
    const size = { width: Math.ceil(width), height: Math.ceil(height) }
    if (last === (last = JSON.stringify(size))) return
    tell(size)
  }).observe(body)
}
