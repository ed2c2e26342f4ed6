/**
 * Counts the steps of a whole job. ComfyUI counts those of the running node only, and begins again at 0 with the next
 * node, or with the next pass of the same one.
 */
import type { ComfyStep, JobStep } from './event.ts'

/** Ids that may be shown in a message; a workflow may choose any text as an id. */
const SHOWN_ID = /^[\w:.-]+$/

export class StepCount {
  /** Steps of the nodes and passes that have ended. */
  #before = 0
  #current: ComfyStep = { value: 0 }

  /** @returns the progress of the job, which never decreases; with a total once a node has counted its steps. */
  add(step: ComfyStep): JobStep {
    const current = this.#current
    const isNext = step.node !== undefined && step.node !== current.node
    if (isNext || step.value < current.value) {
      this.#before = sum(this.#before, Math.max(current.max ?? 0, current.value))
    }
    this.#current = { node: current.node, ...step }
    const { node, max } = this.#current
    const value = sum(this.#before, step.value)
    const total = max === undefined ? this.#before : sum(this.#before, max)
    const name = node !== undefined && SHOWN_ID.test(node) ? `node ${node}` : 'a node'
    return {
      value,
      max: total > 0 ? total : undefined,
      node,
      message: max === undefined ? `Running ${name}` : `Step ${value} of ${total}`,
    }
  }
}

/** A node may report any number: the sum must stay one that JSON has. */
function sum(a: number, b: number): number {
  return Math.min(a + b, Number.MAX_SAFE_INTEGER)
}
