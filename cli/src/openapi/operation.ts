/** One operation of a document as a tool. */
import type { ApiOperation, ToolAnnotations } from 'ftl-contract'
import { addParameters, looksLikeCredential, noArguments } from './arguments.ts'
import { addBody } from './body.ts'
import { type Fields, listOf, type References, textOf } from './references.ts'
import type { SchemaCopies } from './schema-copy.ts'
import { type Credentials, securityOf } from './security.ts'
import { serverOf } from './servers.ts'
import { brief } from './text.ts'

/** An operation as the document has it. */
export interface FoundOperation {
  /** Of the tool. */
  name: string
  operationId?: string | undefined
  /** In lower case. */
  method: string
  path: string
  tags: string[]
  isDeprecated: boolean
  fields: Fields
  pathItem: Fields
}

export interface Reading {
  references: References
  copies: SchemaCopies
  document: Fields
  credentials: Credentials
  /** What each operation needs, whatever the document says. @default what it says */
  security?: string[][]
  /** Whether servers of operations count. */
  ownServers: boolean
  /** Address of the document, for relative servers. */
  base?: string | undefined
}

/** Characters. A model reads it with every request. */
const MAX_DESCRIPTION = 700

/** @returns why no tool can be made of it. */
export function operationOf(found: FoundOperation, reading: Reading): ApiOperation | string {
  const { references, copies, document, credentials } = reading
  const { name, method, path, fields, pathItem } = found
  const security = reading.security
    ? { security: reading.security }
    : securityOf(references, fields['security'] ?? document['security'], credentials)
  if ('missing' in security) return `its authentication cannot be sent: ${security.missing}`
  const server = reading.ownServers ? ownServer(found, reading) : undefined
  if (server === null) return 'its server is not an address that a document may name'
  const wants = security.security.length > 0
  const isCredential = (place: string, parameter: string, description: unknown) =>
    [...credentials.values()].some(
      (each) =>
        each.in !== 'basic' &&
        each.in === place &&
        each.name.toLowerCase() === parameter.toLowerCase(),
    ) ||
    (wants && looksLikeCredential(parameter, description))
  const all = noArguments()
  const lists = [pathItem['parameters'], fields['parameters']]
  const parameters = addParameters(references, copies, lists, isCredential, all)
  const places = [...(path.split(/[?#]/)[0] ?? '').matchAll(/\{([^{}/]+)\}/g)].map(
    ([, each]) => each,
  )
  const known = new Set(parameters.flatMap((each) => (each.in === 'path' ? [each.name] : [])))
  const unknown = places.find((each) => each === undefined || !known.has(each))
  if (unknown !== undefined) return `its path has {${unknown}}, which is not one of its parameters`
  const body = addBody(references, copies, fields['requestBody'], all)
  if (body && 'unsupported' in body) return `its body cannot be sent: ${body.unsupported}`
  const title = textOf(fields['summary'])
  return {
    name,
    ...(title !== undefined && { title: brief(title, 100) }),
    description: descriptionOf(found),
    method: method.toUpperCase(),
    path,
    ...(server !== undefined && { server }),
    annotations: annotationsOf(method),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(all.properties),
      ...(all.required.length > 0 && { required: all.required }),
      additionalProperties: false,
    },
    parameters,
    ...(body && { body }),
    security: security.security,
    paging: parameters.flatMap((each) =>
      each.in === 'query' && PAGING.test(each.name) ? [each.argument] : [],
    ),
  }
}

/** What APIs call the arguments that choose a part of a list. */
const PAGING =
  /^(\$?(page|per_?page|page[-_]?(size|number|token|index)|limit|offset|skip|top|cursor|after|before|starting_after|ending_before|start|max[-_]?results|count|continue|marker|next[-_]?(token|cursor)|first|last)|page\[(size|number|after|limit|offset|cursor)\])$/i

function descriptionOf({ method, path, fields, isDeprecated }: FoundOperation): string {
  const summary = textOf(fields['summary']) ?? ''
  const description = textOf(fields['description']) ?? ''
  const isRepeated = description.toLowerCase().startsWith(summary.toLowerCase())
  const end = /[.!?]$/.test(summary) || summary === '' ? '' : '.'
  const words = isRepeated ? description : `${summary}${end} ${description}`
  const text = brief(words, MAX_DESCRIPTION)
  const request = `${method.toUpperCase()} ${path.slice(0, 200)}`
  const marked = isDeprecated ? `Deprecated. ${text}` : text
  return marked.trim() === '' ? request : `${marked.trim()} (${request})`
}

/** @see https://www.rfc-editor.org/rfc/rfc9110#section-9.2 */
function annotationsOf(method: string): ToolAnnotations {
  if (method === 'get' || method === 'head') return { readOnlyHint: true, openWorldHint: true }
  const repeats = method === 'put' || method === 'delete'
  return {
    readOnlyHint: false,
    destructiveHint: method !== 'post',
    idempotentHint: repeats,
    openWorldHint: true,
  }
}

/** @returns `null` for one that requests cannot go to. */
function ownServer(
  { fields, pathItem }: FoundOperation,
  { references, base }: Reading,
): string | null | undefined {
  const node = [fields, pathItem].find((each) => listOf(references, each['servers']).length > 0)
  if (!node) return undefined
  return serverOf(references, node, base) ?? null
}
