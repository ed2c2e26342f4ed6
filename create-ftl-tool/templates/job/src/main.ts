import { createTool, ToolResponse } from 'ftl-sdk'
import * as z from 'zod'

/** What is needed to find the work again; stored as JSON. */
interface Work {
  endsAt: number
  seconds: number
}

export const tool = createTool({
  metadata: {
    name: 'template_name',
    description: 'Boils an egg for as many seconds as you like',
    inputSchema: z.object({
      seconds: z.int().min(1).max(600).describe('How long it boils'),
    }),
  },
  job: {
    // Begins the work where it is done: a service that you call with fetch. Here it is the clock.
    start: ({ seconds }, { platform }): Work => ({
      endsAt: platform.now() + seconds * 1000,
      seconds,
    }),
    // One look at it. No process waits in between, so a restart of anything loses nothing.
    async poll(work: Work | undefined, { platform }) {
      if (!work) return 'lost'
      const left = Math.ceil((work.endsAt - platform.now()) / 1000)
      if (left <= 0) return { result: ToolResponse.text(`Boiled for ${work.seconds} s`) }
      return {
        message: `${left} s to go`,
        progress: { value: work.seconds - left, total: work.seconds },
      }
    },
    // Stops exactly this work.
    cancel: async () => 'cancelled',
  },
})
