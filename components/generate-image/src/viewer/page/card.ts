/**
 * One call of a tool, as it is shown: its words, how it is getting on, its pictures.
 *
 * Whatever comes from a tool or the host becomes text or an attribute, never markup.
 */
import type { Arguments } from './host-protocol.ts'
import type { Picture, Progress, Seen } from './read-result.ts'

export type State = 'running' | 'completed' | 'failed' | 'cancelled'

/** A picture as an address the page's policy lets it show. */
export type Load = (picture: Picture) => Promise<Loaded>

export interface Loaded {
  type: string
  /** With the data. */
  url: string
}

export interface Deeds {
  load: Load
  /** Absent where the host opens no links. */
  open?: ((address: string) => void) | undefined
  /** Absent where the host saves no files. */
  download?: ((picture: Picture, loaded: Loaded) => void) | undefined
  /** To the whole window, and back. Absent where the host has only one size. */
  enlarge?: (() => void) | undefined
  /** Absent where the host passes nothing to the model. */
  useAsInput?: ((picture: Picture) => Promise<void>) | undefined
  /** The same call again. Absent where the page may call no tools. */
  retry?: ((given: Arguments) => void) | undefined
  /** Absent where the page may call no tools, or the tool takes no seed. */
  vary?: ((given: Arguments) => void) | undefined
}

export interface Card {
  readonly state: State
  begin(given: Arguments): void
  running(text: string, progress?: Progress): void
  /** The picture as far as it is. */
  preview(url: string): void
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
  const retry = button('Try again', () => {
    retry.disabled = true
    deeds.retry?.(given)
  })
  actions.append(cancel, retry)
  const root = element('article', 'card')
  root.append(words, line, bar, pictures, actions)
  parent.append(root)

  let given: Arguments = {}
  let state: State = 'running'
  let preview: HTMLElement | undefined
  let newest = 0
  let said = 'Drawing'
  const change = (to: State) => {
    state = to
    root.dataset.state = to
    bar.hidden = to !== 'running'
    cancel.hidden ||= to !== 'running'
    retry.hidden = deeds.retry === undefined || to === 'running' || to === 'completed'
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
      const { value = 0, total } = progress ?? {}
      const share = total === undefined || total <= 0 ? undefined : Math.min(value / total, 1)
      const percentage = share === undefined ? '' : `${Math.floor(share * 100)} %`
      // The stream has numbers without words.
      said = text || said
      const words = percentage === '' ? said : said.replace(/\.$/, '')
      line.textContent = [words, percentage].filter(Boolean).join(' · ')
      if (share === undefined) bar.removeAttribute('value')
      else Object.assign(bar, { max: 1, value: share })
    },
    preview(url) {
      const number = ++newest
      const next = Object.assign(image(url, 'Preview'), { className: 'preview' })
      // It is decoded before it takes the place of the one before, so nothing flashes.
      void decoded(next).then(() => {
        if (state !== 'running' || number !== newest) return
        if (preview) preview.replaceWith(next)
        else {
          const figure = element('figure')
          const frame = element('div', 'frame')
          frame.append(next)
          figure.append(frame)
          pictures.append(figure)
        }
        preview = next
      })
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
      pictures.replaceChildren(
        ...made.map((picture, index) =>
          figureOf(picture, {
            alt,
            size,
            deeds,
            given: () => given,
            // It stays until the picture is decoded.
            preview: index === 0 ? preview : undefined,
          }),
        ),
      )
    },
    ended(to, text) {
      change(to)
      pictures.replaceChildren()
      line.textContent = text
    },
  }
}

interface FigureOptions {
  alt: string
  size: string | undefined
  deeds: Deeds
  given: () => Arguments
  preview: HTMLElement | undefined
}

function figureOf(
  picture: Picture,
  { alt, size, deeds, given, preview }: FigureOptions,
): HTMLElement {
  const { address, seed } = picture
  const frame = element('div', 'frame')
  frame.append(preview ?? paragraph('Loading'))
  const tools = element('div', 'actions')
  deeds.load(picture).then(
    async (loaded) => {
      const { type, url } = loaded
      const shown = type.startsWith('video/') ? film(url) : image(url, alt)
      if (shown instanceof HTMLImageElement) await decoded(shown)
      frame.replaceChildren(shown)
      const { download } = deeds
      if (download) tools.prepend(button('Download', () => download(picture, loaded)))
    },
    ({ message }: Error) => frame.replaceChildren(paragraph(message)),
  )
  const about = element('span')
  about.textContent = [seed !== undefined && `seed ${seed}`, size].filter(Boolean).join(' · ')
  const caption = element('figcaption')
  caption.append(about)
  const { vary, open, enlarge, useAsInput } = deeds
  if (vary && seed !== undefined) tools.append(button('Vary', () => vary(given())))
  if (useAsInput) tools.append(inputButton(() => useAsInput(picture)))
  if (enlarge) {
    const larger = button(SIZES.inline, enlarge)
    larger.dataset.enlarge = ''
    tools.append(larger)
  }
  if (open && /^https?:/.test(address)) tools.append(button('Open', () => open(address)))
  caption.append(tools)
  const figure = element('figure')
  figure.append(frame, caption)
  return figure
}

/** What the button for the size says. */
const SIZES = { inline: 'Full screen', fullscreen: 'Leave full screen' }

/** After the host has changed the size of the page. */
export function showMode(mode: 'inline' | 'fullscreen'): void {
  document.documentElement.dataset.mode = mode
  for (const one of document.querySelectorAll('[data-enlarge]')) one.textContent = SIZES[mode]
}

function inputButton(choose: () => Promise<void>): HTMLButtonElement {
  const made = button('Use as input', () => {
    made.disabled = true
    choose().then(
      () => (made.textContent = 'Chosen as input'),
      () => (made.disabled = false),
    )
  })
  return made
}

/** Also where it cannot be decoded: then the browser says so in its place. */
async function decoded(picture: HTMLImageElement): Promise<void> {
  await picture.decode().catch(() => undefined)
}

function image(url: string, alt: string): HTMLImageElement {
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
