/** What came of the calls of a tool: the newest, and the way to those before. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { keepInView } from '../../frame/bring-into-view.ts'
import { Icon } from '../../icons.tsx'
import { AppOrText } from '../../apps/loaded-app.tsx'
import { JobCard } from '../../jobs/job-card.tsx'
import { isOver, jobs } from '../../jobs/known-jobs.ts'
import type { Tool } from '../../net/tools.ts'
import { useStore } from '../../store.ts'
import { CopyAs } from '../copy/copy-as.tsx'
import { exchanges } from '../mcp/exchanges.ts'
import type { Run } from '../run/run-tool.ts'
import { RawView } from './raw-view.tsx'
import { RichResult } from './rich-result.tsx'
import { Tabs } from './tabs.tsx'
import { LogsView, TraceView } from './trace-view.tsx'
import './result.css'

interface ResultPaneProps {
  tool: Tool
  runs: readonly Run[]
  /** In the form now. */
  args: Record<string, unknown>
  onRun: (run: Run) => void
  /** Whether the tool is one of another server, whose calls the gateway knows nothing about. @default false */
  isForeign?: boolean
}

export function ResultPane({ tool, runs, args, onRun, isForeign = false }: ResultPaneProps) {
  const [chosen, setChosen] = useState('')
  const run = runs.find(({ id }) => id === chosen) ?? runs[0]
  const head = useRef<HTMLDivElement>(null)
  const [latest] = runs
  const hasEnded = latest?.took !== undefined
  const seen = useRef(hasEnded)
  // Where there is no room beside the form, the answer is below it, and often below the end of the screen.
  useEffect(() => {
    const isNew = hasEnded && !seen.current
    seen.current = hasEnded
    const section = head.current?.parentElement
    return isNew && head.current && section ? keepInView(section, head.current) : undefined
  }, [latest?.id, hasEnded])
  return (
    <section class="tool-results" aria-label="Results">
      <div class="results-head" ref={head}>
        {runs.length > 1 ? (
          <select
            aria-label="Calls"
            value={run?.id}
            onChange={(event) => setChosen(event.currentTarget.value)}
          >
            {runs.map((one, index) => (
              <option key={one.id} value={one.id}>
                {index === 0 ? 'Latest' : `Call ${runs.length - index}`}, {clock(one.startedAt)}
              </option>
            ))}
          </select>
        ) : (
          <h3>{run ? 'Result' : 'No result yet'}</h3>
        )}
        {run && <Facts run={run} />}
        <span class="grow" />
        {!isForeign && <CopyAs tool={tool} args={args} />}
      </div>
      {!run && <p class="faint">Run the tool: what it answers appears here.</p>}
      {run && (
        <Outcome key={run.id} {...{ run, tool, onRun, isForeign }} isLatest={run === runs[0]} />
      )}
    </section>
  )
}

function Facts({ run }: { run: Run }) {
  const { took, protocol, failure, result } = run
  const isError = (result as { isError?: unknown } | undefined)?.isError === true
  const state = failure !== undefined || isError ? 'failed' : took === undefined ? 'working' : 'ok'
  return (
    <>
      <span class="badge" data-state={state}>
        {state === 'working' ? 'running' : state === 'ok' ? 'done' : 'failed'}
      </span>
      <span class="faint small-text">
        {took === undefined
          ? protocol
          : `${took < 1000 ? `${Math.round(took)} ms` : `${(took / 1000).toFixed(1)} s`} · ${protocol}`}
      </span>
    </>
  )
}

function Outcome({
  run,
  tool,
  onRun,
  isLatest,
  isForeign,
}: { run: Run; isLatest: boolean } & Pick<ResultPaneProps, 'tool' | 'onRun' | 'isForeign'>) {
  const { jobId, result, progress, took, failure } = run
  const all = useStore(exchanges)
  const job = useStore(jobs).get(jobId ?? '')
  const call = {
    args: run.args,
    result: result ?? job?.result,
    jobId,
    failure: job && isOver(job) && job.state !== 'completed' ? (job.error ?? job.state) : undefined,
  }
  const end = took === undefined ? Infinity : run.startedAt + took + 50
  const own = all.filter(
    ({ tool: name, task, startedAt, method }) =>
      startedAt >= run.startedAt &&
      startedAt <= end &&
      (name === run.tool ||
        (jobId !== undefined && task === jobId) ||
        method === 'notifications/cancelled'),
  )
  const requestId = own.findLast(({ method }) => method === 'tools/call')?.requestId ?? run.id
  const body = (
    <div
      class={result === undefined && jobId === undefined ? 'pending' : 'outcome'}
      aria-live="polite"
    >
      {took === undefined && jobId === undefined && (
        <div class="running-call">
          <progress
            aria-label={`Progress of ${run.tool}`}
            value={progress?.total ? progress.progress : undefined}
            max={progress?.total ?? 1}
          />
          <p class="faint">
            {progress?.message ?? 'Running'}
            {progress?.progress !== undefined &&
              ` · ${progress.progress}${progress.total === undefined ? '' : ` of ${progress.total}`}`}
          </p>
        </div>
      )}
      {failure !== undefined && isLatest && <p class="faint">There is no answer.</p>}
      {failure !== undefined && !isLatest && (
        <p class="problem">
          <Icon name="close" /> {failure}
        </p>
      )}
      <AppOrText tool={failure === undefined ? tool : undefined} call={call} keep="tools.app">
        {jobId !== undefined && (
          <JobCard id={jobId} onVaried={(id) => onRun({ ...run, id, jobId: id })} />
        )}
        {result !== undefined && jobId === undefined && <RichResult result={result} />}
      </AppOrText>
    </div>
  )
  return (
    <Tabs
      label="Parts of the answer"
      tabs={[
        { name: 'Result', view: () => body, isKept: tool.app !== undefined },
        {
          name: 'Raw',
          view: () => <RawView exchanges={own} schema={tool.inputSchema} run={run} />,
        },
        ...(isForeign
          ? []
          : [
              { name: 'Trace', view: () => <TraceView requestId={requestId} /> },
              { name: 'Logs', view: () => <LogsView requestId={requestId} /> },
            ]),
      ]}
    />
  )
}

function clock(time: number): string {
  return new Date(time).toTimeString().slice(0, 8)
}
