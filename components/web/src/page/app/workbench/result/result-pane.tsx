/** What came of the calls of a tool, the newest first. */
import { JobCard } from '../../jobs/job-card.tsx'
import { ResultView } from '../../result-view.tsx'
import type { Run } from '../run/run.ts'

interface ResultPaneProps {
  runs: readonly Run[]
  onRun: (run: Run) => void
}

export function ResultPane({ runs, onRun }: ResultPaneProps) {
  return (
    <section class="tool-results" aria-label="Results" aria-live="polite">
      {runs.length === 0 && <p class="faint">What the tool answers appears here.</p>}
      {runs.map((run) => (
        <div class="outcome" key={run.id}>
          {run.jobId !== undefined ? (
            <JobCard id={run.jobId} onVaried={(jobId) => onRun({ ...run, id: jobId, jobId })} />
          ) : (
            <ResultView result={run.result} />
          )}
        </div>
      ))}
    </section>
  )
}
