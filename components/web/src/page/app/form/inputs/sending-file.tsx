/** A file that is being sent by itself: how far it is, and a way to stop it. */
import { Icon } from '../../icons.tsx'
import type { Sending } from './use-file.ts'

export function SendingFile({ id, name, share, stop }: Sending & { id: string }) {
  const label = `Sending ${name}`
  return (
    <div class="beside" data-sending>
      <progress id={id} aria-label={label} value={share} max={1} />
      <span class="faint">{Math.floor(share * 100)} %</span>
      <button type="button" class="small" aria-label={`Stop sending ${name}`} onClick={stop}>
        <Icon name="stop" /> Stop
      </button>
    </div>
  )
}
