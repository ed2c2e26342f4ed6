/** TypeScript declarations of tools, from their input and output schemas: what a model reads before it calls them. */
import type { ToolDescription } from 'ftl-contract'
import { comment, memberName } from './text.ts'
import { TypeNames, typeName } from './type-names.ts'
import { TypeWriter } from './type-writer.ts'

/** A tool under the name that clients use, or, in a program, of its component. */
export interface DeclaredTool {
  name: string
  component: string
  description: Pick<ToolDescription, 'title' | 'description' | 'inputSchema' | 'outputSchema'>
}

/**
 * One interface with a method for each tool, and the types that recur in them.
 *
 * @param form `flat`: `interface Tools` by the names that clients use. `nested`: `declare const tools`, with an object for
 * each component.
 */
export function declareTools(
  tools: readonly DeclaredTool[],
  form: 'flat' | 'nested' = 'flat',
): string {
  const names = new TypeNames()
  const writer = new TypeWriter(names)
  const text =
    form === 'flat'
      ? `interface Tools {\n${tools.map((tool) => method(writer, tool, '  ')).join('\n')}\n}`
      : `declare const tools: {\n${components(tools)
          .map(([component, own]) => {
            const methods = own.map((tool) => method(writer, tool, '    ')).join('\n')
            return `  ${memberName(component)}: {\n${methods}\n  }`
          })
          .join('\n')}\n}`
  return [...names.declarations(), text].join('\n')
}

function method(
  writer: TypeWriter,
  { name, component, description }: DeclaredTool,
  indent: string,
): string {
  const { inputSchema, outputSchema, title, description: text = title ?? '' } = description
  const prefix = typeName(`${component} ${name}`)
  const input = writer.typeOf(inputSchema, prefix, indent)
  const output = outputSchema ? writer.typeOf(outputSchema, `${prefix}Output`, indent) : 'unknown'
  const { required } = inputSchema
  const mark = Array.isArray(required) && required.length > 0 ? '' : '?'
  return `${comment([text], indent)}${indent}${memberName(name)}(args${mark}: ${input}): Promise<${output}>`
}

function components(tools: readonly DeclaredTool[]): [string, DeclaredTool[]][] {
  const byComponent = new Map<string, DeclaredTool[]>()
  for (const tool of tools) {
    const own = byComponent.get(tool.component)
    if (own) own.push(tool)
    else byComponent.set(tool.component, [tool])
  }
  return [...byComponent]
}
