import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/command.ts'

export interface WebServer {
  url: string
  close(): Promise<void>
}

/** A server on a free port. */
export async function serve(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<WebServer> {
  const server = createServer((request, response) => {
    void buffer(request).then((body) => answer(request, response, body.toString()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** A handler in the form of the web, over node:http. */
export function serveFetch(handler: (request: Request) => Promise<Response>): Promise<WebServer> {
  return serve((incoming, outgoing, body) => {
    const { method = 'GET', url = '/' } = incoming
    const headers = incoming.headers as Record<string, string>
    const init = { method, headers, ...(body !== '' && { body }) }
    void handler(new Request(`http://${incoming.headers.host}${url}`, init)).then(
      async (response) => {
        outgoing.writeHead(response.status, Object.fromEntries(response.headers))
        for await (const chunk of response.body ?? []) outgoing.write(chunk)
        outgoing.end()
      },
    )
  })
}

export interface Everything extends WebServer {
  /** Ends it and starts another on the same port, which knows nothing of earlier sessions. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** The official server-everything over Streamable HTTP, with sessions, on the official SDK 1. */
export async function startEverything(): Promise<Everything> {
  const path = '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js'
  const script = fileURLToPath(new URL(path, import.meta.url))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/mcp`
  let child: ChildProcess
  const start = async () => {
    child = spawn(process.execPath, [script, 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
      stdio: 'ignore',
    })
    for (let tries = 0; tries < 200; tries++) {
      if (await fetch(url).then(Boolean, () => false)) return
      await sleep(50)
    }
    throw new Error('server-everything did not start')
  }
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await exited
  }
  await start()
  return {
    url,
    stop,
    async restart() {
      await stop()
      await start()
    },
    close: stop,
  }
}
