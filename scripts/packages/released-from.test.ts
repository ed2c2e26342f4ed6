import { expect, it } from 'vitest'
import { releasedFrom } from './pack-all.ts'

const WORKFLOW = {
  GITHUB_SERVER_URL: 'https://git.example',
  GITHUB_REPOSITORY: 'us/ours',
}

it('a release names its sources, its page and where to report bugs', () => {
  expect(releasedFrom('cli', WORKFLOW)).toEqual({
    repository: { type: 'git', url: 'git+https://git.example/us/ours.git', directory: 'cli' },
    homepage: 'https://git.example/us/ours/tree/HEAD/cli#readme',
    bugs: { url: 'https://git.example/us/ours/issues' },
  })
})

it('packages that are made elsewhere name none, because the address is not known', () => {
  expect(releasedFrom('cli', {})).toEqual({})
})
