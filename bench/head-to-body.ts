// How long a client waits between the head of a response and the end of its body, seen on the socket. On a server without
// TCP_NODELAY, a body that is written later than its head waits for a delayed acknowledgement of the client: 40 ms.
// Run: npm run bench -- --section head-to-body [--against URL].
import { connect, type Socket } from 'node:net'
import { SHOTS } from './load.ts'
import type { BenchOptions } from './options.ts'
import type { Report } from './report.ts'
import { CLIENTS, createSender, type Shot } from './sender.ts'
import { serve } from './serving.ts'
import { median, milliseconds, p99 } from './statistics.ts'

/** Upper ends of the columns, in milliseconds; the last column has the rest. 0: in one segment. */
const ENDS_MS = [0, 1, 5, 20, 35]

const INVOKE = JSON.stringify({ tool: 'zod-echo', params: { message: 'Hello' } })

const ROWS: [name: string, shot: Shot][] = [
  ['constant answer', SHOTS.constant],
  ['one component: MCP ping', CLIENTS.plain('ping', {})],
  ['bare chain', SHOTS.bare],
  ['gateway, Zod tool', SHOTS.gateway],
  ['gateway, Zod tool, 2025-11-25', SHOTS.gateway2025],
  ['gateway, Zod tool, 2026-07-28', SHOTS.gateway2026],
  ['gateway, Zod tool, POST /invoke', { path: '/invoke', body: INVOKE }],
]

export async function headToBody(report: Report, { quick, against }: BenchOptions): Promise<void> {
  const host = await serve({ workers: 1 })
  const servers = [['here', host.url], ...(against === undefined ? [] : [['there', against]])]
  const title = 'Responses by milliseconds between the head and the end of the body'
  const columns = ENDS_MS.map((end) => (end === 0 ? 'at once' : `up to ${end}`))
  const table = report.table(title, ...columns, 'longer', '  p50', '  p99', 'what')
  try {
    for (const [where, url] of servers as [string, string][]) {
      const sender = createSender(url)
      await sender.send(CLIENTS.plain('tools/list', {}))
      sender.close()
      for (const [name, shot] of ROWS) {
        const gaps = await measureGaps(url, shot, quick ? 150 : 1000)
        table.row(
          ...histogram(gaps),
          milliseconds(median(gaps)),
          milliseconds(p99(gaps)),
          `${name}, ${where}`,
        )
      }
    }
  } finally {
    await host.close()
  }
}

function histogram(gaps: readonly number[]): string[] {
  const counts = [...ENDS_MS, Infinity].map(() => 0)
  for (const gap of gaps) {
    const column = ENDS_MS.findIndex((end) => gap <= end)
    counts[column < 0 ? ENDS_MS.length : column]! += 1
  }
  return counts.map(String)
}

/** One after the other on one kept connection. @returns milliseconds; 0 where both came in one piece. */
async function measureGaps(url: string, shot: Shot, times: number): Promise<number[]> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const gaps: number[] = []
  try {
    for (let sent = 0; sent < times; sent++) gaps.push(await measureGap(socket, hostname, shot))
    return gaps
  } finally {
    socket.destroy()
  }
}

/** @throws {Error} when the status is not 200, or the connection ends. */
function measureGap(socket: Socket, host: string, { path, body, headers }: Shot): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = ''
    let headAt: number | undefined
    const settle = (settled: () => void) => {
      socket.off('data', read).off('close', closed)
      settled()
    }
    const closed = () => settle(() => reject(new Error(`${path}: the connection was closed`)))
    const read = (data: Buffer) => {
      text += data.toString('latin1')
      if (!text.includes('\r\n\r\n')) return
      headAt ??= performance.now()
      if (!text.startsWith('HTTP/1.1 200')) {
        settle(() => reject(new Error(`${path}: ${text.slice(0, 200)}`)))
      } else if (isWhole(text)) {
        const piece = text.length === data.length
        const gap = piece ? 0 : performance.now() - headAt
        settle(() => resolve(gap))
      }
    }
    socket.on('data', read).on('close', closed)
    socket.write(requestText(host, { path, body, headers }))
  })
}

function requestText(host: string, { path, body, headers }: Shot): string {
  const entries = {
    host,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
    ...headers,
  }
  const lines = Object.entries(entries).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  const length = /^content-length: (\d+)$/im.exec(text.slice(0, end).replaceAll('\r', ''))?.[1]
  return length === undefined ? text.endsWith('0\r\n\r\n') : text.length >= end + 4 + Number(length)
}
