/** The tools of a list. */
import type { Catalog, CatalogTool } from '../catalog/catalog.ts'
import { JOB_TOOLS } from './job-tools.ts'

/** All tools, and the job tools if any component starts jobs. */
export function toolsOf({ tools, jobs }: Pick<Catalog, 'tools' | 'jobs'>): CatalogTool[] {
  return jobs ? [...tools, ...JOB_TOOLS] : tools
}
