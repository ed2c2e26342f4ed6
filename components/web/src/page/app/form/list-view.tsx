/** A list whose items can be added, removed and moved. */
import { Icon } from '../icons.tsx'
import { idOf, useForm } from './form-context.ts'
import { type InputProps, NodeView } from './node-view.tsx'
import { initial } from './schema/initial.ts'
import type { Shape } from './schema/shape.ts'

type ListProps = InputProps & { shape: Extract<Shape, { kind: 'list' }> }

/** Items that are shown; more are edited as JSON. */
const MOST_ITEMS = 50

export function ListView({ shape, value, path, required, depth, onChange, label }: ListProps) {
  const { id: form, root } = useForm()
  const { heads, items, max } = shape
  const list: unknown[] = Array.isArray(value) ? (value as unknown[]) : []
  const name = label ?? shape.label
  const change = (next: unknown[]) => onChange(next.length > 0 || required ? next : undefined)
  const focus = (part: string) =>
    setTimeout(() => document.getElementById(`${idOf(form, path)}-${part}`)?.focus())
  const move = (from: number, to: number) => {
    const next = [...list]
    next.splice(to, 0, ...next.splice(from, 1))
    change(next)
    // The item that moved keeps the focus; at an end, its other button has it.
    const isUp = to < from
    const button = isUp ? (to === 0 ? 'down' : 'up') : to === list.length - 1 ? 'up' : 'down'
    focus(`${button}-${to}`)
  }
  const schemaAt = (index: number) => (index < heads.length ? heads[index] : (items ?? true))
  const add = () => {
    const made = initial(schemaAt(list.length), root, { required: true })
    onChange([...list, made ?? emptyFor(schemaAt(list.length))])
  }
  return (
    <div class="items">
      <ol>
        {list.slice(0, MOST_ITEMS).map((item, index) => (
          <li key={index} class="item">
            <NodeView
              schema={schemaAt(index)}
              name=""
              label={`${name} ${index + 1}`}
              required={false}
              isItem
              path={`${path}[${index}]`}
              value={item}
              depth={Math.max(depth, 0) + 1}
              onChange={(next) =>
                change(list.map((other, at) => (at === index ? (next ?? null) : other)))
              }
            />
            <div class="item-tools">
              <ItemButton
                id={`${idOf(form, path)}-up-${index}`}
                label={`Move ${name} ${index + 1} up`}
                icon="up"
                isOff={index === 0}
                onClick={() => move(index, index - 1)}
              />
              <ItemButton
                id={`${idOf(form, path)}-down-${index}`}
                label={`Move ${name} ${index + 1} down`}
                icon="down"
                isOff={index === list.length - 1}
                onClick={() => move(index, index + 1)}
              />
              <ItemButton
                id={`${idOf(form, path)}-remove-${index}`}
                label={`Remove ${name} ${index + 1}`}
                icon="close"
                isOff={false}
                onClick={() => {
                  change(list.filter((_, at) => at !== index))
                  focus('add')
                }}
              />
            </div>
          </li>
        ))}
      </ol>
      {list.length > MOST_ITEMS && (
        <p class="about">{list.length - MOST_ITEMS} more items: edit them as JSON.</p>
      )}
      {list.length < max && (
        <button type="button" class="small add" id={`${idOf(form, path)}-add`} onClick={add}>
          <Icon name="plus" /> Add to {name || 'the list'}
        </button>
      )}
    </div>
  )
}

/** An item must be something; a text that is not typed yet is empty. */
function emptyFor(schema: unknown): unknown {
  const { type } =
    typeof schema === 'object' && schema !== null ? (schema as { type?: unknown }) : {}
  return type === 'string' ? '' : null
}

interface ItemButtonProps {
  id: string
  label: string
  icon: 'up' | 'down' | 'close'
  isOff: boolean
  onClick: () => void
}

function ItemButton({ id, label, icon, isOff, onClick }: ItemButtonProps) {
  return (
    <button type="button" class="bare" {...{ id, onClick }} aria-label={label} disabled={isOff}>
      <Icon name={icon} />
    </button>
  )
}
