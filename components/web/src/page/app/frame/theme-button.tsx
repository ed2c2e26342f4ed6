/** Switches between the system's colours, light and dark. */
import { Icon, type IconName } from '../icons.tsx'
import { useStore } from '../store.ts'
import { theme, type Theme } from '../theme.ts'

const THEMES: readonly { choice: Theme; icon: IconName; name: string }[] = [
  { choice: 'system', icon: 'system', name: 'as the system' },
  { choice: 'light', icon: 'sun', name: 'light' },
  { choice: 'dark', icon: 'moon', name: 'dark' },
]

export function ThemeButton() {
  const { choice } = useStore(theme)
  // It is read from the browser's storage, where anything can be.
  const at = Math.max(
    THEMES.findIndex((one) => one.choice === choice),
    0,
  )
  const { icon, name } = THEMES[at] as (typeof THEMES)[number]
  const next = THEMES[(at + 1) % THEMES.length] as (typeof THEMES)[number]
  return (
    <button
      type="button"
      class="rail-button"
      aria-label={`Theme: ${name}`}
      title={`Theme: ${name}. Click for ${next.name}.`}
      onClick={() => theme.set(() => ({ choice: next.choice }))}
    >
      <Icon name={icon} />
      <span>Theme</span>
    </button>
  )
}
