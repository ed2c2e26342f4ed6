/** Light or dark: the system's choice until the user makes one. */
import { savedStore } from './local-storage.ts'

export type Theme = 'system' | 'light' | 'dark'

export const theme = savedStore<{ choice: Theme }>('theme', { choice: 'system' })

function apply(): void {
  const { choice } = theme.get()
  if (choice === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = choice
}

/** Before anything is drawn, so that nothing flashes. */
export function startTheme(): void {
  apply()
  theme.subscribe(apply)
}
