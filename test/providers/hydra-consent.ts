/** The application that Hydra sends users to: a form for the user, and a consent that grants the audience by itself. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { ADA, GROUP, PASS_PHRASE } from './provider.ts'

interface Consent {
  url: string
  close(): Promise<void>
}

export async function startConsent({
  admin,
  audience,
  patch,
}: {
  /** Address of Hydra's administration. */
  admin: string
  audience: string
  /** Gives a client the audience. */
  patch: unknown
}): Promise<Consent> {
  async function ask(method: string, kind: string, challenge: string, body?: object) {
    const step = body ? '/accept' : ''
    const response = await fetch(
      `${admin}/admin/oauth2/auth/requests/${kind}${step}?${kind}_challenge=${encodeURIComponent(challenge)}`,
      {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      },
    )
    return (await response.json()) as Record<string, unknown>
  }

  /** Hydra renews a token only if its client may have the audience, and no client registers itself with one. */
  async function permit(client: string): Promise<void> {
    const response = await fetch(`${admin}/admin/clients/${encodeURIComponent(client)}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(patch),
    })
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  }

  async function forward(url: URL, request: IncomingMessage): Promise<string | undefined> {
    if (url.pathname === '/consent') {
      const challenge = url.searchParams.get('consent_challenge') ?? ''
      const asked = await ask('GET', 'consent', challenge)
      const { client_id: id } = asked['client'] as { client_id: string }
      await permit(id)
      const groups = asked['subject'] === ADA ? [GROUP] : []
      const accepted = await ask('PUT', 'consent', challenge, {
        grant_scope: asked['requested_scope'],
        grant_access_token_audience: [audience],
        session: { access_token: { groups } },
      })
      return String(accepted['redirect_to'])
    }
    if (request.method !== 'POST') return undefined
    const form = new URLSearchParams(await text(request))
    if (form.get('password') !== PASS_PHRASE) return undefined
    const challenge = url.searchParams.get('login_challenge') ?? ''
    const accepted = await ask('PUT', 'login', challenge, { subject: form.get('username') })
    return String(accepted['redirect_to'])
  }

  const server = createServer((request, response) => {
    void forward(new URL(request.url ?? '/', 'http://consent.invalid'), request).then(
      (location) => {
        if (location !== undefined) return void response.writeHead(302, { location }).end()
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(
            `<form method="post"><input name="username"><input name="password" type="password"><button>Sign in</button></form>`,
          )
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
