/**
 * Tools of an HTTP API: what `ftl add openapi` writes for a component, and `ftl-sdk/openapi` serves.
 *
 * It has what a call needs and nothing else of the OpenAPI document, so a component reads no document.
 */
import type { JsonSchema, ToolAnnotations } from './tool.ts'

/** The operations of one API, and what their requests need. */
export interface ApiPlan {
  format: 1
  title: string
  /** Of the document. */
  version: string
  /** Where the document is: a URL, or a path from the application's folder. */
  source: string
  /** How its operations were chosen, so that an update chooses the same. */
  choice: ApiChoice
  /** Base URL of requests. */
  server: string
  /** By name. */
  credentials: Record<string, ApiCredential>
  operations: ApiOperation[]
  /** Shared by the schemas of the operations, which refer to them as `#/$defs/NAME`. */
  schemas: Record<string, JsonSchema>
}

/** The options of `ftl add openapi` that chose the operations. */
export interface ApiChoice {
  include?: string[]
  exclude?: string[]
  tag?: string[]
  operation?: string[]
  readOnly?: boolean
  server?: string
  auth?: string
}

/** Where credentials are sent, and the variables that have them. */
export type ApiCredential =
  | { in: 'header' | 'query' | 'cookie'; name: string; prefix?: string; variable: string }
  | { in: 'basic'; username: string; password: string }

/** An operation of the API, and the tool that calls it. */
export interface ApiOperation {
  /** Name of its tool. */
  name: string
  title?: string
  description: string
  /** In upper case. */
  method: string
  /** Such as `/pets/{id}`. */
  path: string
  /** @default that of the plan */
  server?: string
  annotations: ToolAnnotations
  inputSchema: JsonSchema
  parameters: ApiParameter[]
  body?: ApiBody
  /** Alternatives: each is a list of credentials that are sent together. Empty: none are needed. */
  security: string[][]
  /** Arguments that choose a part of a long list, such as `page`. */
  paging: string[]
}

/** A parameter of a request outside of its body, and the argument that gives its value. */
export interface ApiParameter {
  argument: string
  /** On the wire. */
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  style: ApiStyle
  explode: boolean
  /** Characters with a meaning in a URL are sent as they are. @default false */
  allowReserved?: boolean
}

/** As in OpenAPI; `json` for parameters with `content`. */
export type ApiStyle =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  | 'json'

/** How the body of a request is made from arguments: from one, or from one for each field. */
export interface ApiBody {
  mediaType: string
  kind: 'json' | 'form' | 'multipart' | 'text' | 'binary'
  /** The argument that is all of it. @default it has `fields` */
  argument?: string
  fields?: ApiField[]
}

/** A property of a body that is an argument of its own. */
export interface ApiField {
  argument: string
  name: string
  /** In forms. */
  style?: ApiStyle
  explode?: boolean
  /** In `multipart/form-data`: base64 of the bytes of a file. @default false */
  isFile?: boolean
  mediaType?: string
}
