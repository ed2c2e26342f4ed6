/** @param milliseconds since the epoch. */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()
