/** Steps of a sign-in by OAuth 2.1 that are the same in Node and in a page. */
export {
  authorizationAddress,
  hasPkce,
  OFFLINE,
  offersOffline,
  refreshedTokens,
  tokensOfCode,
} from './auth/code-flow.ts'
export {
  coversServer,
  issuerMetadataAddresses,
  resourceMetadataAddresses,
} from './auth/metadata-addresses.ts'
