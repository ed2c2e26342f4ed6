/** The local search of the documentation, as the page runs it: the built index, and the options of the site. */
import { createRequire } from 'node:module'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import config from '../../docs/.vitepress/config.ts'

interface Hit {
  /** Path of the page, with the anchor of the section. */
  id: string
  score: number
}

interface MiniSearchClass {
  loadJSON(index: string, options: object): { search(words: string): Hit[] }
}

/** The library that VitePress searches with. */
function miniSearch(): MiniSearchClass {
  const docs = createRequire(new URL('../../docs/package.json', import.meta.url))
  const vitepress = createRequire(docs.resolve('vitepress'))
  return vitepress('minisearch') as MiniSearchClass
}

/** What the theme passes, before the options of the site. */
const THEME = {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
}

interface LocalSearch {
  options?: { miniSearch?: { searchOptions?: object } }
}

/** @param folder of the built site. @returns the hits of words, best first, as paths of sections. */
export async function siteSearch(folder: string): Promise<(words: string) => string[]> {
  const chunks = join(folder, 'assets/chunks')
  const file = (await readdir(chunks)).find((name) => name.startsWith('@localSearchIndex'))
  if (file === undefined) throw new Error('the site has no search index')
  const { default: index } = (await import(
    /* @vite-ignore */ pathToFileURL(join(chunks, file)).href
  )) as { default: string }
  const { options }: LocalSearch = config.themeConfig.search
  const searchOptions = { ...THEME.searchOptions, ...options?.miniSearch?.searchOptions }
  const search = miniSearch().loadJSON(index, { ...THEME, searchOptions })
  return (words) => search.search(words).map(({ id }) => id)
}
