/** What a browser loads of the page: at first, and for each view that a user opens. */
import { request } from 'node:http'

export interface Weight {
  /** Bytes on the wire. */
  brotli: number
  gzip: number
}

export interface PageWeight {
  /** The document, and everything that it names: loaded before anything is shown. */
  first: Weight
  /** What each view adds, by the name of the view. */
  views: ReadonlyMap<string, Weight>
  /** Everything that the page can load. */
  all: Weight
}

/** Paths of the page's files. */
export interface PageFiles {
  /** That the document names. */
  named: readonly string[]
  /** That the first load needs. */
  first: ReadonlySet<string>
  all: ReadonlySet<string>
}

/** Views and other parts, by the beginnings of the names of their scripts. */
export const PARTS: Readonly<Record<string, string>> = {
  Gallery: 'gallery',
  Tools: 'workbench-view',
  'Tools, the first call': 'browser',
  Code: 'code-view',
  Jobs: 'jobs',
  Activity: 'activity-view',
  API: 'reference-view',
  Connect: 'connect-view',
  'Chat, an answer': 'markdown',
  'Chat, a block of code': 'paint',
  Find: 'palette',
  'Sign in': 'sign-in-card',
}

const IMPORTS = /(?:import|from)"\.\/([\w-]+\.js)"/g
const NAMES = /"\.\/([\w-]+\.js)"/g

/** @param url of the gateway, without a slash at its end. */
export async function weighPage(url: string): Promise<PageWeight> {
  const scale = new Scale(url)
  const { html, first, all } = await findFiles(scale, url)
  const views = new Map<string, Weight>()
  for (const [view, prefix] of Object.entries(PARTS)) {
    const entries = [...all].filter((name) => name.startsWith(`/app/${prefix}-`))
    if (entries.length === 0) throw new Error(`no script of the page begins with "${prefix}-"`)
    const parts = await scale.closure(entries, IMPORTS)
    views.set(view, await scale.sum([...parts].filter((name) => !first.has(name))))
  }
  const document = { brotli: html.length, gzip: html.length }
  return {
    first: added(document, await scale.sum(first)),
    views,
    all: added(document, await scale.sum(all)),
  }
}

/** Which files there are, without their weight, for which each is loaded twice more. @param url as above */
export async function pageFiles(url: string): Promise<PageFiles> {
  return findFiles(new Scale(url), url)
}

async function findFiles(scale: Scale, url: string): Promise<PageFiles & { html: Buffer }> {
  const html = await load(`${url}/`)
  const matches = [...html.toString().matchAll(/(?:src|href)="\.(\/app\/[^"]+)"/g)]
  const named = matches.map(([, path = '']) => path)
  const first = await scale.closure(named, IMPORTS)
  return { html, named, first, all: await scale.closure(named, NAMES) }
}

function added(one: Weight, other: Weight): Weight {
  return { brotli: one.brotli + other.brotli, gzip: one.gzip + other.gzip }
}

/** Remembers what it has loaded. */
class Scale {
  readonly #url: string
  readonly #bodies = new Map<string, Buffer>()
  readonly #weights = new Map<string, Weight>()

  constructor(url: string) {
    this.#url = url
  }

  /** @param pattern finds the scripts that a script refers to. */
  async closure(files: readonly string[], pattern: RegExp): Promise<ReadonlySet<string>> {
    const names = new Set(files)
    // A set that grows is walked to its end.
    for (const name of names) {
      if (!name.endsWith('.js')) continue
      const text = (await this.#body(name)).toString()
      for (const [, other = ''] of text.matchAll(pattern)) names.add(`/app/${other}`)
    }
    return names
  }

  async sum(names: Iterable<string>): Promise<Weight> {
    let sum = { brotli: 0, gzip: 0 }
    for (const name of names) sum = added(sum, await this.#weight(name))
    return sum
  }

  async #body(name: string): Promise<Buffer> {
    const known = this.#bodies.get(name) ?? (await load(this.#url + name))
    this.#bodies.set(name, known)
    return known
  }

  async #weight(name: string): Promise<Weight> {
    const known = this.#weights.get(name) ?? {
      brotli: (await load(this.#url + name, 'gzip, br')).length,
      gzip: (await load(this.#url + name, 'gzip')).length,
    }
    this.#weights.set(name, known)
    return known
  }
}

/** `fetch` would take the compression off. */
async function load(address: string, encoding?: string): Promise<Buffer> {
  const headers = encoding === undefined ? {} : { 'accept-encoding': encoding }
  return new Promise((resolve, reject) => {
    const sent = request(address, { headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(parts))
        else reject(new Error(`${address} answered with ${response.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}
