/** A bundled page as one document, for clients that are given text and no server. */

/** What the builder makes of an imported page. */
export interface BundledPage {
  html: string
  /** By path, without a slash in front. */
  files: Record<string, { body: string }>
}

const SCRIPT = /<script type="module" src="\.\/([^"]+)"><\/script>/g
const STYLE = /<link rel="stylesheet" href="\.\/([^"]+)"\s*\/?>/g

/** @throws {TypeError} at build time, when the page refers to what is neither a script nor a style sheet. */
export function inline({ html, files }: BundledPage): string {
  const bodyOf = (path: string) => {
    const { body } = files[path] ?? {}
    if (body === undefined) throw new TypeError(`the page refers to ${path}, which it has not`)
    return body
  }
  const page = html
    .replace(SCRIPT, (_, path: string) => {
      // Inside a string of the script the same characters mean the same, and do not end the element.
      const script = bodyOf(path)
        .replace(/<\/(?=script)/gi, '<\\/')
        .replace(/<!--/g, '<\\!--')
      return `<script type="module">${script}</script>`
    })
    .replace(STYLE, (_, path: string) => `<style>${bodyOf(path)}</style>`)
  const [, left] =
    /\s(?:src|href)="\.\/([^"]+)"/.exec(page.replace(/<script.*?<\/script>/gs, '')) ?? []
  if (left !== undefined) throw new TypeError(`the page refers to ${left}, which cannot be inlined`)
  return page
}
