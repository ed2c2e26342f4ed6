/** The end of each job is in the log once, also if two requests see it at the same moment. */

const END = '{"audit":1,"event":"job",'
const JOB = /"job":"([\w-]{1,64})"/

/** Jobs that are remembered; a gateway stores the end of a job, so only those that end now matter. */
const MAX_JOBS = 1000

export class JobEnds {
  readonly #seen = new Set<string>()

  /** Whether the line is about the end of a job that had such a line before. @param line of a gateway */
  isRepeated(line: string): boolean {
    const job = line.startsWith(END) ? JOB.exec(line)?.[1] : undefined
    if (job === undefined) return false
    if (this.#seen.has(job)) return true
    this.#seen.add(job)
    if (this.#seen.size > MAX_JOBS) {
      for (const oldest of this.#seen) {
        this.#seen.delete(oldest)
        break
      }
    }
    return false
  }
}
