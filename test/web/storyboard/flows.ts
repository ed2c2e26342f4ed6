/** What users of each role do. Add yours: a flow is a list of steps, and each step ends in a state that is looked at. */
import { CALLS } from './flows/calls.ts'
import { CHAT } from './flows/chat.ts'
import { CODE } from './flows/code.ts'
import { DRAW } from './flows/draw.ts'
import { EVERYONE } from './flows/everyone.ts'
import { OPERATE } from './flows/operate.ts'
import { WORKBENCH } from './flows/workbench.ts'
import type { Flow } from './walk.ts'

export const FLOWS: readonly Flow[] = [
  ...EVERYONE,
  ...WORKBENCH,
  ...CALLS,
  ...CODE,
  ...OPERATE,
  ...DRAW,
  ...CHAT,
]
