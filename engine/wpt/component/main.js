// Evaluates scripts as a page does: in the global scope, one after another. Answers with what their promise resolves to.
async function answer(request) {
  const scripts = await request.json()
  let result
  for (const script of scripts) result = (0, eval)(script)
  return Response.json((await result) ?? null)
}

addEventListener('fetch', (event) => event.respondWith(answer(event.request)))
