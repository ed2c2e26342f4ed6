/** Proposals for small workflows, for tests. */
import { expect } from 'vitest'
import { toNodeClass } from '../../client/nodes.ts'
import { proposeTool, type ProposedField } from '../index.ts'

export const node = (class_type: string, inputs: Record<string, unknown>, title?: string) => ({
  class_type,
  inputs,
  ...(title !== undefined && { _meta: { title } }),
})

type Inputs = Record<string, [type: string, options?: Record<string, unknown>]>

/** A class as a server describes it: its inputs and the types of its outputs. */
export const nodeClass = (inputs: Inputs, output: string[] = []) =>
  toNodeClass({ input: { required: inputs }, output })

/** The fields by name. */
export function propose(
  workflow: Record<string, ReturnType<typeof node>>,
  classes?: Record<string, ReturnType<typeof nodeClass>>,
): Record<string, ProposedField> {
  const file = { path: 'workflows/t.json', text: JSON.stringify(workflow) }
  const { tool, findings } = proposeTool(file, 't', classes)
  if (!tool) throw new Error(findings.map(({ message }) => message).join('\n'))
  return Object.fromEntries(tool.fields.map((field) => [field.name, field]))
}

export const at = (id: string, attribute: string) => ({ node: id, attribute })

/** At least these members. */
export const like = (members: Record<string, unknown>): unknown => expect.objectContaining(members)
