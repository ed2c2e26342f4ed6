/** Chips under the composer: each one shows an argument of the image tool and opens to change it. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { model } from '../chat/settings.ts'
import { Icon } from '../icons.tsx'
import { catalog } from '../net/tools.ts'
import { useStore } from '../store.ts'
import { choose, chosen, mode } from './chosen.ts'
import { ControlPanel } from './control-panel.tsx'
import { completed, type Control, controlsOf, imageToolOf } from './image-tool.ts'
import './controls.css'

/** Chips that are shown before the others are asked for. */
const AT_ONCE = 7

export function ControlChips() {
  const { tools } = useStore(catalog)
  const values = useStore(chosen)
  const { state } = useStore(model)
  const { draws } = useStore(mode)
  const [opened, setOpened] = useState('')
  const [isAll, setAll] = useState(false)
  const panel = useId()
  const root = useRef<HTMLDivElement>(null)
  const tool = imageToolOf(tools)
  useEffect(() => {
    if (opened !== '')
      root.current
        ?.querySelector<HTMLElement>(
          '.control-panel :is(input:checked, input, select, textarea, button)',
        )
        ?.focus()
  }, [opened])
  if (!tool) return null
  const controls = controlsOf(tool)
  const args = completed(controls, values)
  const chips = controls.filter(({ kind }) => kind !== 'mask')
  const shown = isAll
    ? chips
    : chips.filter((chip, at) => at < AT_ONCE || args[chip.name] !== undefined)
  const open = chips.find(({ name }) => name === opened)
  const close = () => {
    const chip = root.current?.querySelector<HTMLElement>('[aria-expanded="true"]')
    setOpened('')
    chip?.focus()
  }
  return (
    <div
      class="controls"
      ref={root}
      role="group"
      aria-label="Settings for pictures"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || opened === '') return
        event.preventDefault()
        close()
      }}
    >
      {open && (
        <section class="control-panel" id={panel} aria-label={open.label}>
          <ControlPanel
            control={open}
            value={args[open.name]}
            mask={controls.find(({ kind }) => kind === 'mask')}
            onChange={(value) => choose(open.name, value)}
          />
        </section>
      )}
      <div class="control-chips">
        {state === 'ready' && (
          <button
            type="button"
            class="control-chip"
            aria-pressed={draws}
            title="Send the words to the image tool, without the model"
            onClick={() => mode.set(() => ({ draws: !draws }))}
          >
            <Icon name="gallery" /> Draw at once
          </button>
        )}
        {shown.map((control) => (
          <button
            key={control.name}
            type="button"
            class="control-chip"
            data-set={args[control.name] !== undefined}
            aria-expanded={control.name === opened}
            aria-controls={control.name === opened ? panel : undefined}
            onClick={() => setOpened(control.name === opened ? '' : control.name)}
          >
            <span class="faint">{control.label}</span>
            <span class="control-value">{valueOf(control, args[control.name])}</span>
          </button>
        ))}
        {chips.length > shown.length && (
          <button type="button" class="control-chip" onClick={() => setAll(true)}>
            More
          </button>
        )}
        {Object.keys(values).length > 0 && (
          <button type="button" class="control-chip" onClick={() => chosen.set(() => ({}))}>
            <Icon name="close" /> Reset
          </button>
        )}
      </div>
    </div>
  )
}

/** What a chip says: what is chosen, otherwise the default. */
function valueOf({ kind, schema, name }: Control, value: unknown): string {
  if (kind === 'image') return value === undefined ? 'none' : 'chosen'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  const standard = schema['default']
  if (typeof standard === 'string' || typeof standard === 'number') return String(standard)
  return kind === 'choices' || kind === 'text' ? 'none' : name === 'seed' ? 'random' : 'default'
}
