/** What the type writer makes of a schema, and short forms of schemas. */
import type { JsonSchema } from 'ftl-contract'
import { TypeNames } from '../declarations/type-names.ts'
import { TypeWriter } from '../declarations/type-writer.ts'
import type { Sample } from './type-check.ts'

export function written(schema: JsonSchema): Omit<Sample, 'value'> {
  const names = new TypeNames()
  const type = new TypeWriter(names).typeOf(schema, 'Tool')
  return { type, declarations: names.declarations().join('\n') }
}

export const object = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  ...more,
})
export const string = { type: 'string' }
export const number = { type: 'number' }
