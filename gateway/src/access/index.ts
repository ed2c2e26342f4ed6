/**
 * Who may ask a public component, the same for each: `import … from 'ftl-gateway/access'`.
 *
 * The component needs the variables `allowed_hosts` and `allowed_origins`.
 *
 * @module
 */
export { CLIENT_REQUEST_ID_HEADER, createRequestId } from '../request-id.ts'
export { ConfigurationError, createSettings } from '../settings.ts'
export { contentTypeOk } from './content-type.ts'
export { type Forbidden, forbidden, forbiddenMessage } from './guard.ts'
export { type Guarded, guarded } from './guarded.ts'
