/** A native gateway of a few lines, with what the host gives it, for tests. */
import type { HttpResponse } from '../../http/messages.ts'
import { Pipe } from '../../http/pipe.ts'
import type { ComponentServices, GuestRequest } from '../../instance/services.ts'
import { loadNative } from '../load.ts'
import { NativeInstance } from '../native-instance.ts'

/** @param body of a function that gets `request` and `host`. */
function gatewayOf(body: string) {
  const code = `var native = { createNative: (without) => async (request, host) => { ${body} } }`
  return loadNative({ kind: 'native', code, without: ['programs'] }, 'gateway')
}

function servicesWith(services: Partial<ComponentServices> = {}): ComponentServices {
  const missing = () => {
    throw new Error('not in this test')
  }
  return {
    component: 'gateway',
    environment: {},
    outbound: { send: missing },
    files: { empty: true, stat: missing, list: missing, open: missing },
    openStore: missing,
    variable: missing,
    log: () => undefined,
    ...services,
  }
}

export function requestWith(request: Partial<GuestRequest> = {}): GuestRequest {
  return {
    method: 'POST',
    scheme: 'http',
    authority: 'a.example',
    path: '/mcp?x=1',
    headers: [['content-type', 'text/plain']],
    body: Pipe.empty(),
    depth: 0,
    ...request,
  }
}

export async function textOf({ body }: HttpResponse): Promise<string> {
  const pieces: Uint8Array[] = []
  for (;;) {
    const piece = body.read(1 << 16)
    if (piece === undefined) return Buffer.concat(pieces).toString()
    if (piece.length > 0) pieces.push(piece)
    else await new Promise<void>((resolve) => void body.onReady(resolve))
  }
}

/** Runs it until it has responded; its run may go on. */
export function serve(
  code: string,
  services: Partial<ComponentServices> = {},
  request: Partial<GuestRequest> = {},
) {
  const instance = new NativeInstance(gatewayOf(code), servicesWith(services))
  let run: Promise<boolean> = Promise.resolve(false)
  const response = new Promise<HttpResponse>((resolve, reject) => {
    run = instance.run(requestWith(request), resolve)
    run.catch(reject)
  })
  // A test may look at the run alone.
  response.catch(() => undefined)
  return { instance, run, response }
}
