import { Store } from 'fermyon:spin/key-value@2.0.0'

export type Handler = (url: URL, event: ComponentFetchEvent) => Response | Promise<Response>

const encoder = new TextEncoder()
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What a body, a status or the time after an answer is looked at with. */
export const bodies: Record<string, Handler> = {
  '/status': (url) => {
    const status = Number(url.searchParams.get('code'))
    const headers = new Headers({ location: '/elsewhere' })
    headers.append('set-cookie', 'a=1')
    headers.append('set-cookie', 'b=2')
    const bodyless = [204, 205, 304].includes(status)
    return new Response(bodyless ? null : `status ${status}`, { status, headers })
  },
  '/chunks': () => {
    let step = 0
    const body = new ReadableStream({
      async pull(controller) {
        if (step === 3) return controller.close()
        if (step > 0) await sleep(200)
        controller.enqueue(encoder.encode(`chunk ${step++} ${Date.now()}\n`))
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  },
  '/echo': (_, { request }) => new Response(request.body),
  '/count': async (_, { request }) => {
    let size = 0
    const reader = request.body?.getReader()
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return new Response(String(size))
      size += value?.length ?? 0
    }
  },
  '/throw': () => new Response('never reached'),
  '/break': () => {
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(encoder.encode('first'))
        await sleep(50)
        controller.error(new Error('the guest broke off'))
      },
    })
    return new Response(body, { headers: { 'content-length': '100' } })
  },
  // Writes into the store after the answer has left.
  '/after': (url, event) => {
    const key = url.searchParams.get('key') ?? 'after'
    event.waitUntil(
      sleep(300).then(() => Store.open('default').set(key, encoder.encode('written'))),
    )
    return new Response('answered')
  },
  // Writes for ever, and into the store how far it came.
  '/flood': (url) => {
    const store = Store.open('default')
    const key = url.searchParams.get('key') ?? 'flood'
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        const chunk = new Uint8Array(64 * 1024).fill(120)
        sent += chunk.length
        if (sent % (1024 * 1024) === 0) store.set(key, encoder.encode(String(sent)))
        controller.enqueue(chunk)
      },
    })
    return new Response(body)
  },
}
