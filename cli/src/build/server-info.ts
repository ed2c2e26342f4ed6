/** How a gateway introduces itself to clients, as `ftl build` writes it into the component. */

/** An `Implementation` of MCP, and the instructions for models. */
export interface ServerInfo {
  name: string
  version: string
  title?: string
  description?: string
  websiteUrl?: string
  icons?: readonly ServerIcon[]
  instructions?: string
}

export interface ServerIcon {
  src: string
  mimeType?: string
  sizes?: readonly string[]
  theme?: 'light' | 'dark'
}

/** The gateway asks for it by this name. */
export const serverDefine = (server: ServerInfo | undefined): Record<string, string> =>
  server ? { BUILT_AS: JSON.stringify(server) } : {}
