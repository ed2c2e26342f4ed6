// Clients that each do one harmful thing again and again until their signal is aborted.
import { RawClient } from './raw-client.ts'

export interface HostileClient {
  /** What it does, in a few words. */
  does: string
  /** One round; settles early when the signal is aborted. */
  attack: (port: number, signal: AbortSignal) => Promise<void>
}

/** Of the networks for documentation: the host counts what each client takes, as behind a proxy. */
const client = (number: number) => `X-Forwarded-For: 203.0.113.${number}`

const crlf = (...lines: string[]) => [...lines, '', '']
const call = (name: string, args: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
const post = (from: number, body: string, length = Buffer.byteLength(body)) =>
  [
    ...['POST /mcp HTTP/1.1', 'Host: localhost', client(from), 'Content-Type: application/json'],
    ...[`Content-Length: ${length}`, '', body],
  ] as const
const ECHO = call('echo', { message: 'Hello' })

/** Pauses; settles at once when the signal is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const timer = setTimeout(done, milliseconds)
    function done() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    signal?.addEventListener('abort', done)
  })
}

/** Opens so many sockets, one every `everyMs`, lets each send, holds them for a while, and cuts them. */
async function hold(
  port: number,
  signal: AbortSignal,
  count: number,
  milliseconds: number,
  send: (socket: RawClient) => unknown,
  everyMs = 0,
): Promise<void> {
  const clients: RawClient[] = []
  try {
    for (let nth = 0; nth < count && !signal.aborted; nth++) {
      const socket = new RawClient(port)
      clients.push(socket)
      send(socket)
      if (everyMs > 0) await pause(everyMs, signal)
    }
    await pause(milliseconds, signal)
  } finally {
    for (const socket of clients) socket.destroy()
  }
}

/** A job that works for a minute, through the gateway. It is not waited for: a call that waits can lose its thread to a guest. */
async function startJob(port: number, signal: AbortSignal): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/invoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify({ tool: 'slow_compute', params: { seconds: 60, label: 'soak' } }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
  })
  const answer = await response.text()
  if (response.status !== 202) {
    throw new Error(`the gateway started no job: ${response.status} ${answer.slice(0, 200)}`)
  }
  return (JSON.parse(answer) as { id: string }).id
}

/** 80 callers at once of what keeps a thread; they leave after three seconds, and others come. */
const crowd =
  (name: string, args: object): HostileClient['attack'] =>
  (port, signal) =>
    hold(port, signal, 80, 3000, (socket) => socket.send(...post(7, call(name, args))))

/** By name. */
export const HOSTILE_CLIENTS: Readonly<Record<string, HostileClient>> = {
  'callers of a loop': {
    does: '80 calls at once of a tool in TypeScript that computes without an end',
    attack: crowd('loop', {}),
  },
  'looping programs': {
    does: '80 programs at once that compute without an end',
    attack: crowd('run_code', { code: 'for (;;);' }),
  },
  'callers of long work': {
    does: '80 calls at once of a tool that computes for 3.9 s',
    attack: crowd('compute', { milliseconds: 3900 }),
  },
  'callers of bursts': {
    does: '80 calls at once of a tool that computes for 45 ms, again and again',
    attack: crowd('bursts', { milliseconds: 45, times: 80 }),
  },
  'slow heads': {
    does: '300 sockets that send half a head',
    attack: (port, signal) =>
      hold(port, signal, 300, 20_000, (socket) => socket.send('GET /health HTTP/1.1', 'Host: lo')),
  },
  'slow bodies': {
    does: '250 sockets that send ten bytes of a body',
    attack: (port, signal) =>
      hold(port, signal, 250, 20_000, (socket) => socket.send(...post(1, '0123456789', 1000))),
  },
  'readers that never read': {
    does: '20 sockets that ask for 64 MB and read nothing',
    attack: (port, signal) =>
      hold(port, signal, 20, 10_000, (socket) => {
        socket.socket.pause()
        socket.send(...crlf('GET /huge-body/ HTTP/1.1', 'Host: localhost', client(2)))
      }),
  },
  'aborted requests': {
    does: '20 calls that are cut right away',
    attack: (port, signal) => hold(port, signal, 20, 5, (socket) => socket.send(...post(3, ECHO))),
  },
  'half-closed sockets': {
    does: '20 calls whose sending side is closed',
    attack: (port, signal) =>
      hold(port, signal, 20, 2000, (socket) => {
        socket.send(...post(4, ECHO))
        socket.socket.end()
      }),
  },
  pipelining: {
    does: '200 calls written at once on each of two sockets',
    attack: (port, signal) =>
      hold(port, signal, 2, 3000, (socket) => {
        for (let nth = 0; nth < 200; nth++) socket.send(...post(5, ECHO))
      }),
  },
  garbage: {
    does: '20 sockets that send random bytes',
    attack: (port, signal) =>
      hold(port, signal, 20, 200, (socket) =>
        socket.socket.write(crypto.getRandomValues(new Uint8Array(4096))),
      ),
  },
  'event readers': {
    does: '260 readers of the events of one job',
    attack: async (port, signal) => {
      const job = await startJob(port, signal)
      // Ten a second: each takes an instance of its own, and to make one takes 20 ms of a core.
      await hold(
        ...([port, signal, 260, 10_000] as const),
        (socket) =>
          socket.send(
            ...crlf(
              `GET /jobs/${job}/events HTTP/1.1`,
              'Host: localhost',
              client(6),
              'Accept: text/event-stream',
            ),
          ),
        100,
      )
    },
  },
  'unknown tools': {
    does: '10 calls a second of tools that do not exist',
    attack: async (port, signal) => {
      await hold(port, signal, 1, 100, (socket) =>
        socket.send(...post(7, call(`no_such_tool_${Math.random()}`, {}))),
      )
    },
  },
}
