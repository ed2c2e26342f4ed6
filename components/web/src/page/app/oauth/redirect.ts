/**
 * Where an authorization server sends the user back. It passes the answer on to the page that waits for it, and does
 * nothing else: it shows nothing of its address, which anyone can choose, and leads nowhere but to this page.
 */
import { channelOf, keepAnswer, TAKEN } from '../sign-in/hand-over.ts'
import { startTheme } from '../theme.ts'

/** A page that waits answers at once. */
const WAIT_MS = 1_500
const STATE = /^[\w-]{20,128}$/

startTheme()
const query = location.search
// The code must not stay in the history.
if (query !== '') history.replaceState(null, '', location.pathname)
const state = new URLSearchParams(query).get('state') ?? ''
if (STATE.test(state)) handOver(state)
else if (query !== '') noPage()
else {
  // The page that opened this window soon leads it on.
  say('Connecting to the sign-in…')
  setTimeout(noPage, 30_000)
}

function handOver(expected: string): void {
  const view = keepAnswer(expected, query)
  if (view !== undefined) {
    location.replace(`/${view}`)
    return
  }
  const channel = new BroadcastChannel(channelOf(expected))
  const timer = setTimeout(noPage, WAIT_MS)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data !== TAKEN) return
    clearTimeout(timer)
    channel.close()
    say('Done. You can close this window and go on in the page.')
    window.close()
  }
  channel.postMessage(query)
}

function noPage(): void {
  say('No open page waits for this sign-in. Start it again from the page.')
  document.querySelector('#back')?.removeAttribute('hidden')
}

function say(words: string): void {
  const place = document.querySelector('#words')
  if (place) place.textContent = words
}
