/**
 * Node's HTTP for the threads of the host.
 *
 * `import 'node:http'` reads all that the module exports, and some of it loads Node's `fetch`, which no thread needs: 50 of the 54 ms
 * of processor time that the import takes on Node 26.10.
 */
export const http = process.getBuiltinModule('node:http')
export const https = process.getBuiltinModule('node:https')
