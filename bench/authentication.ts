// What authentication adds to a call, in turns: none, an API key, a token that is known, an opaque one, the first call of a token, and a
// policy of 20 rules, of which the last one decides.
// Run: node bench/authentication.ts [--calls 1000] [--seconds 2] [--connections 8] [--spin PATH] [--against FOLDER]
// --spin also measures the same on this Spin. --against names the folder of another version, built, whose gateway is
// measured without authentication. --seconds is the time for the requests per second of each row; 0 leaves them out.
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { ALGORITHMS, createSetup, type Place, type Served } from './authentication-setup.ts'
import { Report } from './report.ts'
import { createSender } from './sender.ts'
import { median, milliseconds } from './statistics.ts'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '8' },
    spin: { type: 'string' },
    against: { type: 'string' },
  },
})
const calls = Number(values.calls)
const seconds = Number(values.seconds)
const connections = Number(values.connections)
const HERE = fileURLToPath(new URL('..', import.meta.url))
const OPEN = 'no authentication'
const WARM_UP = 50

const BODY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'echo', arguments: { message: 'x' } },
})

const setup = await createSetup()
const known = await setup.token('ES256')

interface Turn {
  what: string
  server: Served
  send(bearer: string | undefined): Promise<void>
  bearer: () => Promise<string | undefined>
  close(): Promise<void>
  times: number[]
}

/** An application for each: one that is called more often than another is faster. */
async function turnOf(
  what: string,
  place: Place,
  variables?: Record<string, string>,
  bearer: Turn['bearer'] = async () => undefined,
): Promise<Turn> {
  const server = await setup.start(place, variables)
  const sender = createSender(server.url)
  return {
    what,
    server,
    bearer,
    times: [],
    async send(token) {
      const shot = { path: '/mcp', body: BODY }
      const headers = { authorization: `Bearer ${token}` }
      const text = await sender.send(token === undefined ? shot : { ...shot, headers })
      if (!text.includes('"result"')) throw new Error(`${what}: ${text}`)
    },
    async close() {
      sender.close()
      await server.close()
    },
  }
}

async function measure(name: string, place: Place): Promise<void> {
  const { locked, ruled, asking, apiKey, opaque } = setup
  const turns: Turn[] = []
  const add = async (...args: Parameters<typeof turnOf>) => void turns.push(await turnOf(...args))
  if (values.against !== undefined) {
    await add(`${OPEN}, the other version`, { ...place, folder: values.against })
  }
  await add(OPEN, place)
  await add('API key', place, locked, async () => apiKey)
  await add('token that is known', place, locked, async () => known)
  // A Spin has the gateway as it was built, which is without this part.
  if (place.spin === undefined)
    await add('opaque token whose answer is kept', place, asking, async () => opaque)
  await add('API key, 20 rules', place, ruled, async () => apiKey)
  await add('token that is known, 20 rules', place, ruled, async () => known)
  for (const alg of ALGORITHMS) {
    await add(`first call of a token, ${alg}`, place, locked, () => setup.token(alg))
  }
  for (let nth = -WARM_UP; nth < calls; nth++) {
    // Another order in each round: what ran before is part of the time.
    for (let at = 0; at < turns.length; at++) {
      const turn = turns[(at * 5 + nth + WARM_UP) % turns.length]
      const token = await turn?.bearer()
      const since = performance.now()
      await turn?.send(token)
      if (nth >= 0) turn?.times.push(performance.now() - since)
    }
  }
  const table = new Report().table(
    `Authentication on ${name}: ${calls} calls each, in turns; ${connections} connections for the rate`,
    '  p50 ms',
    '  added',
    'ratio',
    'calls/s',
    'of open',
    'what',
  )
  const rates = await measureRates(turns)
  const open = turns.find(({ what }) => what === OPEN)
  const base = median(open?.times ?? [])
  const openRate = (open && rates.get(open)) ?? 0
  for (const turn of turns) {
    const p50 = median(turn.times)
    const rate = rates.get(turn) ?? 0
    table.row(
      milliseconds(p50),
      milliseconds(p50 - base),
      (p50 / base).toFixed(2),
      rate.toFixed(0),
      openRate > 0 ? (rate / openRate).toFixed(2) : '-',
      turn.what,
    )
  }
  for (const turn of turns) await turn.close()
}

const SLICE_MS = 250
/** More than a slice can send. */
const TOKENS = 400

/** Calls per second on several connections, in short turns: the median of the slices of each. */
async function measureRates(turns: readonly Turn[]): Promise<Map<Turn, number>> {
  const slices = new Map(turns.map((turn) => [turn, [] as number[]]))
  const rounds = Math.ceil((seconds * 1000) / SLICE_MS)
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < turns.length; at++) {
      const turn = turns[(at * 5 + round) % turns.length]
      if (turn) slices.get(turn)?.push(await rateOf(turn))
    }
  }
  return new Map([...slices].map(([turn, rates]) => [turn, rates.length > 0 ? median(rates) : 0]))
}

async function rateOf(turn: Turn): Promise<number> {
  const isNew = turn.what.startsWith('first')
  const tokens = await Promise.all(Array.from({ length: isNew ? TOKENS : 1 }, () => turn.bearer()))
  let sent = 0
  const since = performance.now()
  const isOver = () => performance.now() - since > SLICE_MS || (isNew && sent >= TOKENS)
  const client = async () => {
    while (!isOver()) await turn.send(tokens[sent++ % tokens.length])
  }
  await Promise.all(Array.from({ length: connections }, client))
  return sent / ((performance.now() - since) / 1000)
}

await measure('the embedded host', { folder: HERE })
if (values.spin !== undefined) await measure('Spin', { folder: HERE, spin: values.spin })
await setup.close()
