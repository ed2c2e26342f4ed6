/** The components, and how they are doing. */
import type { ComponentActivity } from './activity-store.ts'
import { duration } from './request-activity.ts'

interface ComponentCardsProps {
  components: readonly ComponentActivity[]
  onChoose: (component: string) => void
}

const STATES: Readonly<Record<string, [words: string, badge: string]>> = {
  ready: ['ready', 'ok'],
  failing: ['failing', 'failed'],
  unused: ['not called yet', 'unused'],
}

export function ComponentCards({ components, onChoose }: ComponentCardsProps) {
  return (
    <ul class="component-cards">
      {components.map((component) => (
        <li key={component.id}>
          <ComponentCard component={component} onChoose={onChoose} />
        </li>
      ))}
    </ul>
  )
}

interface ComponentCardProps {
  component: ComponentActivity
  onChoose: (component: string) => void
}

function ComponentCard({ component, onChoose }: ComponentCardProps) {
  const { id, state, calls, errors, p50, p95, instances, memory, lastFailure } = component
  const [words, badge] = STATES[state] ?? [state, 'unused']
  return (
    <article class="component-card" aria-label={id}>
      <header class="line">
        <button
          type="button"
          class="linkish"
          title={`Show requests of ${id}`}
          onClick={() => onChoose(id)}
        >
          {id}
        </button>
        <span class="grow" />
        <span class="badge" data-state={badge}>
          {words}
        </span>
      </header>
      <dl>
        <Figure name="calls" value={String(calls)} />
        <Figure name="errors" value={String(errors)} isBad={errors > 0} />
        <Figure name="p50" value={p50 === undefined ? '–' : duration(p50)} />
        <Figure name="p95" value={p95 === undefined ? '–' : duration(p95)} />
        <Figure name="instances" value={String(instances)} />
        <Figure name="memory" value={`${Math.round(memory / 1024 ** 2)} MB`} />
      </dl>
      {lastFailure && (
        <p class="small-text problem clamped" title={lastFailure.reason}>
          {lastFailure.reason}
        </p>
      )}
    </article>
  )
}

function Figure({ name, value, isBad = false }: { name: string; value: string; isBad?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd data-bad={isBad}>{value}</dd>
    </div>
  )
}
