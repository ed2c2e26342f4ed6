// Links among the pages, and from them to files of the repository, lead somewhere.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'
import { REPOSITORY } from '../support/command.ts'
import { pages } from './blocks/blocks.ts'
import { prose } from './blocks/prose.ts'

const all = [...(await pages()), 'ARCHITECTURE.md', 'LIMITS.md']

it.each(all)('%s', async (page) => {
  expect(await deadLinks(page, await readFile(join(REPOSITORY, page), 'utf8'))).toEqual([])
})

it('a link to nothing is found, and one to a heading that is not there', async () => {
  const text = [
    '[a](no.md)',
    '[b](jobs.md#nowhere)',
    '[c](jobs.md#how-clients-follow-a-job)',
    '[d](#Here)',
    '# Here',
  ]
  expect(await deadLinks('docs/page.md', text.join('\n'))).toEqual([
    'no.md',
    'jobs.md#nowhere',
    '#Here',
  ])
})

async function deadLinks(page: string, text: string): Promise<string[]> {
  const dead: string[] = []
  for (const [, link = ''] of prose(text).matchAll(/\]\(([^()\s]+)\)/g)) {
    if (/^[a-z]+:/.test(link)) continue
    const [path = '', anchor] = link.split('#')
    const file = path === '' ? page : normalize(join(dirname(page), path))
    const target = join(REPOSITORY, file)
    if (!existsSync(target)) dead.push(link)
    else if (anchor !== undefined) {
      const content = path === '' ? text : await readFile(target, 'utf8')
      if (!anchors(content).includes(anchor)) dead.push(link)
    }
  }
  return dead
}

/** As GitHub and the site call headings, as far as ours go. */
function anchors(text: string): string[] {
  return [...prose(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[`,.:?!()'"…/]/g, '')
      .replaceAll(' ', '-'),
  )
}
