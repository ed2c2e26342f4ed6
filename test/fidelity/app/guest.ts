import { Store } from 'fermyon:spin/key-value@2.0.0'
import { get } from 'fermyon:spin/variables@2.0.0'
import { getEnvironment } from 'wasi:cli/environment@0.2.10'
import { getDirectories } from 'wasi:filesystem/preopens@0.2.10'
import { bodies, type Handler } from './bodies.ts'

const text = (bytes: Uint8Array | undefined) =>
  bytes === undefined ? null : new TextDecoder().decode(bytes)

function root() {
  const [[directory] = []] = getDirectories()
  if (!directory) throw new Error('there are no files')
  return directory
}

/** Bytes that repeat after 256. Copied, because a busy machine does not compute three million in the time of a request. */
function pattern(bytes: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(bytes)
  all.set(Uint8Array.from({ length: 256 }, (_, index) => (index * 31) % 256))
  for (let filled = 256; filled < bytes; filled *= 2) all.copyWithin(filled, 0, filled)
  return all
}

const digest = async (bytes: Uint8Array<ArrayBuffer>) =>
  String(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))

const handlers: Record<string, Handler> = {
  ...bodies,
  '/request': async (_, { request }) =>
    Response.json({
      component: new Map(getEnvironment()).get('NAME'),
      method: request.method,
      url: request.url,
      headers: [...request.headers],
      body: await request.text(),
    }),
  '/environment': () => Response.json(Object.fromEntries(getEnvironment())),
  '/variable': (url) => new Response(get(url.searchParams.get('name') ?? '')),
  '/kv': (url) => {
    const store = Store.open(url.searchParams.get('label') ?? 'default')
    const key = url.searchParams.get('key') ?? 'k'
    const value = url.searchParams.get('set')
    if (value !== null) store.set(key, new TextEncoder().encode(value))
    if (url.searchParams.has('delete')) store.delete(key)
    return Response.json({
      value: text(store.get(key)),
      exists: store.exists(key),
      listed: store.getKeys().includes(key),
    })
  },
  '/kv-large': async (url) => {
    const written = pattern(Number(url.searchParams.get('bytes')))
    const store = Store.open('default')
    store.set('large', written)
    const found = new Uint8Array(store.get('large') ?? [])
    store.delete('large')
    return Response.json({
      bytes: found.length,
      same: (await digest(found)) === (await digest(written)),
    })
  },
  '/file': (url) => {
    const file = root().openAt({}, url.searchParams.get('path') ?? '', {}, { read: true })
    return new Response(new Uint8Array(file.read(1_000_000n, 0n)[0]))
  },
  '/folder': (url) => {
    const folder = root().openAt({}, url.searchParams.get('path') ?? '.', {}, { read: true })
    const entries = folder.readDirectory()
    const names: string[] = []
    for (let entry; (entry = entries.readDirectoryEntry());) names.push(entry.name)
    return Response.json(names.sort())
  },
  '/log': () => {
    console.log('to standard output')
    console.error('to standard error')
    return new Response('logged')
  },
  // What fetch gives a component, redirects and refusals included. It forwards the headers of its own request, with
  // `fresh` none of them.
  '/fetch': async (url, { request }) => {
    const { method, body } = request
    const headers = url.searchParams.has('fresh') ? new Headers() : request.headers
    const init: RequestInit = {
      method,
      headers,
      redirect: 'manual',
      ...(body && { body, duplex: 'half' }),
    }
    try {
      const answer = await fetch(url.searchParams.get('to') ?? '', init)
      return new Response(answer.body, { status: answer.status, headers: answer.headers })
    } catch {
      return new Response('refused', { status: 502 })
    }
  },
}

/**
 * From the address, below the component's route or not: where another component forwards its headers, `spin-path-info`
 * has two values.
 */
function handlerPath(pathname: string): string {
  const below = pathname.replace(/^\/[^/]*/, '')
  return [pathname, below].find((path) => Object.hasOwn(handlers, path)) ?? '/request'
}

addEventListener('fetch', (event) => {
  const url = new URL(event.request.url)
  const path = handlerPath(url.pathname)
  const handler = handlers[path]
  event.respondWith(
    (async () => {
      if (!handler || path === '/throw') throw new Error('the guest threw')
      try {
        return await handler(url, event)
      } catch (error) {
        const { payload } = error as { payload?: unknown }
        return Response.json({ payload: payload ?? String(error) }, { status: 409 })
      }
    })(),
  )
})
