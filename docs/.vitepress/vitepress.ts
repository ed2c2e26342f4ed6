/**
 * What is used of VitePress, whose package only the folder `docs` installs, so that the rest of the repository compiles
 * without it.
 */

interface Token {
  type: string
  children: Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}

interface State {
  tokens: Token[]
  env: {
    /** Of the page, from the folder `docs`. */
    relativePath?: string
  }
}

/** The part of markdown-it that adds rules. */
export interface MarkdownRenderer {
  core: { ruler: { push(name: string, rule: (state: State) => void): void } }
}

interface VitePress {
  build: (root: string, options: { outDir: string }) => Promise<void>
  createServer: (root: string) => Promise<{ listen(): Promise<unknown>; printUrls(): void }>
  serve: (options: { root: string }) => Promise<unknown>
}

/** A name that the compiler does not look for. */
const PACKAGE: string = 'vitepress'

export const loadVitePress = async (): Promise<VitePress> => (await import(PACKAGE)) as VitePress
