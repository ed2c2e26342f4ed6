/** The feature that finds tools where a list of all would be too long for a model. */
import type { Feature } from '../feature.ts'
import { callVirtualTool } from './call-virtual-tool.ts'
import { renewIndex } from './stored-index.ts'
import { VIRTUAL_TOOLS } from './virtual-tools.ts'

export const search: Feature = {
  name: 'search',
  ownTool: (client, call) =>
    VIRTUAL_TOOLS.has(call.name) ? callVirtualTool(client, call) : undefined,
  catalogStored: (scope, catalog, digest) =>
    scope.platform.waitUntil(renewIndex(scope, catalog, digest)),
}
