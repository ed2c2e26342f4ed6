/**
 * `createResource`: something a client may read by its address.
 *
 * @module
 */
import type { InputRequired } from '../contract/input-required.ts'
import type {
  ResourceDescription,
  ResourceResult,
  ResourceTemplateDescription,
} from '../contract/resource.ts'
import { toBase64 } from '../tool/base64.ts'
import type { ToolContext } from '../tool/context.ts'
import { InvalidAnswer } from '../tool/errors.ts'
import { type Complete, completionsOf, type Offered } from './offered.ts'
import { serveOffers } from './serve.ts'
import { parseTemplate, type TemplateVariables } from './uri-template.ts'

/**
 * A text, bytes, or an object, which becomes JSON; `undefined` when there is no such resource. `{ contents }` says all of
 * it.
 */
export type ResourceAnswer = string | Uint8Array | object | undefined

type Metadata<Uri extends string> =
  | (ResourceDescription & { uriTemplate?: undefined; complete?: undefined })
  | (Omit<ResourceTemplateDescription, 'uriTemplate'> & {
      /** `note://{day}`; `{+path}` also takes slashes. */
      uriTemplate: Uri
      uri?: undefined
      /** What a client may offer for a variable while the user types. */
      complete?: { [Name in TemplateVariables<Uri>]?: Complete }
    })

/** A resource, or a template of many: what a client is shown of it, and its contents. */
export interface ResourceDefinition<Uri extends string> {
  metadata: Metadata<Uri>
  handler: (
    variables: { [Name in TemplateVariables<Uri>]: string },
    context: ToolContext & { readonly uri: string },
  ) => ResourceAnswer | Promise<ResourceAnswer>
}

/** A resource as `createResource` makes it. */
export interface Resource extends Offered {
  kind: 'resource'
  description: ResourceDescription | ResourceTemplateDescription
  /** The answer, unless the uri is none of this resource, or there is nothing. */
  read(uri: string, context: ToolContext): Promise<ResourceResult | InputRequired | undefined>
}

const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]*$/

/**
 * Makes a resource, or with `uriTemplate` a family of them.
 *
 * @throws {TypeError} at build time, when the address is not usable or the handler is missing.
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
  const template = description.uriTemplate === undefined ? undefined : parseTemplate(address)
  const known = (complete ?? {}) as Record<string, Complete>
  const stranger = Object.keys(known).find((name) => !template?.names.includes(name))
  if (stranger !== undefined) {
    throw new TypeError(
      `resource "${address}": "complete" names "${stranger}", which is no variable of it`,
    )
  }
  return {
    kind: 'resource',
    description,
    completions: completionsOf(
      Object.fromEntries(Object.entries(known).map(([name, each]) => [name, { complete: each }])),
    ),
    serve: serveOffers,
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
