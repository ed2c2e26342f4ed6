/** Fields for a token, or for a header of another name. */
import { useId } from 'preact/hooks'

export interface Access {
  kind: 'none' | 'token' | 'header'
  /** Of the header. */
  name: string
  value: string
}

/** Headers that belong to the protocol or that browsers do not let pages set. */
const TAKEN =
  /^(accept|content-type|mcp-.*|last-event-id|cookie|host|origin|referer|connection|content-length|sec-.*|proxy-.*)$/i

/** @returns what is wrong; empty if nothing is. */
export function accessProblem({ kind, name, value }: Access): string {
  if (kind === 'none') return ''
  if (kind === 'header' && !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    return 'The name of a header has letters, digits and hyphens.'
  }
  if (kind === 'header' && TAKEN.test(name)) return `The header ${name} cannot be set here.`
  if (value.trim() === '') return kind === 'token' ? 'Enter the token.' : 'Enter the value.'
  if (!/^[\x20-\x7e]+$/.test(value.trim())) return 'It has letters, digits and signs only.'
  return ''
}

/** @returns the name of the header and its value. */
export function headerOf({ kind, name, value }: Access): [name: string, value: string] {
  if (kind === 'none') return ['', '']
  const secret = value.trim()
  if (kind === 'header') return [name, secret]
  return ['Authorization', /^bearer /i.test(secret) ? secret : `Bearer ${secret}`]
}

interface AccessFieldsProps {
  access: Access
  problem: string
  onChange: (access: Access) => void
}

const KINDS = { none: 'Nothing', token: 'A bearer token', header: 'A header of another name' }

export function AccessFields({ access, problem, onChange }: AccessFieldsProps) {
  const id = useId()
  const { kind, name, value } = access
  return (
    <>
      <div class="field">
        <label for={`${id}-kind`}>What proves who you are</label>
        <select
          id={`${id}-kind`}
          value={kind}
          onChange={(event) =>
            onChange({ ...access, kind: event.currentTarget.value as Access['kind'] })
          }
        >
          {Object.entries(KINDS).map(([key, label]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {kind === 'header' && (
        <div class="field">
          <label for={`${id}-name`}>Name of the header</label>
          <input
            id={`${id}-name`}
            type="text"
            placeholder="X-API-Key"
            autocomplete="off"
            spellcheck={false}
            value={name}
            onInput={(event) => onChange({ ...access, name: event.currentTarget.value })}
          />
        </div>
      )}
      {kind !== 'none' && (
        <div class="field">
          <label for={`${id}-value`}>{kind === 'token' ? 'Token' : 'Value'}</label>
          <input
            id={`${id}-value`}
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={value}
            aria-invalid={problem !== ''}
            onInput={(event) => onChange({ ...access, value: event.currentTarget.value })}
          />
        </div>
      )}
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
