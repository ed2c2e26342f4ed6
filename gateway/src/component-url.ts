/**
 * The address of a component inside the application, by service chaining.
 *
 * @param component checked with `isComponentName` by whoever read it from outside.
 * @param path begins with a slash.
 */
export function componentUrl(component: string, path = '/'): string {
  return `http://${component}.spin.internal${path}`
}
