/** The operations of a document, and those that the user wants. */
import type { ApiChoice } from 'ftl-contract'
import { matches } from './glob.ts'
import { TakenNames, toolNameFor } from './names.ts'
import type { FoundOperation } from './operation.ts'
import { type Fields, type References, textOf } from './references.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']
/** They return no content that a tool could. */
const WITHOUT_CONTENT = ['head', 'options', 'trace']

/** In the order of the document. Names do not depend on what is chosen. */
export function operationsIn(references: References, document: Fields): FoundOperation[] {
  const taken = new TakenNames()
  const found: FoundOperation[] = []
  for (const [path, node] of Object.entries(references.fields(document['paths']))) {
    if (!path.startsWith('/')) continue
    const pathItem = references.fields(node)
    for (const method of METHODS) {
      if (!Object.hasOwn(pathItem, method)) continue
      const fields = references.fields(pathItem[method])
      const operationId = textOf(fields['operationId'])
      const tags = Array.isArray(fields['tags']) ? fields['tags'].map(String) : []
      const isDeprecated = fields['deprecated'] === true
      const name = toolNameFor({ operationId, method, path }, taken)
      found.push({ name, operationId, method, path, tags, isDeprecated, fields, pathItem })
    }
  }
  return found
}

/**
 * Why an operation is left out.
 *
 * @returns `undefined` for one that is wanted, `''` for one that the user did not choose.
 */
export function leftOut(operation: FoundOperation, choice: ApiChoice): string | undefined {
  const { include, exclude = [], tag, operation: named, readOnly } = choice
  const { method, isDeprecated, tags } = operation
  const isNamed = named?.some((pattern) => isCalled(operation, pattern)) ?? false
  if (exclude.some((pattern) => isCalled(operation, pattern))) return ''
  const wants = [
    ...(named ? [isNamed] : []),
    ...(include ? [include.some((pattern) => isCalled(operation, pattern))] : []),
    ...(tag
      ? [tags.some((each) => tag.some((other) => other.toLowerCase() === each.toLowerCase()))]
      : []),
  ]
  if (wants.length > 0 && !wants.includes(true)) return ''
  if (readOnly && method !== 'get') return ''
  if (isNamed) return undefined
  if (WITHOUT_CONTENT.includes(method)) return `${method.toUpperCase()} returns no content`
  return isDeprecated ? 'it is deprecated' : undefined
}

/** By the name of its tool, its operationId, its path, or method and path. */
function isCalled({ name, operationId, method, path }: FoundOperation, pattern: string): boolean {
  const request = `${method.toUpperCase()} ${path}`
  return [name, operationId, path, request].some(
    (each) => each !== undefined && matches(pattern, each),
  )
}
