/** A call of a tool, as its app gets it, and what the app wants of the person. */
import type { AppFile } from './save-file.ts'

export type Mode = 'inline' | 'fullscreen'

/** What an app wants the person to decide. */
export type Ask =
  | { kind: 'link'; url: URL; decide: (isAccepted: boolean) => void }
  | { kind: 'file'; file: AppFile; decide: (isAccepted: boolean) => void }
  | { kind: 'message'; text: string; decide: (isAccepted: boolean) => void }
  /** For the model; the newest replaces the one before. */
  | { kind: 'note'; text: string; decide: (isAccepted: boolean) => void }

export interface AppCall {
  args: Record<string, unknown>
  result: unknown
  /** While it runs, or after. */
  jobId: string | undefined
  /** Why there is no result. */
  failure: string | undefined
}

export interface HostEvents {
  started: () => void
  failed: (why: string) => void
  height: (pixels: number) => void
  ask: (ask: Ask) => void
  /** @returns the mode that was set. */
  mode: (wanted: Mode) => Mode
  log: (line: string) => void
  closed: () => void
}
