/** Any of several values. */
import type { InputProps } from '../node-view.tsx'
import type { Option } from '../schema/shape.ts'

export function Checks({
  options,
  value,
  required,
  onChange,
}: InputProps & { options: readonly Option[] }) {
  const chosen: unknown[] = Array.isArray(value) ? (value as unknown[]) : []
  const change = (next: unknown[]) => onChange(next.length > 0 || required ? next : undefined)
  return (
    <div class="options">
      {options.map((option) => (
        <label class="option" key={option.label}>
          <input
            type="checkbox"
            checked={chosen.includes(option.value)}
            onChange={(event) =>
              change(
                event.currentTarget.checked
                  ? [...chosen, option.value]
                  : chosen.filter((other) => other !== option.value),
              )
            }
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
