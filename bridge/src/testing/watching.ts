/** For tests: a bridge that watches two ComfyUI servers, and listeners on it. */
import { expect } from 'vitest'
import { GatewayStandIn, listen, type Listening, type Message } from './gateway-stand-in.ts'
import { type Bridge, startBridge } from '../local.ts'
import { ComfyStandIn } from './comfyui-stand-in.ts'

export interface Watching {
  gateway: GatewayStandIn
  bridge: Bridge
  servers: [ComfyStandIn, ComfyStandIn]
  /** A listener whose stream is watched on both servers. */
  watch(stream: string): Promise<Listening>
  /** Closes every listener, and waits until the bridge has disconnected from the servers. */
  leave(): Promise<void>
  close(): Promise<void>
}

export async function startWatching(): Promise<Watching> {
  const gateway = await GatewayStandIn.start()
  const servers: Watching['servers'] = [await ComfyStandIn.start(), await ComfyStandIn.start()]
  const [big, small] = servers
  const comfyuiUrls = { big: big.url, small: `${small.url}/prefix/`, broken: 'nonsense' }
  const bridge = await startBridge({ gatewayUrl: gateway.url, port: 0, comfyuiUrls })
  let listening: Listening[] = []
  const patience = { timeout: 5000 }
  const greeted = () => servers.map(({ open }) => open.some(({ heard }) => heard.length > 0))
  return {
    gateway,
    bridge,
    servers,
    async watch(stream) {
      const listener = listen(bridge.url, stream)
      listening.push(listener)
      await expect.poll(greeted, patience).toEqual([true, true])
      return listener
    },
    async leave() {
      for (const { socket } of listening) socket.close()
      listening = []
      const open = () => servers.map(({ open }) => open.length)
      await expect.poll(open, patience).toEqual([0, 0])
    },
    async close() {
      await bridge.close()
      await gateway.close()
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}

/** The progress messages, in order. */
export function steps({ messages }: Listening): Message['params'][] {
  return paramsOf(messages, 'stream/progress')
}

export function previews({ messages }: Listening): Message['params'][] {
  return paramsOf(messages, 'stream/preview')
}

function paramsOf(messages: Message[], wanted: string): Message['params'][] {
  return messages.filter(({ method }) => method === wanted).map(({ params }) => params)
}
