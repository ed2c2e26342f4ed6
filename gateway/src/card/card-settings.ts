/** The variable `server_card`: how the server is named to clients that do not know it yet. */
import type { Parse, SettingVariables } from 'ftl-http'

/** A domain in reverse, and a name in it. */
const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/
const MAX_NAME = 200

export interface CardSettings {
  /**
   * `server_card`: the name of the server, such as `com.example/weather`, and after a space the address of its `/mcp`.
   *
   * The card is public. Where a proxy is in front, give the address: it is otherwise that of the request.
   *
   * @default none
   */
  readonly serverCard: { readonly name: string; readonly url?: string } | undefined
}

declare module '../settings.ts' {
  interface Settings extends CardSettings {}
}

const serverCard: Parse<CardSettings['serverCard']> = (text, refuse) => {
  if (text === '') return undefined
  const [name = '', url, more] = text.trim().split(/\s+/)
  if (more !== undefined || name.length > MAX_NAME || !NAME.test(name)) {
    return refuse('must be a name such as com.example/weather, alone or with an address after it')
  }
  return url === undefined ? { name } : { name, url: address(url, refuse) }
}

function address(text: string, refuse: (message: string) => never): string {
  const url = URL.parse(text)
  const isUsable =
    url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isUsable || url.search !== '' || url.hash !== '') {
    return refuse('must have an address such as https://gateway.example/mcp after the name')
  }
  return url.href.replace(/\/$/, '')
}

export const cardVariables: SettingVariables<CardSettings> = {
  serverCard: ['server_card', serverCard],
}
