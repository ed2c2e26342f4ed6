/** Commands that serve until they are stopped: what they print when they are ready, and where they listen. */

export interface Serving {
  command: RegExp
  /** What it prints at last. */
  ready: string | RegExp
  /** Two that do the same cannot run at once. */
  role: 'gateway' | 'bridge' | 'servers'
  /** Option of its address, and the port that it has without one. */
  listens: { flag: string; port: number; isPort?: boolean }
}

const GATEWAY = { flag: '--listen', port: 3000 }

const SERVING: readonly Serving[] = [
  { command: /npm run dev$/, ready: 'watching for changes', role: 'gateway', listens: GATEWAY },
  {
    command: /(npm|npx ftl) start\b/,
    ready: 'Ctrl-C ends everything',
    role: 'gateway',
    listens: GATEWAY,
  },
  {
    command: /npx ftl up\b/,
    ready: /Available Routes|"type":"serving"/,
    role: 'gateway',
    listens: GATEWAY,
  },
  {
    command: /npx ftl bridge |npm run bridge$/,
    ready: /^Bridge ws:/m,
    role: 'bridge',
    listens: { flag: '--port', port: 8001, isPort: true },
  },
  {
    command: /npx ftl bridge-stdio /,
    ready: /^Serving /m,
    role: 'servers',
    listens: { flag: '--listen', port: 8765 },
  },
]

export const servingOf = (line: string): Serving | undefined =>
  / --help\b/.test(line) ? undefined : SERVING.find(({ command }) => command.test(line))

/** The line with an address, where it has none. @param ports by port of the page, the one that is used instead. */
export function withAddress(
  line: string,
  { listens: { flag, port, isPort } }: Serving,
  ports: ReadonlyMap<number, number>,
): string {
  const own = ports.get(port) ?? port
  if (own === port || line.includes(`${flag} `)) return line
  const dashes = /\bnpm (start|run)\b/.test(line) && !line.includes(' -- ') ? ' --' : ''
  return `${line}${dashes} ${flag} ${isPort ? own : `127.0.0.1:${own}`}`
}

/** Where a client of this machine reaches what the line serves. */
export function originOf(line: string, { listens }: Serving): string {
  const [, port = listens.port] = /--(?:listen|port) \S*?(\d+)(?:\s|$)/.exec(line) ?? []
  return `http://127.0.0.1:${port}`
}
