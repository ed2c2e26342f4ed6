import { createTool, ToolResponse } from 'ftl-sdk'
import * as z from 'zod'

interface Work {
  endsAt: number
}

export const tool = createTool({
  metadata: {
    name: 'brew',
    description: 'Brews coffee, which takes its time',
    inputSchema: z.object({ seconds: z.number().positive().max(60) }),
  },
  job: {
    start: ({ seconds }, { platform }): Work => ({ endsAt: platform.now() + seconds * 1000 }),
    poll: async (work: Work | undefined, { platform }) => {
      if (!work) return 'lost'
      const left = work.endsAt - platform.now()
      return left <= 0
        ? { result: ToolResponse.text('Coffee is ready') }
        : { message: `${Math.ceil(left / 1000)} s to go` }
    },
    cancel: async () => 'cancelled',
  },
})
