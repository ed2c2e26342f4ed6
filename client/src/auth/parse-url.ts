/** As `URL.parse`, which Node 20 does not have. */
export const parseUrl = (address: string | URL): URL | undefined =>
  URL.canParse(String(address)) ? new URL(address) : undefined
