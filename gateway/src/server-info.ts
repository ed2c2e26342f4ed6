/** How the gateway introduces itself to clients. */

/** What `[application]` of `spin.toml` says, as MCP has it. */
interface Application {
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly description?: string
  readonly websiteUrl?: string
  readonly icons?: readonly object[]
  /** How to use the server, for models. */
  readonly instructions?: string
}

/** Set by `ftl build`, and by a host that runs the gateway beside its components. */
declare const BUILT_AS: Application | undefined

const { instructions, ...info } =
  typeof BUILT_AS === 'undefined'
    ? ({ name: 'ftl-mcp-gateway', version: '0.1.0' } as Application)
    : BUILT_AS

/** An `Implementation` of MCP. */
export const SERVER_INFO: Omit<Application, 'instructions'> = info

/** Its required part, for what is sent with every result. */
export const SERVER_NAME = { name: info.name, version: info.version } as const

/** An empty object without them. */
export const SERVER_INSTRUCTIONS: Pick<Application, 'instructions'> =
  instructions === undefined ? {} : { instructions }
