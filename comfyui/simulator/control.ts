/** `/simulator/faults`: the switches of `faults.ts` over HTTP. */
import { type Faults, noFaults, readFaults } from './faults.ts'
import { type Answer, type Call, json } from './http.ts'
import type { PromptQueue, QueueItem } from './queue.ts'

export const CONTROL_PATH = '/simulator/faults'

export interface Control {
  faults: Faults
  set(faults: Partial<Faults>): Promise<void>
  restart(): Promise<void>
}

export function createControl(
  faults: Faults,
  queue: PromptQueue,
  restart: () => Promise<void>,
): Control {
  const foreign = new Set<string>()
  return {
    faults,
    async set(change) {
      Object.assign(faults, change)
      if (change.foreignPrompts === undefined) return
      for (const id of foreign) if (!queue.interrupt(id)) await queue.remove(id)
      foreign.clear()
      for (let count = 0; count < change.foreignPrompts; count++) {
        const item = foreignPrompt(queue.nextNumber())
        foreign.add(item.id)
        await queue.add(item)
      }
    },
    async restart() {
      foreign.clear()
      faults.foreignPrompts = 0
      await restart()
    },
  }
}

export async function answerControl(call: Call, method: string, control: Control): Promise<Answer> {
  if (method === 'POST') {
    const { restart, reset, ...rest } = Object(await call.json()) as Record<string, unknown>
    const change = readFaults(rest)
    if (typeof change === 'string') return json(400, { error: change })
    if (reset === true) await control.set(noFaults())
    if (restart === true) await control.restart()
    await control.set(change)
  }
  return json(200, control.faults)
}

function foreignPrompt(number: number): QueueItem {
  const seed = number + 1_000_000
  return {
    number,
    id: crypto.randomUUID(),
    prompt: {
      1: { class_type: 'SlowImage', inputs: { steps: 10_000, seconds: 0.05, seed, fail_at: -1 } },
      2: { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
    },
    extraData: { create_time: Date.now() },
    outputs: ['2'],
  }
}
