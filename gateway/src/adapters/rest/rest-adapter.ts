/**
 * Every tool over plain HTTP: `/tools`, `/invoke`, `/tools/{name}`, and what describes them, `/openapi.json` and `/docs`.
 */
import { isObject } from 'ftl-contract'
import { uncached } from 'ftl-http'
import { toolsOf } from '../../calls/listed-tools.ts'
import type { CatalogTool } from '../../catalog/catalog.ts'
import type { Gateway, TransportAdapter } from '../../gateway.ts'
import type { Handler, Route, RouteContext } from '../../routes.ts'
import { response, thrownAnswer } from './answer.ts'
import { readCalls } from './call-forms.ts'
import { openApi } from './openapi.ts'
import { readBody } from './read-body.ts'
import { badRequest, NO_TOOL, Refusal } from '../../calls/rest-error.ts'
import { serveCalls } from './serve-calls.ts'
import { describedTool, listedTools } from './tool-list.ts'

export const restAdapter: TransportAdapter = {
  name: 'rest',
  routes: (gateway): Route[] => [
    {
      path: '/tools',
      methods: {
        GET: answering(async ({ request, scope }) =>
          uncached(await listedTools(gateway, scope, request)),
        ),
      },
    },
    {
      path: '/invoke',
      methods: {
        POST: answering(async (context) => {
          const wanted = readCalls(await readBody(context.request))
          return serveCalls(gateway, context, wanted)
        }),
      },
    },
    {
      path: '/tools/:name',
      methods: {
        GET: answering(async (context) => uncached(describedTool(await find(gateway, context)))),
        POST: answering(async (context) => {
          const { param: name, request } = context
          // No body at all: no arguments.
          const { args = {} } = { args: await readBody(request) }
          if (!isObject(args)) throw badRequest('The body must be an object: the arguments.')
          return serveCalls(gateway, context, { call: { name, args, at: '' } })
        }),
      },
    },
    {
      path: '/openapi.json',
      methods: {
        GET: async ({ scope }) => uncached(openApi(toolsOf(await gateway.tools.list(scope)))),
      },
    },
    { path: '/docs', methods: { GET: ({ scope }) => docsPage(scope.platform.randomUUID()) } },
  ],
}

async function find(gateway: Gateway, { scope, param }: RouteContext): Promise<CatalogTool> {
  const entry = toolsOf(await gateway.tools.list(scope)).find(({ name }) => name === param)
  if (entry) return entry
  throw new Refusal(404, 'tool_not_found', NO_TOOL)
}

/** Maps a thrown error to its response. */
function answering(handler: Handler): Handler {
  return async (context) => {
    try {
      return await handler(context)
    } catch (error) {
      return response(thrownAnswer(context.scope, error))
    }
  }
}

const STYLE = 'body{font:1em/1.5 system-ui;max-width:50em;margin:2em auto}pre{white-space:pre-wrap}'

// A backslash for the script must be doubled in this template.
const SCRIPT = `fetch('openapi.json').then(r=>r.json()).then(({paths,components})=>{
const add=(to,name,text='')=>{const e=document.createElement(name);e.textContent=text;to.append(e);return e}
for(const [path,methods] of Object.entries(paths))for(const [method,op] of Object.entries(methods)){
const item=add(m,'details')
add(item,'summary',method.toUpperCase()+' '+path+' – '+op.summary)
add(item,'p',op.description)
const schema=op.requestBody?.content['application/json'].schema
if(schema)add(item,'pre',JSON.stringify(components.schemas[schema.$ref.split('/')[3]],null,2))
}})`

/**
 * `GET /docs`: shows `/openapi.json` on one page that loads nothing from other servers.
 *
 * Descriptions from components are inserted as text, never as markup, so that they cannot inject scripts.
 *
 * @param nonce allows the page's own style and script, but no injected ones.
 */
function docsPage(nonce: string): Response {
  const page =
    '<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width"><title>Tools</title>' +
    `<style nonce="${nonce}">${STYLE}</style><main id=m><h1>Tools</h1></main><script nonce="${nonce}">${SCRIPT}</script>`
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
