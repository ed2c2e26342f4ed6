import { useEffect, useState } from 'preact/hooks'
import type { KnownJob } from '../jobs/known-jobs.ts'
import { leftWords, timeLeft } from '../jobs/time-left-words.ts'

export function TimeLeft({ job }: { job: KnownJob }) {
  const [now, setNow] = useState(Date.now)
  const isRunning = job.state === 'working'
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  const left = timeLeft(job, now)
  return left === undefined ? null : <> · {leftWords(left)}</>
}
