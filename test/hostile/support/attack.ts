import { test } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** What the summary's table says of an attack. */
    stoppedBy?: string
  }
}

/**
 * A test that tries an attack and checks that it fails.
 *
 * @param name what the attacker does, in a few words: the table at the end of the run shows it.
 * @param run does it; returns what stopped it, as seen from outside (an error message, a status), in a few words.
 */
export function attack(name: string, run: () => Promise<string>, timeout?: number): void {
  test(
    name,
    async ({ task }) => {
      task.meta.stoppedBy = await run()
    },
    timeout,
  )
}
