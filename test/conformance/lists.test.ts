import { expect, it } from 'vitest'
import { parseLists } from './lists.ts'

it('reads the names of each list, and neither comments nor anything longer than a name', () => {
  const yaml = `# what counts
server:
  - ping
  - tools-list   # since the first day
'2025-11-25':
  # why
  - tools-list:order
empty:

not_scored:
  - scenario: tasks
    note: >-
      - no name
`
  expect([...parseLists(yaml)]).toEqual([
    ['server', ['ping', 'tools-list']],
    ['2025-11-25', ['tools-list:order']],
    ['empty', []],
    ['not_scored', []],
  ])
})
