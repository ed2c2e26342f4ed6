// Component files that were changed at random: each is refused or runs, and never reaches anything of the host.
import { expect, test } from 'vitest'
import { BinaryError } from '../../host/src/wasm/binary.ts'
import { validate } from '../../host/src/prepare/validate.ts'
import { Trap } from '../../host/src/instance/trap.ts'
import { processorMs } from '../support/processor-time.ts'
import { composed } from './support/composed.ts'
import { mutateComponent, randomFrom } from './support/mutate-component.ts'
import { instantiateComponent } from './support/run-component.ts'
import { guestThat } from './support/wat.ts'

/** Mutated files, unless `FTL_FUZZ_RUNS` says how many. */
const RUNS = Number(process.env['FTL_FUZZ_RUNS'] ?? 2000)
/** How many of them the validator sees first, each in a thread of its own. */
const VALIDATED = 10
const SEED = Number(process.env['FTL_FUZZ_SEED'] ?? Date.now() % 2 ** 31)
/** Milliseconds of processor time one file may take. */
const WITHIN_MS = 5000

const REFUSALS = [
  BinaryError,
  Trap,
  WebAssembly.CompileError,
  WebAssembly.LinkError,
  WebAssembly.RuntimeError,
]

test('a mutated component is refused or runs', { timeout: 86_400_000 }, async () => {
  console.log(`fuzz: FTL_FUZZ_SEED=${SEED} FTL_FUZZ_RUNS=${RUNS}`)
  const random = randomFrom(SEED)
  const originals = [
    await composed('(call $drop (local.get $given))', 'own'),
    await composed('(call $drop (local.get $given))', 'borrow'),
    await guestThat(''),
  ]
  const called: string[] = []
  const inherited = Object.getOwnPropertyDescriptor(Function.prototype, 'constructor')
  Object.defineProperty(Function.prototype, 'constructor', {
    configurable: true,
    get: () => {
      called.push('Function')
      return Function
    },
  })
  let ran = 0
  try {
    for (let run = 0; run < RUNS; run++) {
      const original = originals[run % originals.length] ?? new Uint8Array()
      const file = mutateComponent(original, random)
      const started = processorMs()
      try {
        if (run < VALIDATED) await validate(file)
        await instantiateComponent(file)
        ran++
      } catch (error) {
        if (!REFUSALS.some((kind) => error instanceof kind)) {
          const reason = error instanceof Error ? error.stack : String(error)
          throw new Error(`run ${run}: ${reason}\n${Buffer.from(file).toString('base64')}`)
        }
      }
      expect(processorMs() - started, `run ${run}`).toBeLessThan(WITHIN_MS)
    }
  } finally {
    if (inherited) Object.defineProperty(Function.prototype, 'constructor', inherited)
  }
  expect(called).toEqual([])
  // Both happen, or the mutations are too rough or too soft.
  expect(ran).toBeGreaterThan(0)
  expect(ran).toBeLessThan(RUNS)
})
