/** How a call is getting on. */
export interface Progress {
  /** Grows; its unit is the tool's own. */
  progress?: number
  /** What `progress` will be at the end, where that is known. */
  total?: number
  message?: string
}

/** The numbers and the message of `value`, where they are such. */
export function progressOf(value: Readonly<Record<string, unknown>>): Progress {
  const { progress, total, message } = value
  return {
    ...(typeof progress === 'number' && { progress }),
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  }
}
