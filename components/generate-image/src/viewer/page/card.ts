/**
 * One call of a tool, as it is shown: its words, how it is getting on, its pictures.
 *
 * Whatever comes from a tool or the host becomes text or an attribute, never markup.
 */
import type { Arguments } from './dialect.ts'
import type { Picture, Progress, Seen } from './read-result.ts'

export type State = 'running' | 'completed' | 'failed' | 'cancelled'

/** A picture as an address the page's policy lets it show. */
export type Load = (picture: Picture) => Promise<{ type: string; url: string }>

export interface Deeds {
  load: Load
  /** Absent where the host opens no links. */
  open?: ((address: string) => void) | undefined
  /** Absent where the page may call no tools, or the tool takes no seed. */
  vary?: ((given: Arguments) => void) | undefined
}

export interface Card {
  readonly state: State
  begin(given: Arguments): void
  running(text: string, progress?: Progress): void
  /** Offers to end it. */
  offerCancel(cancel: () => void): void
  completed(seen: Seen & { kind: 'pictures' }): void
  ended(state: 'failed' | 'cancelled', text: string): void
}

export function createCard(parent: HTMLElement, deeds: Deeds): Card {
  const words = element('p', 'prompt')
  const line = element('p', 'state')
  line.setAttribute('role', 'status')
  const bar = element('progress')
  bar.setAttribute('aria-label', 'Progress')
  const pictures = element('div', 'pictures')
  const actions = element('div', 'actions')
  const cancel = button('Cancel', () => undefined)
  cancel.hidden = true
  actions.append(cancel)
  const root = element('article', 'card')
  root.append(words, line, bar, pictures, actions)
  parent.append(root)

  let given: Arguments = {}
  let state: State = 'running'
  const change = (to: State) => {
    state = to
    root.dataset.state = to
    bar.hidden = to !== 'running'
    actions.hidden = to !== 'running'
  }
  change('running')
  line.textContent = 'Waiting'

  return {
    get state() {
      return state
    },
    begin(args) {
      given = args
      // Of an image that is made larger there are no words.
      words.textContent = typeof args.prompt === 'string' ? args.prompt : ''
      words.hidden = words.textContent === ''
    },
    running(text, progress) {
      if (text !== '') line.textContent = text
      if (progress?.total === undefined) bar.removeAttribute('value')
      else Object.assign(bar, { max: progress.total, value: progress.value })
    },
    offerCancel(deed) {
      cancel.hidden = false
      cancel.onclick = () => {
        cancel.disabled = true
        deed()
      }
    },
    completed({ text, pictures: made, size }) {
      change('completed')
      line.textContent = text
      const alt = words.textContent || 'The picture'
      pictures.append(
        ...made.map((picture) => figureOf(picture, { alt, size, deeds, given: () => given })),
      )
    },
    ended(to, text) {
      change(to)
      line.textContent = text
    },
  }
}

interface FigureOptions {
  alt: string
  size: string | undefined
  deeds: Deeds
  given: () => Arguments
}

function figureOf(picture: Picture, { alt, size, deeds, given }: FigureOptions): HTMLElement {
  const { address, seed } = picture
  const frame = element('div', 'frame')
  frame.append(paragraph('Loading'))
  deeds.load(picture).then(
    ({ type, url }) =>
      frame.replaceChildren(type.startsWith('video/') ? film(url) : image(url, alt)),
    ({ message }: Error) => frame.replaceChildren(paragraph(message)),
  )
  const about = element('span')
  about.textContent = [seed !== undefined && `seed ${seed}`, size].filter(Boolean).join(' · ')
  const caption = element('figcaption')
  caption.append(about)
  const { vary, open } = deeds
  if (vary && seed !== undefined) caption.append(button('Vary', () => vary(given())))
  if (open && /^https?:/.test(address)) caption.append(button('Open', () => open(address)))
  const figure = element('figure')
  figure.append(frame, caption)
  return figure
}

function image(url: string, alt: string): HTMLElement {
  return Object.assign(element('img'), { src: url, alt })
}

function film(url: string): HTMLElement {
  return Object.assign(element('video'), { src: url, controls: true, loop: true, muted: true })
}

function paragraph(text: string): HTMLElement {
  return Object.assign(element('p'), { textContent: text })
}

function button(label: string, onclick: () => void): HTMLButtonElement {
  return Object.assign(element('button'), { type: 'button', textContent: label, onclick })
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className = '',
): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), { className })
}
