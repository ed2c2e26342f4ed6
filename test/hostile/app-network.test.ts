// Connections of an MCP App that declares no host, counted by real listeners: whatever arrives is a leak.
import { createSocket } from 'node:dgram'
import { createServer, type AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { openHosted } from '../web/hosted-apps.ts'
import { usePage } from '../web/use-page.ts'
import { attack } from './support/attack.ts'

/** Counts datagrams and connections. */
function listeners() {
  const arrived: string[] = []
  const udp = createSocket('udp4').on('message', () => arrived.push('udp'))
  const tcp = createServer((socket) => {
    arrived.push('tcp')
    socket.on('error', () => undefined).destroy()
  })
  return {
    arrived,
    ports: () => [udp.address().port, (tcp.address() as AddressInfo).port] as const,
    open: async () => {
      await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve))
      await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
    },
    close: () => {
      udp.close()
      tcp.close()
    },
  }
}

/** A program that gathers candidates from both. */
const gather = ([udp, tcp]: readonly [number, number]) =>
  `const servers = [{ urls: 'stun:127.0.0.1:${udp}' }, { urls: 'turn:127.0.0.1:${tcp}?transport=tcp', username: 'a', credential: 'b' }];
  const peer = new RTCPeerConnection({ iceServers: servers }); peer.createDataChannel('x');
  peer.createOffer().then((offer) => peer.setLocalDescription(offer)); globalThis.peer = peer;`

/** What a page can try in its own document and in frames that it makes. Each may throw. */
function attempts(ports: readonly [number, number]): string {
  const host = `127.0.0.1:${ports[1]}`
  const inFrame = (html: string, ways: string) =>
    `const frame = document.createElement('iframe'); ${ways}; document.body.append(frame)`.replace(
      'HTML',
      JSON.stringify(html).replaceAll('</', '<\\/'),
    )
  const script = `<script>${gather(ports)}</script>`
  const links = ['dns-prefetch', 'preconnect', 'prefetch', 'prerender', 'modulepreload', 'icon']
    .map((rel) => `<link rel="${rel}" href="http://${host}/${rel}">`)
    .join('')
  const list = [
    gather(ports),
    inFrame(script, 'frame.srcdoc = HTML'),
    inFrame(
      `<img src="x" onerror="${gather(ports).replaceAll('"', '&quot;')}">`,
      'frame.srcdoc = HTML',
    ),
    inFrame(`javascript:${gather(ports)}`, 'frame.src = HTML'),
    inFrame(script, "frame.src = 'data:text/html,' + encodeURIComponent(HTML)"),
    inFrame(script, "frame.src = URL.createObjectURL(new Blob([HTML], { type: 'text/html' }))"),
    inFrame(`http://${host}/frame`, 'frame.src = HTML'),
    `const root = document.createElement('div').attachShadow({ mode: 'closed' }); document.body.append(root.host); root.innerHTML = '<iframe></iframe>'; root.firstChild.srcdoc = ${JSON.stringify(script).replaceAll('</', '<\\/')}`,
    `document.head.insertAdjacentHTML('beforeend', '${links}')`,
    `fetch('http://${host}/').catch(() => 0)`,
    `new WebSocket('ws://${host}/')`,
    `new EventSource('http://${host}/')`,
    `new WebTransport('https://${host}/')`,
    `navigator.sendBeacon('http://${host}/')`,
    `new Image().src = 'http://${host}/x.png'`,
    `document.body.insertAdjacentHTML('beforeend', '<style>@import "http://${host}/a.css"; body { background: url(http://${host}/b.png) }</style><svg><image href="http://${host}/c.png"/></svg><video src="http://${host}/d"></video><form action="http://${host}/e"></form>'); document.querySelector('form').submit()`,
    `const a = document.createElement('a'); a.href = '#'; a.ping = 'http://${host}/ping'; document.body.append(a); a.click()`,
    `const refresh = document.createElement('meta'); refresh.httpEquiv = 'refresh'; refresh.content = '0;url=http://${host}/refresh'; document.head.append(refresh)`,
    `open('http://${host}/open')`,
  ]
  return list.map((code) => `try { ${`(() => { ${code} })()`} } catch {}`).join('\n')
}

/** In the page itself nothing is held back: so the browser and the listeners do what the test needs. */
async function control(page: Page, ports: readonly [number, number]): Promise<void> {
  await page.evaluate(
    ([udp, tcp]) => {
      const iceServers = [
        { urls: `stun:127.0.0.1:${udp}` },
        { urls: `turn:127.0.0.1:${tcp}?transport=tcp`, username: 'a', credential: 'b' },
      ]
      const peer = new RTCPeerConnection({ iceServers })
      peer.createDataChannel('x')
      void peer.createOffer().then((offer) => peer.setLocalDescription(offer))
    },
    [ports[0], ports[1]] as [number, number],
  )
}

describe.each(['chromium', 'firefox'] as const)(
  'an app with an empty list of hosts in %s',
  (browser) => {
    const firefoxUserPrefs = { 'media.peerconnection.ice.loopback': true }
    const pages = usePage({ browser, isTolerant: true, launch: { firefoxUserPrefs } })
    const [leaks, known] = [listeners(), listeners()]
    beforeAll(async () => void (await Promise.all([leaks.open(), known.open()])))
    afterAll(() => [leaks, known].forEach(({ close }) => close()))

    /** Runs the code, then shows that the same arrives from elsewhere. Chromium puts an error in place of an app that goes. */
    async function nothingArrives(code: string): Promise<void> {
      let tried = false
      const before = async (page: Page) => {
        page.on('console', (message) => (tried ||= message.text() === 'all tried'))
      }
      const { page } = await openHosted(pages, code, { before })
      await expect.poll(() => tried, { timeout: 30_000 }).toBe(true)
      known.arrived.splice(0)
      await control(page, known.ports())
      await expect
        .poll(() => [...new Set(known.arrived)].sort(), { timeout: 30_000 })
        .toEqual(['tcp', 'udp'])
      expect(leaks.arrived.splice(0)).toEqual([])
    }

    attack(
      `connect to a host by any means (${browser})`,
      async () => {
        await nothingArrives(`${attempts(leaks.ports())}\nconsole.log('all tried')`)
        return 'no datagram, no connection'
      },
      120_000,
    )

    attack(
      `go elsewhere with the frame, and to a document without the guard (${browser})`,
      async () => {
        const [, port] = leaks.ports()
        const markup = JSON.stringify(`<script>${gather(leaks.ports())}</script>`)
        await nothingArrives(
          `setTimeout(() => { location = 'javascript:' + ${JSON.stringify(markup).replaceAll('</', '<\\/')} }, 50); setTimeout(() => { console.log('all tried'); location = 'http://127.0.0.1:${port}/gone' }, 150)`,
        )
        return 'no datagram, no connection'
      },
      120_000,
    )

    attack(
      `read the nonce of the guard (${browser})`,
      async () => {
        const { view } = await openHosted(
          pages,
          `const found = []
        addEventListener('securitypolicyviolation', (event) => found.push(event.originalPolicy))
        const script = document.createElement('script'); script.textContent = '0'; document.body.append(script)
        found.push(script.nonce, script.getAttribute('nonce'), script.cloneNode().nonce, document.currentScript?.nonce, document.documentElement.outerHTML)
        const call = Function.prototype.call; Function.prototype.call = function (...given) { found.push(given); return call.apply(this, given) }
        document.body.append(document.createElement('script'))
        Function.prototype.call = call
        const blocked = document.createElement('iframe'); blocked.src = 'javascript:0'; document.body.append(blocked)
        await new Promise((resolve) => setTimeout(resolve, 200))
        print(/[0-9a-f]{8}-[0-9a-f]{4}-/.test(JSON.stringify(found)) ? 'nonce found' : 'nothing found, ' + typeof RTCPeerConnection)`,
        )
        await view.getByText('nothing found, undefined').waitFor()
        return 'no script, event or markup has it'
      },
      120_000,
    )
  },
)
