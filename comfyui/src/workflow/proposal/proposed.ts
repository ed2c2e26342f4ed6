/** What `ftl workflows init` writes. */
import type { FieldType } from '../field.ts'

export interface ProposedMapping {
  node: string
  attribute: string
}

/** In the form and the order of the configuration format. */
export interface ProposedField {
  name: string
  type: FieldType
  description: string
  required?: boolean
  default?: unknown
  enum?: unknown[]
  minimum?: number
  maximum?: number
  mapping: ProposedMapping | ProposedMapping[]
  generator?: { type: 'seed'; options?: { max: number } }
}

export interface ProposedTool {
  name: string
  description: string
  fields: ProposedField[]
}

/** A field of one input. Drafts of one name and one value become one field. */
export interface Draft extends Omit<ProposedField, 'mapping'> {
  mapping: ProposedMapping
  /** The author's value, even if it is not the default. A seed has none, because all seeds of a workflow are one field. */
  value?: unknown
}
