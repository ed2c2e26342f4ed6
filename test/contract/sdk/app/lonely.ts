// Asks for what its manifest does not allow.
import { createTool, createTools } from 'ftl-sdk'

const message = (error: unknown) => (error instanceof Error ? error.message : String(error))

export const tools = createTools([
  createTool({
    metadata: { name: 'calls' },
    handler: (_, { callTool }) => callTool('pantry', { what: 'a' }).then(String, message),
  }),
  createTool({
    metadata: { name: 'fetches' },
    handler: (_, { fetch }) => fetch('http://127.0.0.1:9/x').then(String, message),
  }),
  createTool({
    metadata: { name: 'stores' },
    handler: (_, { kv }) => kv.getText('a').then(String, message),
  }),
  createTool({
    metadata: { name: 'reads' },
    handler: (_, { variables }) => {
      try {
        return variables.require('api_key')
      } catch (error) {
        return message(error)
      }
    },
  }),
])
