/** The exact arguments of a call as a list. A text is shown as it is; any other value as JSON, with its type. */
import { visible } from './visible.ts'

export function ArgumentList({ args }: { args: Record<string, unknown> }) {
  const entries = Object.entries(args)
  if (entries.length === 0) return <p class="about">None.</p>
  return (
    <dl class="arguments">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>
            {visible(name)} <span class="faint">{typeOf(value)}</span>
          </dt>
          <dd>
            <pre tabIndex={0} aria-label={`Value of ${visible(name)}`} role="group">
              {shown(value)}
            </pre>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function shown(value: unknown): string {
  if (value === '') return ' '
  return typeof value === 'string'
    ? visible(value)
    : JSON.stringify(value, null, 2).split('\n').map(visible).join('\n')
}

function typeOf(value: unknown): string {
  if (typeof value === 'string') {
    return value === '' ? 'empty text' : `text, ${value.length} characters`
  }
  if (Array.isArray(value)) return value.length === 1 ? 'list of 1' : `list of ${value.length}`
  if (value === null) return 'null'
  return typeof value === 'boolean' ? 'yes or no' : typeof value
}
