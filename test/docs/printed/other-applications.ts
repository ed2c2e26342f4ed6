/** Applications of this repository besides its own, that printed lines serve. In a fresh clone, none of them is built. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '../../support/command.ts'

interface ServedFolder {
  file: string
  folder: string
  /** The line above, in the same block, that builds it. @default there is none */
  build?: string
}

/** Pages, and programs whose help prints such lines. */
const FILES = ['*.md', 'docs/*.md', 'bench/*.ts', 'test/*/run.ts']

export function servedFolders(): ServedFolder[] {
  return globSync(FILES, { cwd: REPOSITORY }).flatMap((file) => {
    const text = readFileSync(join(REPOSITORY, file), 'utf8')
    return [...text.matchAll(/\b(?:spin|ftl) up --from ([\w/-]+)(?=\s)/g)].map(
      ({ index, 1: folder = '' }): ServedFolder => {
        // Blocks and lists of options are apart by an empty line or a fence.
        const [block = ''] = text
          .slice(0, index)
          .split(/\n\n|```/)
          .slice(-1)
        const line = block.split('\n').find((each) => each.includes(`ftl build --from ${folder}`))
        const build = line?.replace(/ +#.*/, '').trim()
        return { file, folder, ...(build !== undefined && { build }) }
      },
    )
  })
}
