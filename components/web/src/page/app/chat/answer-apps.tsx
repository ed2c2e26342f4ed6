/** Results of an answer that their tools have apps for. Pictures have the page's own cards, which do more. */
import { AppOrText } from '../apps/loaded-app.tsx'
import { catalog } from '../net/tools.ts'
import { useStore } from '../store.ts'
import { ResultView } from '../result-view.tsx'
import type { DirectCall } from './message.ts'
import type { Step } from './steps.ts'

/** Of a call that the person made without a model. */
export function DirectResult({
  id,
  call,
  result,
}: {
  id: string
  call?: DirectCall | undefined
  result: unknown
}) {
  const tool = useStore(catalog).tools.find(({ name }) => name === call?.tool)
  const made = { args: call?.arguments ?? {}, result, jobId: undefined, failure: undefined }
  return (
    <AppOrText tool={tool} call={made} keep={`chat.app.${id}`}>
      <ResultView result={result} />
    </AppOrText>
  )
}

/** Of the calls that a model made. What they started as jobs is shown elsewhere. */
export function StepApps({ id, steps }: { id: string; steps: readonly Step[] }) {
  const { tools } = useStore(catalog)
  return (
    <>
      {steps.map(({ tool: name, arguments: args, result, isError }, index) => {
        const tool = tools.find((other) => other.name === name)
        if (tool?.app === undefined || result === undefined || isError) return null
        // The chat passes on the text that the model got.
        const made = { content: [{ type: 'text', text: result }] }
        const call = { args, result: made, jobId: undefined, failure: undefined }
        return (
          <AppOrText key={index} tool={tool} call={call} keep={`chat.app.${id}.${index}`}>
            {null}
          </AppOrText>
        )
      })}
    </>
  )
}
