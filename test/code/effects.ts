import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the tools of the component `effects` have done. */
export interface Effects {
  url: string
  /** `append b`, in order. */
  done: string[]
  /** Called after an effect, before its answer. */
  onDone: (what: string) => void | Promise<void>
  close(): Promise<void>
}

export async function startEffects(): Promise<Effects> {
  const effects: Effects = {
    url: '',
    done: [],
    onDone: () => {},
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  const server = createServer((request, response) => {
    const what = (request.url ?? '').slice(1).replace('/', ' ')
    effects.done.push(what)
    void Promise.resolve(effects.onDone(what)).then(() => response.end(`did ${what}`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  effects.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return effects
}
