declare module 'wasi:cli/environment@0.2.10' {
  export function getEnvironment(): [string, string][]
}
