/** Headings of the options that `--help-all` adds to the short help of `ftl up`, `ftl start` and `ftl dev`. */
export const GROUPS = {
  serving: 'What is served, and to which machines:',
  output: 'Output:',
  rates: 'Rate limits:',
  audit: 'Audit log:',
  threads: 'Threads:',
  requests: 'Limits of requests:',
  clients: 'Limits of clients and connections:',
  stores: 'Limits of key-value stores:',
  services: 'Bridge and simulator:',
} as const
