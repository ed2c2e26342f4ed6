import { testEveryCase } from './every-case.ts'
import { runInNode } from './run.ts'

// A worker has 4 MB. A case that holds with less of the stack holds with all of it, so it is not run twice.
const THREE_QUARTERS = { stackMb: 3 }

testEveryCase('on Node, with three quarters of the stack of a worker', true, (text) =>
  runInNode(text, THREE_QUARTERS),
)
