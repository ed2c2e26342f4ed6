import { expect, it } from 'vitest'
import { withNamespace } from './zod-namespace.ts'

it.each([
  ['import{z as F}from"zod/v4";', 'import * as F from "zod/v4";'],
  ["import { z } from 'zod'", "import * as z from 'zod'"],
])('%s is a namespace', (source, expected) => {
  expect(withNamespace(source)).toBe(expected)
})

it.each([
  "import { z, ZodError } from 'zod'",
  "import { zod } from 'zod'",
  "import { z } from 'zodiac'",
  "import { z } from 'zod/v3'",
  "import * as z from 'zod'",
])('%s stays as it is', (source) => {
  expect(withNamespace(source)).toBe(source)
})
