import { get } from 'node:http'
import { CACHE_DIR, sleep } from './fixture.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { type MeasuredHost, startMeasured } from '../support/measured-host.ts'

export const MEGABYTE = 1024 * 1024

/**
 * One component that writes as fast as it can, and one between it and the client.
 *
 * One worker serves a request with all its components; each further one would be 20 MB that have nothing to do with it.
 */
export function startChain(): Promise<MeasuredHost> {
  return startMeasured({
    manifest: MANIFESTS.hostile,
    components: ['relay', 'good'],
    cacheDir: CACHE_DIR,
    stateDir: '',
    workers: 1,
  })
}

export interface ReadOptions {
  /** Bytes the guest writes. */
  written: number
  /** Bytes after which the client goes. @default all */
  read?: number
  /** Bytes a second. @default as fast as they come */
  rate?: number
  /** Path that takes `bytes`. @default two components */
  path?: string
}

const PATTERN = Buffer.from(Array.from({ length: 251 * 1024 }, (_, i) => i % 251))

/**
 * Reads what the guest writes and checks each byte.
 *
 * @returns bytes read and the milliseconds it took.
 */
export async function readSlowly(
  url: string,
  { written, read = written, rate = Infinity, path = '/relay/relay' }: ReadOptions,
): Promise<{ bytes: number; milliseconds: number }> {
  const started = performance.now()
  const request = get(`${url}${path}?bytes=${written}`, { agent: false })
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
  })
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const wanted = PATTERN.subarray(bytes % 251, (bytes % 251) + chunk.length)
    if (!wanted.equals(chunk)) throw new Error(`wrong from byte ${bytes} on`)
    bytes += chunk.length
    if (bytes >= read) break
    const ahead = (bytes / rate) * 1000 - (performance.now() - started)
    if (ahead > 5) await sleep(ahead)
  }
  request.destroy()
  if (bytes < read) throw new Error(`ended after ${bytes} bytes`)
  return { bytes, milliseconds: performance.now() - started }
}
