/** The feature that shows the requests of all callers: `GET /activity`. */
import type { Feature } from '../feature.ts'
import { activityAdapter } from './activity-adapter.ts'

export const activity: Feature = { name: 'activity', adapters: [activityAdapter] }
