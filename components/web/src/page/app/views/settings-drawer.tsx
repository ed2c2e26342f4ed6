/** What can be chosen: the model's tools, and how the page looks. */
import { useEffect, useRef } from 'preact/hooks'
import { loadModel, model, settings } from '../chat/settings.ts'
import { Icon } from '../icons.tsx'
import { components, loadComponents } from '../net/tools.ts'
import { Account } from '../sign-in/account.tsx'
import { useStore } from '../store.ts'
import { theme, type Theme } from '../theme.ts'
import './settings-drawer.css'

const THEMES: readonly [Theme, string][] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]

export function SettingsDrawer({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { state, name, words } = useStore(model)
  const { blocked } = useStore(settings)
  const { list, problem } = useStore(components)
  const { choice } = useStore(theme)
  useEffect(() => {
    dialog.current?.showModal()
    void loadModel()
    void loadComponents()
  }, [])
  return (
    <dialog
      ref={dialog}
      class="drawer"
      aria-labelledby="settings-title"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div class="drawer-inside">
        <header class="line">
          <h2 id="settings-title" class="grow">
            Settings
          </h2>
          <button
            type="button"
            class="bare"
            aria-label="Close settings"
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </header>
        <Account />
        <section>
          <h3>Model</h3>
          {state === 'ready' && (
            <p>
              <span class="badge" data-state="ok">
                ready
              </span>{' '}
              {name}
            </p>
          )}
          {state === 'asking' && <p class="faint">Asking…</p>}
          {state === 'unreachable' && <p class="problem">The chat cannot be reached.</p>}
          {state === 'none' && (
            <p class="notice">{words || 'None is connected: set llm_url and llm_model.'}</p>
          )}
        </section>
        <fieldset>
          <legend>Components the model may use</legend>
          {list.length === 0 && problem === '' && <p class="faint">Looking…</p>}
          {problem !== '' && <p class="problem">{problem}</p>}
          {list.map(({ name: component, tools }) => (
            <label class="check" key={component}>
              <input
                type="checkbox"
                checked={!blocked.includes(component)}
                onChange={({ currentTarget: { checked } }) =>
                  settings.set(() => ({
                    blocked: checked
                      ? blocked.filter((other) => other !== component)
                      : [...blocked, component],
                  }))
                }
              />
              {component} <span class="faint">{`${tools} ${tools === 1 ? 'tool' : 'tools'}`}</span>
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend>Appearance</legend>
          {THEMES.map(([value, label]) => (
            <label class="check" key={value}>
              <input
                type="radio"
                name="theme"
                checked={choice === value}
                onChange={() => theme.set(() => ({ choice: value }))}
              />
              {label}
            </label>
          ))}
        </fieldset>
      </div>
    </dialog>
  )
}
