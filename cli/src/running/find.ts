/** Finds the application that is served from the folder a command runs in. */
import { dirname, relative, resolve } from 'node:path'
import { findManifest } from 'create-ftl-tool'
import { readRecords } from './record.ts'

/** The gateway of an application that another program serves, such as `spin up`. */
const DEFAULT_ORIGIN = 'http://127.0.0.1:3000'
/** The path of the gateway's MCP endpoint. */
export const MCP_PATH = '/mcp'
const HEALTH = '/.well-known/spin/health'
const HEALTH_TIMEOUT_MS = 2000

export interface Found {
  /** Address of the MCP endpoint. */
  url: string
  /** Folder of the application this folder belongs to. @default it belongs to none */
  application?: string
  /** Whether the application wrote the address down; else it is the default one. */
  isRecorded: boolean
}

/** @param from a folder, or a manifest. @default the current folder */
export async function findRunning(from = process.cwd()): Promise<Found> {
  const manifest = findManifest(resolve(from))
  const nowhere = { url: DEFAULT_ORIGIN + MCP_PATH, isRecorded: false }
  if (manifest === undefined) return nowhere
  const application = dirname(manifest)
  for (const { url } of readRecords(application)) {
    // The id of an ended process may belong to another one by now.
    if (await answers(url)) return { url: url + MCP_PATH, application, isRecorded: true }
  }
  return { ...nowhere, application }
}

async function answers(origin: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(HEALTH_TIMEOUT_MS)
    const response = await fetch(origin + HEALTH, { signal, redirect: 'error' })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

/** What to do when nothing answers at an address that the user did not choose. */
export function howToStart({ application }: Pick<Found, 'application'>): string {
  if (application === undefined) {
    return (
      'This folder is not part of an application. Go to the folder of a spin.toml that is served, start one with ' +
      '"ftl start", or name a server with --url.'
    )
  }
  const path = relative(process.cwd(), application)
  const where = path === '' ? 'here' : `in ${path}`
  return `The application ${where} is not running. Start it in another terminal: ${path === '' ? '' : `cd ${path} && `}npx ftl dev`
}
