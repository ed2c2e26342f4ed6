/** In which order peers are measured. */

/**
 * All of them in each round (A, B, C, A, B, C), so that whatever else the machine does slows all of them down, and no subject has
 * all turns in a bad minute.
 */
export function turns<T>(subjects: readonly T[], rounds: number): T[] {
  return Array.from({ length: rounds }, () => subjects).flat()
}
