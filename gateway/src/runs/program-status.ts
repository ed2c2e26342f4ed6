/** What a program reports while it runs, stored in its job: the last message, and not more often than it is read. */
import type { StatusLine } from 'ftl-contract'
import { logError } from '../log.ts'
import type { Scope } from '../scope.ts'
import { changeJob } from './run-jobs.ts'

/** Milliseconds between two stored messages of one run. */
const PAUSE_MS = 400

export class JobStatus {
  readonly #scope: Scope
  #job: string | undefined
  #line: StatusLine | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #writing: Promise<void> = Promise.resolve()
  #isOver = false

  /** @param job absent until its client gets one. */
  constructor(scope: Scope, job?: string) {
    this.#scope = scope
    this.#job = job
  }

  begin(job: string): void {
    if (this.#isOver) return
    this.#job = job
    if (this.#line) this.#write()
  }

  add(line: StatusLine): void {
    this.#line = line
    if (this.#job !== undefined && this.#timer === undefined) this.#write()
  }

  /** Afterwards nothing is written: the job has its end. */
  async end(): Promise<void> {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#job = undefined
    await this.#writing
  }

  #write(): void {
    const { message, progress, total } = this.#line ?? {}
    const job = this.#job
    this.#line = undefined
    if (job === undefined) return
    const change = {
      ...(message !== undefined && { message }),
      ...(progress !== undefined && {
        progress: { value: progress, ...(total !== undefined && { total }) },
      }),
    }
    const written = changeJob(this.#scope, job, change)
    this.#writing = written.catch((error: unknown) =>
      logError(this.#scope, `job ${job} not updated`, error),
    )
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#line) this.#write()
    }, PAUSE_MS)
  }
}
