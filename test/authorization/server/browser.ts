/** The browser of a user who fills in whatever forms an authorization server shows. */
const MOST_STEPS = 20

export interface Person {
  user: string
  passPhrase: string
}

export interface Followed {
  address: URL
  /** All answers on the way. */
  seen: Response[]
}

export class FormBrowser {
  readonly #jar = new Map<string, string>()
  /** @param prefix of the address that belongs to the client: it is not requested. */
  async follow(address: URL, prefix: string, { user, passPhrase }: Person): Promise<Followed> {
    const seen: Response[] = []
    let next: { url: URL; body?: URLSearchParams } = { url: address }
    for (let step = 0; step < MOST_STEPS; step++) {
      if (next.url.href.startsWith(prefix)) return { address: next.url, seen }
      const response = await this.#request(next.url, next.body)
      seen.push(response)
      const location = response.headers.get('location')
      if (location !== null) {
        next = { url: new URL(location, next.url) }
        continue
      }
      const page = await response.clone().text()
      const refresh = /http-equiv="refresh" content="0;url=([^"]+)"/i.exec(page)?.[1]
      if (refresh !== undefined) {
        next = { url: new URL(plain(refresh), next.url) }
        continue
      }
      const form = formIn(page)
      if (!form) throw new Error(`the sign-in ends at ${next.url.pathname}: ${response.status}`)
      const fields = form.inputs.map(({ name, type, value }): [string, string] => {
        if (type === 'password') return [name, passPhrase]
        return [name, type === 'hidden' ? value : user]
      })
      next = {
        url: new URL(form.action, next.url),
        body: new URLSearchParams([...fields, ...form.button]),
      }
    }
    throw new Error('the sign-in does not end')
  }

  async #request(url: URL, body?: URLSearchParams): Promise<Response> {
    const headers = new Headers({
      cookie: [...this.#jar].map((pair) => pair.join('=')).join('; '),
      ...(body && { origin: url.origin }),
    })
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      headers,
      redirect: 'manual',
      ...(body && { body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#jar.set(name, value)
    }
    return response
  }
}

interface Form {
  action: string
  inputs: { name: string; type: string; value: string }[]
  /** The first one, which allows. */
  button: [string, string][]
}

/** The first form of a page. */
export function formIn(page: string): Form | undefined {
  const [, head = '', inner = ''] = /<form\b([^>]*)>([^]*?)<\/form>/i.exec(page) ?? []
  if (inner === '') return undefined
  const inputs = [...inner.matchAll(/<input\b([^>]*)>/gi)]
    .map(([, tag = '']) => ({
      name: attribute(tag, 'name') ?? '',
      type: attribute(tag, 'type') ?? 'text',
      value: attribute(tag, 'value') ?? '',
    }))
    .filter(({ name }) => name !== '')
  const tag = /<button\b([^>]*)>/i.exec(inner)?.[1] ?? ''
  const name = attribute(tag, 'name')
  return {
    action: attribute(head, 'action') ?? '',
    inputs,
    button: name === undefined ? [] : [[name, attribute(tag, 'value') ?? '']],
  }
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\b${name}="([^"]*)"`, 'i').exec(tag)?.[1]
  return value === undefined ? undefined : plain(value)
}

const plain = (text: string) =>
  text
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
