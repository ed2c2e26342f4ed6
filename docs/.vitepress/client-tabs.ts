import { basename } from 'node:path'

/** From here on, sections are about something else than one client. */
const END = '## Changed tools'

/**
 * Begins the page about clients with tabs: one for each client, with the first code of its section.
 *
 * In the repository the page has no tabs, because only VitePress knows them.
 */
export function clientTabs() {
  return {
    name: 'client-tabs',
    enforce: 'pre' as const,
    transform(code: string, id: string) {
      return basename(id) === 'clients.md' ? withTabs(code) : undefined
    },
  }
}

function withTabs(page: string): string {
  const [text = ''] = page.split(END, 1)
  const [intro = '', ...sections] = text.split(/^## /m)
  const tabs = sections.flatMap((section) => {
    const [title = ''] = section.split('\n', 1)
    const [, language, code] = /^```(\w+)[^\n]*\n([\s\S]*?)^```$/m.exec(section) ?? []
    return code === undefined ? [] : `\`\`\`${language} [${title}]\n${code}\`\`\``
  })
  return page.replace(intro, () => `${intro}::: code-group\n\n${tabs.join('\n\n')}\n\n:::\n\n`)
}
