/** The page's own look, in the variables that MCP Apps know. */
import { theme } from '../theme.ts'

const NAMES: Record<string, string> = {
  '--color-background-primary': '--raised',
  '--color-background-secondary': '--sunken',
  '--color-background-tertiary': '--ground',
  '--color-background-danger': '--bad-soft',
  '--color-background-success': '--good-soft',
  '--color-text-primary': '--text',
  '--color-text-secondary': '--faint',
  '--color-text-danger': '--bad',
  '--color-text-success': '--good',
  '--color-border-primary': '--line',
  '--color-border-secondary': '--line-strong',
  '--color-ring-primary': '--accent',
  '--border-radius-md': '--radius-small',
  '--border-radius-lg': '--radius',
}

const isDark = matchMedia('(prefers-color-scheme: dark)')

export function currentLook() {
  const root = getComputedStyle(document.documentElement)
  const variables = Object.fromEntries(
    Object.entries(NAMES).map(([name, own]) => [name, root.getPropertyValue(own).trim()]),
  )
  const { choice } = theme.get()
  const mode: 'light' | 'dark' = choice === 'system' ? (isDark.matches ? 'dark' : 'light') : choice
  return { theme: mode, variables: { ...variables, '--font-sans': 'system-ui, sans-serif' } }
}

/** @returns what ends it. */
export function watchLook(changed: () => void): () => void {
  const ends = theme.subscribe(changed)
  isDark.addEventListener('change', changed)
  return () => {
    ends()
    isDark.removeEventListener('change', changed)
  }
}
