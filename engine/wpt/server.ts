/** Serves the files of the copy, and some of the programs on its server that tests of `fetch` call. */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'
import { PROGRAMS } from './programs.ts'

export interface FileServer {
  url: string
  close(): Promise<void>
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  json: 'application/json',
  txt: 'text/plain',
  html: 'text/html',
}

async function answer(root: string, request: IncomingMessage, response: ServerResponse) {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server')
  const name = pathname.split('/').at(-1) ?? ''
  const program = PROGRAMS[name]
  if (program) return program({ request, response, query: searchParams })
  // A `..` is already resolved by the parser.
  const file = join(root, normalize(decodeURIComponent(pathname)))
  const bytes = await readFile(file)
  if (name.endsWith('.asis')) {
    // A whole response, with its head.
    request.socket.end(bytes)
    return
  }
  const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  response.writeHead(200, { 'content-type': type }).end(request.method === 'HEAD' ? '' : bytes)
}

export async function serveFiles(root: string): Promise<FileServer> {
  const server = createServer((request, response) => {
    answer(root, request, response).catch(() => {
      if (response.headersSent) response.destroy()
      else response.writeHead(404).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
