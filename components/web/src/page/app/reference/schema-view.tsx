/** A JSON Schema as people read it: names, types, limits and descriptions. */
import { asArray, asRecord, text } from '../net/api.ts'
import type { Schema } from './document.ts'

/** Deeper parts wait until they are opened. */
const OPEN_DEPTH = 1

export function SchemaView({ schema, depth = 0 }: { schema: Schema; depth?: number }) {
  const properties = Object.entries(asRecord(schema['properties']))
  const required = new Set(asArray(schema['required']))
  const choices = [...asArray(schema['anyOf']), ...asArray(schema['oneOf'])].map(asRecord)
  const parts = asArray(schema['allOf']).map(asRecord)
  const items = schema['items']
  if (properties.length === 0 && choices.length === 0 && parts.length === 0 && !items) {
    return depth === 0 ? <p class="schema-type">{typeOf(schema)}</p> : null
  }
  return (
    <div class="schema">
      {parts.map((part, index) => (
        <SchemaView key={index} schema={part} depth={depth} />
      ))}
      {choices.map((choice, index) => (
        <div class="schema-choice" key={index}>
          <p class="schema-type">{`${index === 0 ? 'one of' : 'or'}: ${typeOf(choice)}`}</p>
          <SchemaView schema={choice} depth={depth + 1} />
        </div>
      ))}
      {items !== undefined && properties.length === 0 && (
        <div class="schema-choice">
          <p class="schema-type">{`each: ${typeOf(asRecord(items))}`}</p>
          <SchemaView schema={asRecord(items)} depth={depth + 1} />
        </div>
      )}
      {properties.length > 0 && (
        <dl>
          {properties.map(([name, value]) => (
            <Property
              key={name}
              name={name}
              schema={asRecord(value)}
              isRequired={required.has(name)}
              depth={depth}
            />
          ))}
        </dl>
      )}
    </div>
  )
}

interface PropertyProps {
  name: string
  schema: Schema
  isRequired: boolean
  depth: number
}

export function Property({ name, schema, isRequired, depth }: PropertyProps) {
  const about = text(schema['description'])
  const hasParts = ['properties', 'anyOf', 'oneOf', 'allOf', 'items'].some((key) => schema[key])
  return (
    <div class="property">
      <dt>
        <code>{name}</code> <span class="schema-type">{typeOf(schema)}</span>
        {isRequired && <span class="required">required</span>}
      </dt>
      <dd>
        {about !== undefined && <p>{about}</p>}
        {limitsOf(schema) !== '' && <p class="faint small-text">{limitsOf(schema)}</p>}
        {hasParts &&
          (depth < OPEN_DEPTH ? (
            <SchemaView schema={schema} depth={depth + 1} />
          ) : (
            <details>
              <summary>Its parts</summary>
              <SchemaView schema={schema} depth={depth + 1} />
            </details>
          ))}
      </dd>
    </div>
  )
}

function typeOf(schema: Schema): string {
  const { type, format, enum: choices, const: only, items } = schema
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(choices)) return choices.map((one) => JSON.stringify(one)).join(' | ')
  const name = Array.isArray(type) ? type.join(' | ') : text(type)
  if (name === 'array' && items !== undefined) return `array of ${typeOf(asRecord(items))}`
  if (name === undefined) {
    if (schema['properties']) return 'object'
    if (schema['anyOf'] ?? schema['oneOf']) return 'alternatives'
    return 'any'
  }
  return typeof format === 'string' ? `${name} (${format})` : name
}

const LIMITS: readonly [string, string][] = [
  ['minimum', 'at least'],
  ['exclusiveMinimum', 'more than'],
  ['maximum', 'at most'],
  ['exclusiveMaximum', 'less than'],
  ['minLength', 'characters, at least'],
  ['maxLength', 'characters, at most'],
  ['minItems', 'entries, at least'],
  ['maxItems', 'entries, at most'],
  ['pattern', 'pattern'],
  ['default', 'default'],
]

function limitsOf(schema: Schema): string {
  return LIMITS.flatMap(([key, words]) => {
    const value = schema[key]
    if (value === undefined) return []
    return `${words} ${typeof value === 'string' ? value : JSON.stringify(value)}`
  }).join(', ')
}
