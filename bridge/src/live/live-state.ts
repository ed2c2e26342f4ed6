/** The live state of a room: decides which listener receives which events while the job is running. */
import type { PublicJob } from 'ftl-contract'
import type { Listener } from '../listener.ts'
import { previewMessage } from '../messages.ts'
import type { Bindings } from '../workerd.ts'
import type { JobStep, LiveEvent } from './event.ts'
import { LiveLinks } from './live-links.ts'
import { StepCount } from './step-count.ts'

export class LiveState {
  readonly #links: LiveLinks
  /** Listeners that wait for the end. */
  readonly #waiting: () => Listener[]
  #job: PublicJob | undefined
  readonly #count = new StepCount()
  #step: JobStep | undefined
  #preview: { seq: number; message: string } | undefined
  #previews = 0

  constructor(env: Bindings, waiting: () => Listener[]) {
    this.#links = new LiveLinks(env, (event) => this.#hear(event))
    this.#waiting = waiting
  }

  /** Opens the links that the waiting listeners need, and closes the others. */
  update(): void {
    const waiting = this.#waiting()
    const { progress, previews } = wishesOf(waiting)
    if (!previews) this.#preview = undefined
    // The step may be out of date when the next listener connects.
    if (!progress) this.#step = undefined
    this.#links.want(
      previews ? 'previews' : progress ? 'progress' : 'nothing',
      waiting[0]?.streamId ?? '',
    )
  }

  /**
   * Sends the current state to a new listener.
   *
   * @param job the record, unless another look is due anyway.
   */
  welcome(listener: Listener, job: PublicJob | undefined): void {
    if (job) listener.progress(job, this.#step)
    else if (this.#step) listener.step(this.#step, this.#job)
    if (this.#preview) listener.preview(this.#preview.seq, this.#preview.message)
  }

  /** Handles a record that was read from the gateway. */
  look(job: PublicJob): void {
    // The record may come from a replica of the store that is behind.
    if (!this.#job || job.seq > this.#job.seq) this.#job = job
    for (const listener of this.#waiting()) listener.progress(job, this.#step)
    this.update()
  }

  #hear(event: LiveEvent): void {
    const waiting = this.#waiting()
    if ('step' in event) {
      this.#step = this.#count.add(event.step)
      for (const listener of waiting) listener.step(this.#step, this.#job)
    } else if (wishesOf(waiting).previews && waiting[0]) {
      const seq = ++this.#previews
      this.#preview = { seq, message: previewMessage(waiting[0].streamId, seq, event.preview) }
      for (const listener of waiting) listener.preview(seq, this.#preview.message)
    }
  }
}

function wishesOf(listeners: Listener[]): { progress: boolean; previews: boolean } {
  return {
    progress: listeners.some(({ wishes }) => wishes.progress),
    previews: listeners.some(({ wishes }) => wishes.previews),
  }
}
