export interface Entry {
  /** The file it is. */
  path: string
  /** What it is for, for the list of all. */
  about: string
}

/** What a user imports, in the order of the sidebar. */
export const ENTRIES: Readonly<Record<string, Entry>> = {
  'ftl-sdk': {
    path: 'sdk/src/index.ts',
    about: 'Writing tools, prompts, resources and jobs.',
  },
  'ftl-sdk/openapi': {
    path: 'sdk/src/openapi/index.ts',
    about: 'Serving an HTTP API as tools.',
  },
  'ftl-sdk/testing': {
    path: 'sdk/src/testing/index.ts',
    about: 'Calling a tool in a test, without building it.',
  },
  'ftl-contract': {
    path: 'contract/src/index.ts',
    about: 'What gateway and components say to each other.',
  },
  'ftl-client': {
    path: 'client/src/index.ts',
    about: 'Speaking with MCP servers, one or many.',
  },
  'ftl-client/auth': {
    path: 'client/src/auth.ts',
    about: 'Signing in at MCP servers, in Node.',
  },
  'ftl-client/ndjson': {
    path: 'client/src/ndjson.ts',
    about: 'Reading answers line by line, in browsers too.',
  },
  'ftl-client/chat': {
    path: 'client/src/chat.ts',
    about: 'A chat with live status, in browsers too.',
  },
  'ftl-host': {
    path: 'host/src/index.ts',
    about: 'Serving a spin.toml from a program of your own.',
  },
  'ftl-gateway/extend': {
    path: 'gateway/src/extend.ts',
    about: 'A gateway with transports and parts of your own.',
  },
}
