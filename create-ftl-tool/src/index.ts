/**
 * Making tools: the part that `ftl new` and `npm create ftl-tool` share.
 *
 * @module
 */
export type { Chosen } from './ask.ts'
export { neededPackages, versionOf } from './application.ts'
export { type ComponentSpec, quote, renderComponent } from './component.ts'
export { NewFailure } from './failure.ts'
export { findManifest } from './find-manifest.ts'
export { renderVariable } from './manifest.ts'
export { checkName, toolName } from './names.ts'
export {
  EARLIER_VARIABLES,
  gatewayBindings,
  gatewayComponent,
  type Reaches,
  reachesGateway,
} from './parts/gateway-component.ts'
export { type Part, PARTS, PARTS_PACKAGE, variablesOf } from './parts/parts.ts'
export { GATEWAY_VARIABLES, toolComponents } from './parts/gateway-variables.ts'
export { type AddComponent, runNew, workFolder } from './new.ts'
export { DESCRIPTION, helpAfter, type NewOptions, OPTIONS } from './options.ts'
export { type Outcome, toJson, toText } from './outcome.ts'
export { ownPackages } from './packages.ts'
export { rustDependency } from './rust-crate.ts'
export type { Template, VariableSpec } from './template.ts'
export { templateFiles } from './template-files.ts'
export { checkFree, writeFolder } from './write.ts'
