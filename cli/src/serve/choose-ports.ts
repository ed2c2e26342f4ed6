/** Ports of `ftl start` and `ftl dev`, chosen before anything is built: the usual ones, or the next that are free. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asObject } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { findFreePort } from './ports.ts'

/** What listens. */
export interface Listener {
  /** For messages: `gateway`. */
  what: string
  /** `host:port` */
  address: string
  /** The option that chooses another address. */
  flag: string
  /** Whether the user has named the port: another one would not be what they asked for. */
  isChosen: boolean
  /** Record of a process of an earlier run, which the start ends. @default none */
  record?: string
  /** To be added to the line about another port. */
  hint?: string
}

export interface ChosenPorts {
  /** In the order of the listeners. */
  addresses: string[]
  /** A line for each port that is not the usual one. */
  notes: string[]
}

/** @throws {CommandFailure} naming every port that was asked for and is in use. */
export async function choosePorts(listeners: readonly Listener[]): Promise<ChosenPorts> {
  const addresses: string[] = []
  const notes: string[] = []
  const taken: string[] = []
  // Named ports first: no other listener may move to one of them.
  const named = listeners.filter(({ isChosen }) => isChosen).map(({ address }) => portOf(address))
  const used = new Set<number>()
  for (const { what, address, flag, isChosen, record, hint = '' } of listeners) {
    if (/:0$/.test(address) || (record !== undefined && isLeftBehind(record))) {
      addresses.push(address)
      used.add(portOf(address))
      continue
    }
    const others = isChosen ? used : new Set([...used, ...named])
    const attempts = isChosen ? 1 : undefined
    const free = await findFreePort(address, attempts, others).catch((error: unknown) => {
      if (error instanceof CommandFailure) return undefined
      // Such as an address of another machine: the start says what is wrong with it.
      return address
    })
    addresses.push(free ?? address)
    used.add(portOf(free ?? address))
    if (free === undefined) taken.push(`${address} is already in use (${what}, ${flag}).`)
    else if (free !== address) {
      notes.push(`${address} is in use, so the ${what} listens on ${free}.${hint}`)
    }
  }
  if (taken.length === 0) return { addresses, notes }
  throw new CommandFailure(
    `${taken.join('\n')}\nStop the program that uses the port (lsof -i :PORT names it), or choose another port.`,
  )
}

const portOf = (address: string) => Number(address.replace(/^.*:/, ''))

/** Where the bridge records its process, for a port. */
export const bridgeRecord = (stateFolder: string, port: number) =>
  join(stateFolder, `bridge-${port}.json`)

/** Whether the start will end the process of this record: it runs, and the program that started it does not. */
function isLeftBehind(record: string): boolean {
  let text: string
  try {
    text = readFileSync(record, 'utf8')
  } catch {
    return false
  }
  const { workerd, startedBy } = asObject(jsonOf(text))
  return isRunning(workerd) && !isRunning(startedBy)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function isRunning(recorded: unknown): boolean {
  const { pid } = asObject(recorded)
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 2) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
