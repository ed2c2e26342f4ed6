/** Checks the job records that components and the store return. */
import { isJobId, isObject, isString, type JobRecord } from 'ftl-contract'
import { isComponentName } from '../settings.ts'

export const STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled']

/** Checks what the gateway acts on: the id and the component become part of an address. */
export function isJobRecord(value: unknown): value is JobRecord {
  return (
    isObject(value) &&
    isString(value.id) &&
    isJobId(value.id) &&
    isComponentName(value.component) &&
    STATUSES.includes(value.status as string) &&
    isString(value.tool) &&
    Number.isFinite(value.pollIntervalMs) &&
    Number.isFinite(value.seq) &&
    isTime(value.createdAt) &&
    isTime(value.updatedAt) &&
    isTime(value.expiresAt)
  )
}

function isTime(value: unknown): boolean {
  return isString(value) && Number.isFinite(Date.parse(value))
}
