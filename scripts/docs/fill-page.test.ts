import { expect, it } from 'vitest'
import { fillPage } from './fill-page.ts'

const PAGE = `# Page

Before.

<!-- printed: one -->

| old |

<!-- /printed -->

Between.

<!-- printed: two -->
<!-- /printed -->
`

it('puts each table between its marks and leaves the prose', () => {
  const tables = new Map([
    ['one', '| 1 |'],
    ['two', '| $& |'],
  ])
  expect(fillPage(PAGE, tables, 'page.md')).toBe(`# Page

Before.

<!-- printed: one -->

| 1 |

<!-- /printed -->

Between.

<!-- printed: two -->

| $& |

<!-- /printed -->
`)
})

it('names a table without marks, and marks without a table', () => {
  const three = new Map([
    ['one', ''],
    ['two', ''],
    ['three', ''],
  ] as const)
  expect(() => fillPage(PAGE, three, 'page.md')).toThrow('page.md lacks "three"')
  expect(() => fillPage(PAGE, new Map([['one', '']]), 'page.md')).toThrow('is called "two"')
})
