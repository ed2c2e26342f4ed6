/**
 * The live side of a room: who of its listeners is told what, while the job goes on.
 *
 * @module
 */
import type { PublicJob } from 'ftl-sdk/contract'
import type { Listener } from '../listener.ts'
import { previewMessage } from '../messages.ts'
import type { Bindings } from '../workerd.ts'
import type { ComfyStep, LiveEvent } from './event.ts'
import { LiveLinks } from './live-links.ts'

export class LiveState {
  readonly #links: LiveLinks
  /** Those who wait for the end. */
  readonly #waiting: () => Listener[]
  #job: PublicJob | undefined
  #step: ComfyStep | undefined
  #preview: { seq: number; message: string } | undefined
  #previews = 0

  constructor(env: Bindings, waiting: () => Listener[]) {
    this.#links = new LiveLinks(env, (event) => this.#hear(event))
    this.#waiting = waiting
  }

  /** Who waits has changed: connects or ends what nobody wants any more. */
  update(): void {
    const waiting = this.#waiting()
    const { progress, previews } = wishesOf(waiting)
    if (!previews) this.#preview = undefined
    // What was true when the last one left need not be when the next one comes.
    if (!progress) this.#step = undefined
    this.#links.want(
      previews ? 'previews' : progress ? 'progress' : 'nothing',
      waiting[0]?.streamId ?? '',
    )
  }

  /**
   * Another listener has come; it is told how things stand.
   *
   * @param job the record, unless another look is due anyway.
   */
  welcome(listener: Listener, job: PublicJob | undefined): void {
    if (job) listener.progress(job, this.#step)
    else if (this.#step) listener.step(this.#step, this.#job)
    if (this.#preview) listener.preview(this.#preview.seq, this.#preview.message)
  }

  /** The record, as a look has shown it. */
  look(job: PublicJob): void {
    // Another replica of the store may be behind.
    if (!this.#job || job.seq > this.#job.seq) this.#job = job
    for (const listener of this.#waiting()) listener.progress(job, this.#step)
    this.update()
  }

  #hear(event: LiveEvent): void {
    const waiting = this.#waiting()
    if ('step' in event) {
      this.#step = event.step
      for (const listener of waiting) listener.step(event.step, this.#job)
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
