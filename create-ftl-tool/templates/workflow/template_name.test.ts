import { testComponent } from 'ftl-sdk/testing'
import * as workflows from 'ftl-workflows'
import { expect, it } from 'vitest'
import config from './config/template_name.json' with { type: 'json' }
import workflow from './workflows/template_name.json' with { type: 'json' }

// Without the variable comfyui_url a tool answers with the workflow it would run.
const component = testComponent(workflows, {
  files: {
    '/config/template_name.json': JSON.stringify(config),
    '/workflows/template_name.json': JSON.stringify(workflow),
  },
})

it('puts the prompt and the seed into the workflow', async () => {
  const args = { prompt: 'a lighthouse', seed: 7 }
  const { structuredContent } = await component.call('template_name', args)
  expect(structuredContent).toMatchObject({
    workflow: { 6: { inputs: { text: 'a lighthouse' } }, 3: { inputs: { seed: 7 } } },
  })
})

it('refuses a call without a prompt', async () => {
  const { isError } = await component.call('template_name', {})
  expect(isError).toBe(true)
})
