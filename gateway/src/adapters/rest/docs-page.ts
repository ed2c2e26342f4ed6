/**
 * `GET /docs`: shows `/openapi.json` on one page that loads nothing from other servers.
 *
 * Descriptions from components are inserted as text, never as markup, so that they cannot inject scripts.
 */

const STYLE = 'body{font:1em/1.5 system-ui;max-width:50em;margin:2em auto}pre{white-space:pre-wrap}'

// A backslash for the script must be doubled in this template.
const SCRIPT = `fetch('openapi.json').then(r=>r.json()).then(({paths,components})=>{
const add=(to,name,text='')=>{const e=document.createElement(name);e.textContent=text;to.append(e);return e}
for(const [path,methods] of Object.entries(paths))for(const [method,op] of Object.entries(methods)){
const item=add(document.body,'details')
add(item,'summary',method.toUpperCase()+' '+path+' – '+op.summary)
add(item,'p',op.description)
const schema=op.requestBody?.content['application/json'].schema
if(schema)add(item,'pre',JSON.stringify(components.schemas[schema.$ref.split('/')[3]],null,2))
}})`

/** @param nonce allows the page's own style and script, but no injected ones. */
export function docsPage(nonce: string): Response {
  const page =
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Tools</title>' +
    `<style nonce="${nonce}">${STYLE}</style><h1>Tools</h1><script nonce="${nonce}">${SCRIPT}</script></html>`
  return new Response(page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; ` +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  })
}
