/** Finds the application that is served from the folder a command runs in. */
import { dirname, relative, resolve } from 'node:path'
import { findManifest } from 'create-ftl-tool'
import { CommandFailure } from '../terminal/failure.ts'
import { readRecords } from './record.ts'

/** The path of the gateway's MCP endpoint. */
export const MCP_PATH = '/mcp'
const HEALTH = '/.well-known/spin/health'
const HEALTH_TIMEOUT_MS = 2000
/** As for a server that cannot be reached. */
const EXIT_NO_SERVER = 4

export interface Found {
  /** Address of the MCP endpoint. @default nothing of `ftl` serves the application */
  url?: string
  /** Folder of the application this folder belongs to. @default it belongs to none */
  application?: string
}

/**
 * No address is guessed: what answers on a usual port may be another application.
 *
 * @param from a folder, or a manifest. @default the current folder
 * @param patienceMs after which a server that accepts the connection counts as busy.
 */
export async function findRunning(
  from = process.cwd(),
  patienceMs = HEALTH_TIMEOUT_MS,
): Promise<Found> {
  const manifest = findManifest(resolve(from))
  if (manifest === undefined) return {}
  const application = dirname(manifest)
  for (const { url } of readRecords(application)) {
    // The id of an ended process may belong to another one by now.
    if (await answers(url, patienceMs)) return { url: url + MCP_PATH, application }
  }
  return { application }
}

/** The address of the application of this folder. @throws {CommandFailure} saying how to start it. */
export async function servedHere(): Promise<string> {
  const found = await findRunning()
  if (found.url !== undefined) return found.url
  throw new CommandFailure(howToStart(found), EXIT_NO_SERVER)
}

/** Whether it serves. One that is busy, such as with a build, does: what is asked of it next has a limit of its own. */
async function answers(origin: string, patienceMs: number): Promise<boolean> {
  const signal = AbortSignal.timeout(patienceMs)
  try {
    const response = await fetch(origin + HEALTH, { signal, redirect: 'error' })
    await response.body?.cancel()
    return response.ok
  } catch {
    return signal.aborted
  }
}

/** What to do when nothing answers at an address that the user did not choose. */
export function howToStart({ application }: Pick<Found, 'application'>): string {
  const other =
    'If another program serves it, such as "spin up", name its address: --url http://127.0.0.1:3000/mcp'
  if (application === undefined) {
    return (
      'This folder is not part of an application. Go to the folder of a spin.toml that is served, start one with ' +
      '"ftl start", or name a server: --url http://127.0.0.1:3000/mcp'
    )
  }
  const path = relative(process.cwd(), application)
  const where = path === '' ? 'here' : `in ${path}`
  return `The application ${where} is not running. Start it in another terminal: ${path === '' ? '' : `cd ${path} && `}npx ftl dev\n${other}`
}
