/** The feature that finds tools where a list of all would be too long for a model. */
import type { Feature } from '../feature.ts'
import { callVirtualTool } from './call-virtual-tool.ts'
import { declareTools } from './declarations/declare-tools.ts'
import { findTools } from './find-tools.ts'
import { listedView } from './listed-view.ts'
import { renewIndex } from './stored-index.ts'
import { throughCallTool } from './through-call-tool.ts'
import { isSearch, searchedTools } from './tool-search.ts'
import { VIRTUAL_TOOLS } from './virtual-tools.ts'

export const search: Feature = {
  name: 'search',
  finder: { find: findTools, declare: declareTools },
  toolList: listedView,
  foundTools: (gateway, scope, parameters, form) =>
    isSearch(parameters) ? searchedTools(gateway, scope, parameters, form) : undefined,
  callMeant: throughCallTool,
  ownTool: (client, call) =>
    VIRTUAL_TOOLS.has(call.name) ? callVirtualTool(client, call) : undefined,
  catalogStored: (scope, catalog, digest) =>
    scope.platform.waitUntil(renewIndex(scope, catalog, digest)),
}
