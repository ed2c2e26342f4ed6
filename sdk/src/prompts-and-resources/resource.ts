/** `createResource`: data that a client can read by its address. */
import {
  type InputRequired,
  parseUriTemplate,
  type ResourceDescription,
  type ResourceResult,
  type ResourceTemplateDescription,
  type TemplateVariables,
} from 'ftl-contract'
import { toBase64 } from '../tool/base64.ts'
import type { ToolContext } from '../tool/context.ts'
import { InvalidAnswer } from '../tool/errors.ts'
import { type Complete, completionsOf, type Servable } from './common.ts'
import { servePromptsAndResources } from './serve.ts'

/**
 * A string, bytes, or an object, which is sent as JSON; `undefined` if the resource does not exist. An object with
 * `contents` is sent as the complete result.
 */
export type ResourceAnswer = string | Uint8Array | object | undefined

type Metadata<Uri extends string> =
  | (ResourceDescription & { uriTemplate?: undefined; complete?: undefined })
  | (Omit<ResourceTemplateDescription, 'uriTemplate'> & {
      /** `note://{day}`; `{+path}` also takes slashes. */
      uriTemplate: Uri
      uri?: undefined
      /** Completions that a client may offer for a variable while the user types. */
      complete?: { [Name in TemplateVariables<Uri>]?: Complete }
    })

/** A resource or a resource template: the metadata that clients see, and the handler that returns the contents. */
export interface ResourceDefinition<Uri extends string> {
  metadata: Metadata<Uri>
  handler: (
    variables: { [Name in TemplateVariables<Uri>]: string },
    context: ToolContext & { readonly uri: string },
  ) => ResourceAnswer | Promise<ResourceAnswer>
}

/** A resource made by `createResource`. */
export interface Resource extends Servable {
  kind: 'resource'
  description: ResourceDescription | ResourceTemplateDescription
  /** The contents; `undefined` if the URI does not match or the handler returns nothing. */
  read(uri: string, context: ToolContext): Promise<ResourceResult | InputRequired | undefined>
}

const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]*$/

/**
 * Makes a resource, or with `uriTemplate` a resource template.
 *
 * @throws {TypeError} at build time, when the address or a name in `complete` is invalid, or the handler is missing.
 * @example
 * export const resource = createResource({
 *   metadata: { uriTemplate: 'note://{day}', name: 'A day’s note', mimeType: 'text/plain' },
 *   handler: async ({ day }, { kv }) => kv.getText(`note:${day}`),
 * })
 */
export function createResource<const Uri extends string = never>({
  metadata: { complete, ...description },
  handler,
}: ResourceDefinition<Uri>): Resource {
  const address = description.uriTemplate ?? description.uri
  if (typeof address !== 'string' || !URI.test(address)) {
    throw new TypeError(
      `resource "${description.name}": give it a "uri" or a "uriTemplate" with a scheme, as "note://{day}"`,
    )
  }
  if (typeof handler !== 'function') {
    throw new TypeError(
      `resource "${address}": give it a "handler": (variables, context) => "the text"`,
    )
  }
  const template = description.uriTemplate === undefined ? undefined : parseUriTemplate(address)
  const known = (complete ?? {}) as Record<string, Complete>
  const stranger = Object.keys(known).find((name) => !template?.names.includes(name))
  if (stranger !== undefined) {
    throw new TypeError(
      `resource "${address}": "complete" names "${stranger}", which is not one of its variables`,
    )
  }
  return {
    kind: 'resource',
    description,
    completions: completionsOf(
      Object.fromEntries(Object.entries(known).map(([name, each]) => [name, { complete: each }])),
    ),
    serve: servePromptsAndResources,
    async read(uri, context) {
      const variables = template ? template.match(uri) : uri === address ? {} : undefined
      if (!variables) return undefined
      const own = Object.assign(Object.create(context) as ToolContext, { uri })
      const answer = await handler(variables as Parameters<typeof handler>[0], own)
      return toResourceResult(answer, uri, description.mimeType)
    },
  }
}

function toResourceResult(
  answer: unknown,
  uri: string,
  mimeType: string | undefined,
): ResourceResult | InputRequired | undefined {
  if (answer === undefined || answer === null) return undefined
  const typed = (fallback?: string) => {
    const type = mimeType ?? fallback
    return type === undefined ? {} : { mimeType: type }
  }
  if (typeof answer === 'string') return { contents: [{ uri, ...typed(), text: answer }] }
  if (answer instanceof Uint8Array) {
    return { contents: [{ uri, ...typed('application/octet-stream'), blob: toBase64(answer) }] }
  }
  if (typeof answer !== 'object') {
    throw new InvalidAnswer(
      `the handler of resource "${uri}" returned a ${typeof answer}. Return a string, bytes or an object`,
    )
  }
  if ('contents' in answer || 'resultType' in answer) return answer as ResourceResult
  return { contents: [{ uri, ...typed('application/json'), text: JSON.stringify(answer) }] }
}
